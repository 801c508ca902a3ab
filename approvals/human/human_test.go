package human

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/state"
)

// script is a terminal at which somebody types what is written here.
type script struct{ lines []string }

func (s *script) Ask(string, bool) (string, error) {
	if len(s.lines) == 0 {
		return "", errors.New("the terminal was closed")
	}
	line := s.lines[0]
	s.lines = s.lines[1:]
	return line, nil
}

func (*script) Close() error { return nil }

func gateWith(above ...Process) *Gate {
	return &Gate{Lineage: func() ([]Process, error) { return above, nil }, Open: func() (Terminal, error) { return &script{}, nil },
		Agent: func(p *Process) string {
			for _, name := range p.Programs() {
				if name == "claude" {
					return "Claude"
				}
			}
			if p.Runs("@openai/codex") {
				return "Codex"
			}
			return ""
		},
		Mark: func(getenv func(string) string) string {
			if getenv("CLAUDECODE") != "" {
				return "CLAUDECODE"
			}
			return ""
		}, State: state.NewMemory(), Record: func(context.Context, string) error { return nil }}
}

// Who is above a process decides whether a person can be at its terminal.
func TestPresent(t *testing.T) {
	for name, c := range map[string]struct {
		p  Process
		ok bool
	}{
		"a shell":                 {Process{Name: "bash", Exe: "/usr/bin/bash", Args: []string{"-bash"}}, true},
		"an editor of a file":     {Process{Name: "vim", Exe: "/usr/bin/vim", Args: []string{"vim", "claude"}}, true},
		"a script with an option": {Process{Name: "bash", Args: []string{"bash", "-l"}}, true},
		"the agent":               {Process{Name: "claude"}, false},
		"its file":                {Process{Name: "x", Exe: "/opt/claude"}, false},
		"its file, replaced":      {Process{Name: "x", Exe: "/opt/claude (deleted)"}, false},
		"its name":                {Process{Name: "x", Args: []string{"/usr/local/bin/claude"}}, false},
		"a script under node": {Process{Name: "node", Exe: "/usr/bin/node", Args: []string{"node", "--no-warnings", "/x/bin/claude"}},
			false},
		"a script under python":    {Process{Name: "python3.12", Args: []string{"python3.12", "/x/claude.py"}}, false},
		"a script under a shell":   {Process{Name: "sh", Args: []string{"/bin/sh", "/x/claude"}}, false},
		"a package":                {Process{Name: "node", Args: []string{"node", "/l/node_modules/@openai/codex/bin/codex.js"}}, false},
		"a program of a package":   {Process{Name: "x", Exe: "/l/node_modules/@openai/codex/vendor/x"}, false},
		"the hot program":          {Process{Name: "trammel-hook"}, false},
		"the full program, a hook": {Process{Name: "trammel", Args: []string{"trammel", "--state", "/x", "hook", "native"}}, false},
		"the full program":         {Process{Name: "trammel", Args: []string{"trammel", "watch"}}, true},
		"a marked shell":           {Process{Name: "bash", Env: []string{"A=b", "CLAUDECODE=1"}}, false},
		"an empty mark":            {Process{Name: "bash", Env: []string{"A=b", "CLAUDECODE=", "CLAUDECODES=1", "XCLAUDECODE=1"}}, true},
	} {
		_, err := gateWith(Process{Name: "sh"}, c.p, Process{Name: "init"}).Present()
		var refused *Refused
		if c.ok != (err == nil) || err != nil && !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	g := gateWith()
	g.Lineage = func() ([]Process, error) { return nil, errors.New("no /proc") }
	if _, err := g.Present(); err == nil {
		t.Error("who started the process is unknown")
	}
	g = gateWith()
	g.Open = func() (Terminal, error) { return nil, errors.New("no such device") }
	if _, err := g.Present(); err == nil {
		t.Error("there is no terminal")
	}
}

// This very process has a lineage that ends at the first one.
func TestLineage(t *testing.T) {
	list, err := Lineage()
	if err != nil || len(list) < 2 || list[0].ID != os.Getpid() || list[1].ID != os.Getppid() || len(list[0].Args) == 0 || list[0].Name == "" {
		t.Errorf("%v %v", list, err)
	}
}

// At most five wrong secrets in a row, then a delay that doubles up to an hour;
// the right one ends it. Each wrong one is on record.
func TestTries(t *testing.T) {
	sealed, err := approvals.Seal("right secret")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1_700_000_000, 0)
	recorded := 0
	g := gateWith()
	g.Now = func() time.Time { return now }
	g.Record = func(context.Context, string) error { recorded++; return nil }
	try := func(lines ...string) error {
		_, err := g.Unlock(t.Context(), &script{lines}, sealed)
		return err
	}
	delayed := func(err error) bool { return err != nil && strings.Contains(err.Error(), "Try again after") }
	if err := try("a", "", "b", "", "c", "", "d", "", "e", "", "right secret"); !delayed(err) || recorded != 5 {
		t.Errorf("after five: %v, %d on record", err, recorded)
	}
	for _, wait := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute} {
		now = now.Add(wait - time.Second)
		if err := try("right secret"); !delayed(err) {
			t.Errorf("a second before %v: %v", wait, err)
		}
		now = now.Add(time.Second)
		if err := try("wrong", ""); !delayed(err) {
			t.Errorf("after %v: %v", wait, err)
		}
	}
	if d := (&tries{Wrong: 1000}).delay(); d != time.Hour {
		t.Error(d)
	}
	now = now.Add(4 * time.Minute)
	if err := try("right secret"); err != nil {
		t.Error(err)
	}
	if err := try("wrong", "", "right secret"); err != nil {
		t.Errorf("the count begins again: %v", err)
	}
	if err := try(""); err == nil {
		t.Error("no secret")
	}
	if _, err := g.Unlock(t.Context(), &script{}, nil); err == nil || !strings.Contains(err.Error(), "trammel approvals unlock") {
		t.Error(err)
	}
}

// If the clock is set back, the delay begins again: it neither ends nor lasts
// until the clock has caught up.
func TestTriesWhenTheClockIsSetBack(t *testing.T) {
	sealed, err := approvals.Seal("right secret")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1_700_000_000, 0)
	g := gateWith()
	g.Now = func() time.Time { return now }
	g.Record = func(context.Context, string) error { return nil }
	try := func(lines ...string) error {
		_, err := g.Unlock(t.Context(), &script{lines}, sealed)
		return err
	}
	if err := try("a", "", "b", "", "c", "", "d", "", "e", ""); err == nil {
		t.Fatal("five wrong secrets pass")
	}
	now = now.Add(-24 * time.Hour)
	for _, wait := range []time.Duration{0, 29 * time.Second} {
		now = now.Add(wait)
		if err := try("right secret"); err == nil {
			t.Errorf("it is open %v after the clock was set back", wait)
		}
	}
	now = now.Add(time.Second)
	if err := try("right secret"); err != nil {
		t.Error(err)
	}
}

// A new secret is typed twice, and is not short.
func TestChoose(t *testing.T) {
	for _, bad := range [][]string{{"short", "short"}, {"long enough", "long enougH"}, {"", ""},
		{"1234567", "1234567"}, {"äöüäöüä", "äöüäöüä"}} {
		if _, err := Choose(&script{bad}); err == nil {
			t.Errorf("%q", bad)
		}
	}
	for _, good := range []string{"long enough", "12345678", "äöüäöüäö"} {
		if got, err := Choose(&script{[]string{good, good}}); err != nil || got != good {
			t.Error(got, err)
		}
	}
}
