package cacheresponse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	for _, name := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, "")
	}
	return filepath.Join(dir, ".local", "state", "trammel")
}

func made(t *testing.T, options string) trammel.Handler {
	t.Helper()
	h, err := Policy().New(policysuite.Spec(options))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// step is one event: a prompt, or an end with an answer.
type step struct {
	session, project, agent string
	prompt                  string // a prompt event
	synthetic               bool
	answer                  string // an end
	last                    string // the end says which prompt it is to
	want                    string // what the context holds; "" is none
	rehearsal               bool
}

func (s step) event() *trammel.Event {
	ev := &trammel.Event{Kind: trammel.UserPromptSubmit, Rehearsal: s.rehearsal, Session: trammel.Session{ID: s.session, Project: "/p" +
		s.project, Agent: s.agent}}
	if s.prompt != "" {
		ev.Prompt = &trammel.Prompt{Text: s.prompt, Synthetic: s.synthetic}
		return ev
	}
	ev.Kind = trammel.Stop
	ev.Stop = &trammel.StopInfo{Message: s.answer}
	if s.last != "" {
		ev.Stop, ev.Model = nil, &trammel.ModelCall{Response: s.answer, LastPrompt: s.last}
	}
	return ev
}

const question = "How do I run the tests of this project?"

func TestCases(t *testing.T) {
	for name, c := range map[string]struct {
		options string
		steps   []step
	}{
		"DA-50 told when it is asked again": {`{}`, []step{
			{session: "a", prompt: question}, {session: "a", answer: "With make test."},
			{session: "b", prompt: "  how do I run the\ntests of this project? ", want: "With make test."}}},
		"DA-50 keyed by the last user message where the host says it": {`{}`, []step{
			{session: "a", answer: "With make test.", last: question}, {session: "b", prompt: question, want: "With make test."}}},
		"exactly the same only": {`{"fold":false}`, []step{
			{session: "a", prompt: question}, {session: "a", answer: "x"}, {session: "b", prompt: strings.ToLower(question)},
			{session: "b", prompt: question, want: "x"}}},
		"another project": {`{}`, []step{{session: "a", prompt: question}, {session: "a", answer: "x"},
			{session: "b", project: "q", prompt: question}}},
		"another agent": {`{}`, []step{{session: "a", prompt: question}, {session: "a", answer: "x"},
			{session: "b", agent: "other", prompt: question}}},
		"a short prompt": {`{}`, []step{{session: "a", prompt: "yes"}, {session: "a", answer: "x"}, {session: "b", prompt: "yes"}}},
		"a short one after a long": {`{}`, []step{{session: "a", prompt: question}, {session: "a", prompt: "yes"}, {session: "a", answer: "x"},
			{session: "b", prompt: question}}},
		"sessions side by side": {`{}`, []step{
			{session: "a", prompt: question}, {session: "b", prompt: question + " And the linter?"}, {session: "a", answer: "x"},
			{session: "c", prompt: question, want: "x"}}},
		"what no person wrote": {`{}`, []step{{session: "a", prompt: question}, {session: "a", answer: "x"},
			{session: "b", prompt: question, synthetic: true}}},
		"no answer": {`{}`, []step{{session: "a", prompt: question}, {session: "a", answer: ""}, {session: "b", prompt: question}}},
		"too long": {`{"max":3}`, []step{{session: "a", prompt: question}, {session: "a", answer: "long"},
			{session: "b", prompt: question}}},
		"the newest counts": {`{}`, []step{{session: "a", prompt: question}, {session: "a", answer: "old"}, {session: "a", answer: "new"},
			{session: "b", prompt: question, want: "new"}}},
		"a rehearsal keeps neither prompts nor answers": {`{}`, []step{
			{session: "a", prompt: question, rehearsal: true}, {session: "a", answer: "x"}, {session: "b", prompt: question},
			{session: "b", answer: "x", rehearsal: true}, {session: "c", prompt: question}, {session: "c", answer: "y"},
			{session: "d", prompt: question, rehearsal: true, want: "y"}}},
		"no session, no prompt": {`{}`, []step{{prompt: question}, {answer: "x"}, {prompt: question}}},
	} {
		t.Run(name, func(t *testing.T) {
			home(t)
			h := made(t, c.options)
			for i, s := range c.steps {
				a, err := h.Handle(t.Context(), s.event())
				if err != nil {
					t.Fatal(err)
				}
				got := strings.Join(a.Context, "")
				if (got == "") != (s.want == "") || !strings.Contains(got, s.want) {
					t.Errorf("step %d: %q, want %q", i+1, got, s.want)
				}
				if s.want != "" && a.Facts["cached_response"] != s.want {
					t.Errorf("step %d: %v", i+1, a.Facts)
				}
			}
		})
	}
}

// What is kept holds no secret and no prompt, is for this user only, and goes.
func TestWhatIsKept(t *testing.T) {
	dir := home(t)
	h := made(t, `{"for":"1h"}`)
	for _, s := range []step{{session: "a", prompt: question}, {session: "a", answer: "export API_TOKEN=Zx81kQp0vMn3LrT7yUwB2cD5"}} {
		if _, err := h.Handle(t.Context(), s.event()); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "lock" {
			return err
		}
		n++
		info, _ := d.Info()
		data, _ := os.ReadFile(path)
		if info.Mode().Perm() != 0o600 || strings.Contains(string(data), "Zx81k") || strings.Contains(string(data), "tests") {
			t.Errorf("%s: %v %q", path, info.Mode(), data)
		}
		return nil
	})
	if n != 2 {
		t.Errorf("%d files", n)
	}
	time.Sleep(2 * time.Millisecond)
	h = made(t, `{"for":"1ms"}`)
	if a, _ := h.Handle(t.Context(), step{session: "b", prompt: question}.event()); len(a.Context) > 0 {
		t.Errorf("told after its time: %q", a.Context)
	}
}

func TestRefusesOptions(t *testing.T) {
	for _, options := range []string{`{"for":"0s"}`, `{"for":"9999h"}`, `{"max":0}`, `{"ttl":"1h"}`} {
		if _, err := Policy().New(policysuite.Spec(options)); err == nil {
			t.Errorf("takes %s", options)
		}
	}
}
