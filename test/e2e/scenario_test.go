//go:build e2e && unix

package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/test/e2e/model"
)

// noAnswer is in what the wiring says when the program it starts does not answer.
const noAnswer = "did not answer"

// marker is the file, in the project, that a call leaves behind if it runs.
const marker = "RAN"

// scenario is one run of an agent.
type scenario struct {
	name   string
	needs  power    // what the host must be able to do
	once   bool     // it does not depend on the host: the first one will do
	config string   // the user's trammel.yaml
	events []string // what is wired, if not only pre_tool_use
	// alone is true where nothing but the call itself may be hooked, because
	// the other events would not get that far. Then it is not trammel init
	// that wires, as that wires them all.
	alone  bool
	prompt string // if not "go ahead"
	// program is what is wired, if not the trammel-hook under test.
	program func(t *testing.T, b *box, h host) string
	// wire wires the host, if trammel init is not enough.
	wire func(t *testing.T, b *box, h host)
	// code is the exit code that is expected of the host, if not 0.
	code func(profile) int
	// arrange prepares the box, at last.
	arrange func(t *testing.T, b *box)
	// stops reports whether this host does not let it come to a call, because
	// the prompt is stopped already.
	stops func(profile) bool
	// script is what the model says, if it does not just attempt the marker.
	script func(h host, b *box) model.Script
	check  func(t *testing.T, r *result)
}

// result is what there is to see after a run.
type result struct {
	ended
	*box
	profile
	model   *model.Server
	events  []string
	stopped bool   // at the prompt
	from    string // whose records count; "" for all
}

// attempt is a model that makes one call, and then ends.
func attempt(c model.Call) model.Script {
	return model.Script{Turns: []model.Turn{model.Use(c), model.Say("FINAL")}}
}

func attemptMarker(h host, _ *box) model.Script { return attempt(h.shell("touch " + marker)) }

// play runs the scenarios under every host, two at a time.
func play(t *testing.T, scenarios []scenario) {
	t.Parallel()
	eachHost(t, func(t *testing.T, h host) {
		for _, s := range scenarios {
			if s.once && h != hosts[0] || s.needs&^profiles[h.name()].can != 0 {
				continue
			}
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				gap := profiles[h.name()].gaps[scenarioOf(t, h)]
				note(t, h, gap)
				if _, spoken := standard.Dialects().Host(h.name()); !spoken && s.program == nil {
					skip(t, "trammel-hook does not speak "+h.name()+" yet")
				}
				if gap != "" {
					t.Logf("known gap: %s", gap)
					s.check = func(t *testing.T, r *result) { r.ran(t, marker) }
				}
				s.play(t, h)
			})
		}
	})
}

func (s *scenario) play(t *testing.T, h host) { s.playIn(t, h, newBox(t)) }

// playIn is play in a box that is there already.
func (s *scenario) playIn(t *testing.T, h host, b *box) {
	t.Helper()
	b.host = h.name()
	if s.config != "" {
		b.put(t, b.config(), s.config)
	}
	script := attemptMarker
	if s.script != nil {
		script = s.script
	}
	m := model.Start(script(h, b))
	defer m.Close()
	h.settle(t, b, m)
	program := ready.Hook
	if s.program != nil {
		program = s.program(t, b, h)
	}
	events := s.events
	if events == nil {
		events = []string{"pre_tool_use"}
	}
	switch {
	case s.alone:
		h.hook(t, b, program, events)
	case s.wire != nil:
		s.wire(t, b, h)
	default:
		wire(t, b, h, program, events)
	}
	if s.arrange != nil {
		s.arrange(t, b)
	}
	prompt := s.prompt
	if prompt == "" {
		prompt = "go ahead"
	}
	p := profiles[h.name()]
	stopped := s.stops != nil && s.stops(p)
	r := &result{b.run(t, h.command(b, m, prompt)), b, p, m, events, stopped, ""}

	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s ended with %d after %v\nstdout: %s\nstderr: %s\nthe model was told: %+v\nevidence: %s", h.name(), r.code, r.took, r.stdout,
				r.stderr, m.Results(0), b.logs())
		}
	})
	if r.late {
		t.Fatalf("not done after %v", timeLimit)
	}
	code := 0
	switch {
	case s.code != nil:
		code = s.code(p)
	case stopped:
		code = p.stopped
	}
	if r.code != code {
		t.Errorf("exit code %d, expected %d", r.code, code)
	}
	for _, v := range m.Violations() {
		t.Errorf("protocol: %s", v)
	}
	if left := m.Unplayed(); len(left) > 0 && !stopped {
		t.Errorf("not asked for: %q", left)
	}
	s.check(t, r)
}

// ran checks which files the calls have left in the project: just these.
func (r *result) ran(t *testing.T, want ...string) {
	t.Helper()
	left := map[string]bool{}
	entries, err := os.ReadDir(r.project)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		left[e.Name()] = true
	}
	for _, name := range want {
		if !left[name] {
			t.Errorf("%s is not there, so the call did not run", name)
		}
		delete(left, name)
	}
	for name := range left {
		t.Errorf("%s is there, so the call ran", name)
	}
}

// told checks what the model was told about its only call.
func (r *result) told(t *testing.T, isError bool, texts ...string) {
	t.Helper()
	results := r.model.Results(0)
	if len(results) != 1 {
		t.Errorf("the model was told %d results, expected one: %+v", len(results), results)
		return
	}
	checkTold(t, results[0], isError, texts...)
}

func checkTold(t *testing.T, got model.Result, isError bool, texts ...string) {
	t.Helper()
	if got.IsError != isError && !got.Unmarked {
		t.Errorf("the model was told a result with is_error %v, expected %v: %q", got.IsError, isError, got.Text)
	}
	for _, text := range texts {
		if !strings.Contains(got.Text, text) {
			t.Errorf("the model was told %q, expected %q in it", got.Text, text)
		}
	}
}

// request is the n-th request to the model.
func (r *result) request(t *testing.T, n int) *model.Request {
	t.Helper()
	all := r.model.Requests()
	if n >= len(all) {
		t.Fatalf("the model was called %d times, expected more than %d", len(all), n)
	}
	return &all[n]
}
