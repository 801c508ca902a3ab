package pipeline

import (
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/plan"
)

// TEAM-28: the machine's hooks and self-protection stay in force, all others
// are on trial; the hooks of the plan are left as they are.
func TestWhatAPauseLifts(t *testing.T) {
	hook := func(layer, kind, config string) plan.Hook {
		return plan.Hook{Kind: kind, Config: []byte(config), Source: trammel.Source{Layer: layer}}
	}
	hooks := []plan.Hook{hook("machine", "rule", "{}"), hook("user", "builtin", `{"use":"self-protection"}`), hook("user", "rule", "{}"),
		hook("project", "builtin", `{"use":"shell-guard"}`), hook("flow-agents", "builtin", `{"use":"quality-gate"}`)}
	got := (&Pausing{}).quiet(hooks)
	for i, want := range []bool{false, false, true, true, true} {
		if got[i].Trial != want || hooks[i].Trial {
			t.Errorf("%+v: on trial %v", hooks[i], got[i].Trial)
		}
	}
	var none *Pausing
	if got := none.quiet(hooks); got[2].Trial {
		t.Error("without a pause")
	}
	v := &trammel.Verdict{}
	none.tell(v, trammel.SessionStart)
	if v.Notice != "" || len(v.Findings) > 0 {
		t.Errorf("without a pause: %+v", v)
	}
	(&Pausing{Until: time.Now(), Who: "local: x"}).tell(v, trammel.PreToolUse)
	if v.Notice != "" || len(v.Findings) != 1 {
		t.Errorf("before a call: %+v", v)
	}
}
