package pipeline

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/overrule"
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

// A process that judges many events does not look for a pause at each, but sees
// one that has begun as soon as other configuration.
func TestPauseIsNoticed(t *testing.T) {
	for name, remember := range map[string]time.Duration{"at once": 0, "soon": time.Millisecond} {
		p := &Program{Dirs: layers.Dirs{State: t.TempDir()}, Remember: remember}
		if p.mayBePaused() {
			t.Errorf("%s: a pause without a file", name)
		}
		file, until := overrule.PauseFile(p.Dirs.State), time.Now().Add(time.Hour)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, until, until); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * remember)
		if !p.mayBePaused() {
			t.Errorf("%s: the pause is not noticed", name)
		}
	}
}
