package flowagents

import (
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
)

// Powers says what adapters of the contract do with an answer. Context before a
// tool call has no place in their hosts' replies. How long they wait is theirs
// to say (FLOW-63).
func (Dialect) Powers(kind trammel.Kind) trammel.Powers {
	p := trammel.Powers{Deadline: Timeout(os.Getenv)}
	switch kind {
	case trammel.PreToolUse, trammel.PermissionRequest:
		p.Can = trammel.Prevents | trammel.Block
	case trammel.UserPromptSubmit:
		p.Can = trammel.Prevents | trammel.Block | trammel.Inject
	case trammel.PostToolUse:
		p.Can = trammel.Block | trammel.Inject
	case trammel.SessionStart:
		p.Can = trammel.Inject
	case trammel.Stop:
		p.Can, p.Endless = trammel.Block|trammel.Continue, true
	case trammel.Other:
		p.Can = trammel.Block
	}
	return p
}

// Timeout is how long adapters wait for a policy: 30 seconds, unless their
// runtime's variable says otherwise.
func Timeout(getenv func(string) string) time.Duration {
	runtime := strings.ToUpper(strings.ReplaceAll(getenv("FLOW_AGENTS_HOOK_RUNTIME"), "-", "_"))
	short, _, _ := strings.Cut(runtime, "_") // the reference writes CLAUDE for claude-code
	for _, name := range [...]string{runtime, short} {
		if ms, err := strconv.Atoi(getenv("FLOW_AGENTS_" + name + "_HOOK_TIMEOUT_MS")); name != "" && err == nil && ms > 0 {
			return min(time.Duration(ms)*time.Millisecond, time.Hour)
		}
	}
	return 30 * time.Second
}

// EncodeVerdict: a denial is exit code 2 with its reason on stderr and nothing
// else. Everything else repeats the event, byte by byte, with guidance behind
// it; what is for the person goes to stderr (FLOW-20 to FLOW-22).
func (d Dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	dialects.Degrade(ev, v, d.Powers(ev.Kind))
	if v.Decision == trammel.Deny {
		return trammel.Reply{Exit: 2, Stderr: []byte(v.Reason + "\n")}
	}
	r := trammel.Reply{Stdout: ev.Raw}
	if len(v.Context) > 0 {
		guidance := opening + strings.Join(v.Context, "\n\n") + closing
		r.Stdout = append(ev.Raw[:len(ev.Raw):len(ev.Raw)], guidance...)
	}
	if v.Notice != "" {
		r.Stderr = []byte(v.Notice + "\n")
	}
	return r
}
