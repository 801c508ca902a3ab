package flowagents

import (
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/encode"
)

// Powers is what adapters of the contract do with an answer. How long they wait
// is theirs to say (FLOW-63).
func (d dialect) Powers(kind trammel.Kind) trammel.Powers {
	p := d.Host.Powers(kind)
	p.Deadline = Timeout(os.Getenv)
	return p
}

// LimitPowers takes nothing away: names are any host's.
func (dialect) LimitPowers(_ *trammel.Event, _ *trammel.Verdict, p trammel.Powers) trammel.Powers {
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
func (d dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	dialects.DegradeForHost(d, ev, v)
	if v.Decision == trammel.Deny {
		return encode.Exit(v.Reason)
	}
	r := trammel.Reply{Stdout: ev.Raw}
	if len(v.Context) > 0 {
		guidance := opening + encode.Joined(v) + closing
		r.Stdout = append(ev.Raw[:len(ev.Raw):len(ev.Raw)], guidance...)
	}
	return encode.Notice(r, v)
}
