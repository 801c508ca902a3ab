package backtest

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/pipeline"
)

// record is what is needed of a record of the evidence.
type record struct {
	ID, Host, Event, Name, Project string

	Time    time.Time
	Payload []byte
	Hooks   []hookRecord // those that said something, failed, or asked something outside
	Error   bool         // there was no verdict

	Judged   bool
	Canceled bool
	Decision string
	Input    map[string]any // what was rewritten

	mu      sync.Mutex
	missing string // the hook whose answer cannot be used
}

type hookRecord struct {
	ID, Kind, Digest, Entrypoint string
	Failed, Blocked              bool
	Code, Detail                 string
	Decision, Reason, Trial      string
	Excepted                     string // what it said, and an exception took back
	Rewrites                     []string
}

// output is how records name a rewritten output.
const output = "(output)"

// said is what a hook came to. Who asks people has asked, whatever they said.
func (h *hookRecord) said() Outcome {
	switch {
	case h.Trial != "":
		return None
	case h.Kind == "approval" && (h.Decision != "" || h.Blocked):
		return Ask
	case h.Blocked:
		return Deny
	}
	return outcomeOf(h.Decision, len(h.Rewrites) > 0)
}

// outcome is what all hooks came to, before people or the host changed it.
func (r *record) outcome() Outcome {
	out := None
	for i := range r.Hooks {
		out = max(out, r.Hooks[i].said())
	}
	if out == None && slices.ContainsFunc(r.Hooks, func(h hookRecord) bool { return h.Trial == "" && h.Decision == trammel.Allow.String() }) {
		return Allow
	}
	return out
}

// Ran implements pipeline.Recorded.
func (r *record) Ran() bool { return r.Judged && r.Decision != trammel.Deny.String() }

// Answer implements pipeline.Recorded: what the hook said counts if it is the same
// hook, started the same program, and was asked about the same call.
func (r *record) Answer(h *trammel.Hook, now pipeline.Entrypoint, ev *trammel.Event) (trammel.Answer, error) {
	at := slices.IndexFunc(r.Hooks, func(old hookRecord) bool { return old.ID == h.ID })
	if at < 0 || r.Hooks[at].Digest == "" || r.Hooks[at].Digest != h.Digest {
		return r.cannot(h)
	}
	old := &r.Hooks[at]
	if now != nil && now(ev) != old.Entrypoint {
		return r.cannot(h)
	}
	if old.Failed {
		return trammel.Answer{}, trammel.Fail(trammel.Code(cmp.Or(old.Code, string(trammel.CodeError))), "%w", errors.New(old.Detail))
	}
	word := cmp.Or(old.Decision, old.Excepted) // exceptions are applied again
	if old.Trial != "" {                       // now it counts
		switch word = old.Trial; word {
		case "nothing", "context":
			word = ""
		case "rewrite", "fail":
			return r.cannot(h)
		}
	}
	a := trammel.Answer{Reason: old.Reason}
	if word != "" {
		var err error
		if a.Decision, err = trammel.ParseDecision(word); err != nil {
			return r.cannot(h)
		}
	}
	for _, key := range old.Rewrites {
		value, ok := r.Input[key]
		if key == output || !ok || marked(value) {
			return r.cannot(h)
		}
		if a.Input == nil {
			a.Input = map[string]any{}
		}
		a.Input[key] = value
	}
	return a, nil
}

func (r *record) cannot(h *trammel.Hook) (trammel.Answer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.missing = cmp.Or(r.missing, h.ID)
	return trammel.Answer{}, nil
}

// marked reports whether something was taken out of a value.
func marked(v any) bool {
	switch v := v.(type) {
	case string:
		return secret.Marked(v)
	case []any:
		return slices.ContainsFunc(v, marked)
	case map[string]any:
		for _, item := range v {
			if marked(item) {
				return true
			}
		}
	}
	return false
}
