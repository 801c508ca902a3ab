package suggest

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/evidence"
)

// record is what is needed of a record of the evidence.
type record struct {
	ID, Host, Event, Name, Project string

	Time    time.Time
	Session struct {
		ID     string
		Bypass bool
	}
	Tool    struct{ ID, Name string }
	Action  struct{ Summary string }
	MCP     struct{ Same string }
	Payload json.RawMessage
	Hooks   []hookRecord
	Verdict struct {
		Decision string
		Findings []finding
	}
}

type hookRecord struct {
	ID, Decision, Trial string
	Findings            []finding
}

type finding struct{ Code, Severity string }

// kinds are the events that questions and their answers are in.
var kinds = []string{trammel.PreToolUse.String(), trammel.PostToolUse.String(), trammel.PostToolFailure.String()}

// readRecord is nil for records that have nothing to do with questions.
func readRecord(e *evidence.Entry) *record {
	row, err := e.Row()
	if err != nil || !slices.Contains(kinds, row.Event) {
		return nil
	}
	r := &record{}
	if json.Unmarshal(e.Body, r) != nil || r.Session.Bypass || r.MCP.Same != "" {
		return nil // nobody is asked, or it is the same call once more
	}
	if r.Event == kinds[0] && len(r.asking()) == 0 {
		return nil
	}
	return r
}

// asking are the hooks that asked.
func (r *record) asking() (out []*hookRecord) {
	for i := range r.Hooks {
		if h := &r.Hooks[i]; h.Decision == trammel.Ask.String() && h.Trial == "" {
			out = append(out, h)
		}
	}
	return out
}

// call tells the calls of a session apart.
func (r *record) call() string {
	return strings.Join([]string{r.Host, r.Session.ID, cmp.Or(r.Tool.ID, r.Tool.Name+" "+r.Action.Summary)}, "\x00")
}

// answer is what came of a question.
type answer uint8

const (
	no answer = iota // or nothing that is known
	yes
	none // it was not put to anybody
	open // the host asks
)

// answered says what a record tells of the answer to its own question.
func (r *record) answered() answer {
	switch r.Verdict.Decision {
	case trammel.Ask.String():
		return open
	case trammel.Allow.String():
		return yes // people were asked on another way
	case trammel.Deny.String():
		for _, f := range r.Verdict.Findings {
			if state, ok := strings.CutPrefix(f.Code, "approval_"); ok && state != "pending" {
				return no
			}
		}
	}
	return none
}
