package full_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/native"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/test/people"
)

// hurried is a host that waits four seconds and cannot ask, if its wiring does not
// say otherwise.
type hurried struct {
	native.Dialect
	slower time.Duration // how often
}

func (h hurried) Powers(kind trammel.Kind) trammel.Powers {
	p := h.Dialect.Powers(kind)
	p.Deadline = h.slower * 4 * time.Second
	p.Can &^= trammel.CanAsk
	return p
}

const hurriedRules = `version: 1
approvals: { ask: true, terms: { mode: block } }
hooks:
  - id: payments
    on: pre_tool_use
    match: { tool: pay }
    approve: Payments need a person.
  - id: questions
    on: pre_tool_use
    match: { tool: wonder }
    ask: Sure?
  - id: slow
    on: pre_tool_use
    match: { tool: slow }
    may: guard
    run: sleep 100
`

// The wiring says how long its host waits: so long people can decide, and only
// they have that time (APR-23).
func TestTheWiringSaysHowLongPeopleHave(t *testing.T) {
	const decidesAfter = 4500 * time.Millisecond
	for name, c := range map[string]struct {
		tool    string
		wait    time.Duration
		says    string
		atLeast time.Duration
		atMost  time.Duration
	}{
		"a rule that has people decide":        {"pay", time.Minute, "", decidesAfter, 50 * time.Second},
		"a question that becomes a request":    {"wonder", time.Minute, "", decidesAfter, 50 * time.Second},
		"wired without saying so":              {"pay", 0, "make exactly the same call again", 0, 30 * time.Second},
		"a question, wired without saying so":  {"wonder", 0, "make exactly the same call again", 0, 30 * time.Second},
		"wired for less than usual":            {"pay", 3 * time.Second, "make exactly the same call again", 0, 30 * time.Second},
		"a program does not get people's time": {"slow", time.Minute, "slow", 0, 30 * time.Second},
	} {
		try := func(t *testing.T, slower time.Duration) (problem string) {
			p, project := hurriedProgram(t, slower)
			if c.atLeast > 0 {
				go decide(t, p, people.Decision{Approve: true, Before: func() { time.Sleep(slower * decidesAfter) }})
			}
			payload := fmt.Sprintf(`{"event":"pre_tool_use","session":{"id":"s","dir":%q},"tool":{"name":%q,"input":{"amount":1}}}`, project, c.tool)
			began := time.Now()
			r := p.Answer(t.Context(), pipeline.Call{Host: "native", Dir: project, Stdin: strings.NewReader(payload),
				Getenv: os.Getenv, Wait: slower * c.wait})
			took := time.Since(began)
			if denied := strings.Contains(string(r.Stdout), `"deny"`); denied != (c.says != "") || !strings.Contains(string(r.Stdout), c.says) {
				problem = fmt.Sprintf("after %v: %s%s", took, r.Stdout, r.Stderr)
			}
			if took < slower*c.atLeast || took > slower*c.atMost {
				problem += fmt.Sprintf("it took %v, expected %v to %v", took, slower*c.atLeast, slower*c.atMost)
			}
			return problem
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for slower := time.Duration(1); ; slower *= 3 { // a slow machine takes longer to ask at all
				problem := try(t, slower)
				if problem == "" {
					return
				}
				if slower > 8 {
					t.Fatal(problem)
				}
			}
		})
	}
}

// hurriedProgram has a host that is in a hurry, and rules for it.
func hurriedProgram(t *testing.T, slower time.Duration) (p *full.Program, project string) {
	dir := t.TempDir()
	dirs := trammel.Dirs{State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "cache"), User: filepath.Join(dir, "user")}
	project = filepath.Join(dir, "project")
	for _, d := range []string{dirs.State, dirs.User, project} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dirs.User, "trammel.yaml"), []byte(hurriedRules), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := people.SetUp(dirs.State); err != nil {
		t.Fatal(err)
	}
	p = full.New(dirs)
	p.Dialects = dialects.New(dialects.Entry{Dialect: hurried{slower: slower}})
	if _, err := p.ConfigFor(&trammel.Event{Session: trammel.Session{Dir: project}}); err != nil { // compiled before it is timed
		t.Fatal(err)
	}
	return p, project
}
