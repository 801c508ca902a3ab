//go:build unix

package planner_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/agent"
	"github.com/trammel-dev/trammel/agent/planner"
	"github.com/trammel-dev/trammel/agent/sample"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/test/people"
)

// world is the sample repository, committed and trusted.
type world struct {
	*testing.T
	root string
	dirs layers.Dirs
}

func newWorld(t *testing.T) *world {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	w, dir := &world{T: t, root: t.TempDir()}, t.TempDir()
	w.dirs = layers.Dirs{Machine: filepath.Join(dir, "m"), User: filepath.Join(dir, "u"), State: filepath.Join(dir, "s"),
		Cache: filepath.Join(dir, "c")}
	if _, err := sample.Write(w.root); err != nil {
		t.Fatal(err)
	}
	if _, err := sample.Write(w.root); err == nil {
		t.Fatal("the sample was overwritten")
	}
	line := "git init -q && git add . && git -c user.name=t -c user.email=t@t commit -qm sample"
	cmd := exec.Command("sh", "-c", line)
	if cmd.Dir = w.root; cmd.Run() != nil {
		t.Fatal(line)
	}
	return w.trust()
}

func (w *world) trust() *world {
	w.Helper()
	p := full.New(w.dirs)
	s, err := config.Review(w.dirs, w.root, full.Registry{Registry: p.Registry, Dialects: p.Dialects})
	if err == nil {
		err = s.Accept(time.Now())
	}
	if err != nil {
		w.Fatal(err)
	}
	return w
}

// planner plans with a model, and returns it with what it has told.
func (w *world) planner(m planner.Model) *planner.Planner {
	return &planner.Planner{Runtime: &agent.Runtime{Root: w.root, Hooks: repohooks.Open(w.dirs, w.root)}, Model: m}
}

// recorder is a scripted model that keeps what it was told.
type recorder struct {
	*planner.Scripted
	seen []planner.Message
}

func (r *recorder) Next(ctx context.Context, messages []planner.Message, tools []planner.Tool) (planner.Reply, error) {
	r.seen = slices.Clone(messages)
	return r.Scripted.Next(ctx, messages, tools)
}

func (r *recorder) told() string {
	var b strings.Builder
	for _, m := range r.seen {
		b.WriteString(m.Text + "\n")
		for _, result := range m.Results {
			b.WriteString(result.Text + "\n")
		}
	}
	return b.String()
}

func (w *world) play(script, prompt string) (*planner.Outcome, *recorder) {
	w.Helper()
	s, err := planner.NewScripted([]byte(script))
	if err != nil {
		w.Fatal(err)
	}
	r := &recorder{Scripted: s}
	out, err := w.planner(r).Run(w.Context(), prompt)
	if err != nil {
		w.Fatal(err)
	}
	return out, r
}

func write(path string) string {
	return `{"calls":[{"name":"create_task","input":{"ability":"note.write","input":{"path":"` + path + `","text":"x"}}}]}` + "\n" +
		`{"calls":[{"name":"run_task","input":{"task_key":"$TASK"}}]}` + "\n" + `{"text":"done"}`
}

// AIC-50, AIC-11, AIC-24: the sample works at once. Signals of PromptSubmit
// reach the planner, a denied CREATE_TASK leaves no task, and SessionStop runs
// the build check because a service has changed.
func TestSampleWorksAtOnce(t *testing.T) {
	w := newWorld(t)
	script, err := os.ReadFile(filepath.Join(w.root, "scripted.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	out, r := w.play(string(script), "Write a note.")
	for _, want := range []string{`"kind":"routing_hint"`, "The prompt is about a note.", `"status":"success"`, `"status":"unavailable"`,
		"Ask a human to do it."} {
		if !strings.Contains(r.told(), want) {
			t.Errorf("the model was not told %s:\n%s", want, r.told())
		}
	}
	tasks, _ := filepath.Glob(filepath.Join(w.root, ".system/implement/task-*"))
	_, checked := os.Stat(filepath.Join(w.root, ".system/logs/build_check.json"))
	if len(tasks) != 1 || checked != nil || out.Rounds != 4 || !slices.Equal(out.Session.ChangedFiles, []string{"services/NOTE.md"}) {
		t.Errorf("%v %v %+v %+v", tasks, checked, out, out.Session)
	}
}

// AIC-24: no build check where nothing that matters to it has changed.
func TestNoBuildCheckElsewhere(t *testing.T) {
	w := newWorld(t)
	out, _ := w.play(write("docs/a.md"), "Hi")
	if _, err := os.Stat(filepath.Join(w.root, ".system/logs/build_check.json")); err == nil || len(out.Session.ChangedFiles) != 1 {
		t.Errorf("%v %+v", err, out.Session)
	}
}

// AIC-12: a RUN_TASK that needs a human does not run without one; with an
// approvals service it waits, and runs once another process has approved it.
func TestRunThatNeedsAHuman(t *testing.T) {
	if state := os.Getenv("DECIDE_IN"); state != "" { // the other process
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		if _, err := people.Decide(ctx, state, approvals.Settings{}, people.Decision{Approve: os.Getenv("SAY") == "yes"}); err != nil {
			t.Fatal(err)
		}
		return
	}
	for say, status := range map[string]string{"": "requires_human", "yes": "success", "no": "denied"} {
		t.Run("a person says "+say, func(t *testing.T) {
			w := newWorld(t)
			var other *exec.Cmd
			if say != "" {
				if err := os.MkdirAll(w.dirs.User, 0o700); err != nil {
					t.Fatal(err)
				}
				settings := []byte("version: 1\napprovals: {ask: true, terms: {mode: block}}\n")
				if err := os.WriteFile(filepath.Join(w.dirs.User, "trammel.yaml"), settings, 0o600); err != nil {
					t.Fatal(err)
				}
				if _, err := people.SetUp(w.dirs.State); err != nil {
					t.Fatal(err)
				}
				other = exec.Command(os.Args[0], "-test.run=^TestRunThatNeedsAHuman$")
				other.Env = append(os.Environ(), "DECIDE_IN="+w.dirs.State, "SAY="+say)
				if err := other.Start(); err != nil {
					t.Fatal(err)
				}
			}
			_, r := w.play(write("config/prod/a"), "Hi")
			if other != nil {
				if err := other.Wait(); err != nil {
					t.Fatal(err)
				}
			}
			_, err := os.Stat(filepath.Join(w.root, "config/prod/a"))
			if !strings.Contains(r.told(), `"status":"`+status+`"`) || (err == nil) != (status == "success") {
				t.Errorf("%v\n%s", err, r.told())
			}
		})
	}
}

// costly is a model whose replies have a price.
type costly struct {
	planner.Model
	tokens int64
}

func (c costly) Next(ctx context.Context, messages []planner.Message, tools []planner.Tool) (planner.Reply, error) {
	r, err := c.Model.Next(ctx, messages, tools)
	r.Tokens = c.tokens
	return r, err
}

// A run ends with its tokens: what the model wants beyond them is not done, and
// a last word is heard.
func TestTokensAreBounded(t *testing.T) {
	const call = `{"calls":[{"name":"list_abilities","input":{}}]}` + "\n"
	for _, c := range []struct {
		name, script string
		bound        int64
		rounds, acts int
		ends         bool
	}{
		{"used up", call + call + call, 100, 2, 1, true},
		{"exactly", call + call + call, 120, 2, 1, true},
		{"the last word is beyond", call + `{"text":"done"}`, 100, 2, 1, false},
		{"enough", call + `{"text":"done"}`, 121, 2, 1, false},
		{"the default", call + call + `{"text":"done"}`, 0, 3, 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := planner.NewScripted([]byte(c.script))
			if err != nil {
				t.Fatal(err)
			}
			acts := 0
			p := newWorld(t).planner(costly{s, 60})
			p.Tokens, p.Progress = c.bound, func(text string) {
				if strings.HasPrefix(text, "list_abilities") {
					acts++
				}
			}
			out, err := p.Run(t.Context(), "Hi")
			if errors.Is(err, planner.ErrBounds) != c.ends || out.Rounds != c.rounds || acts != c.acts || out.Tokens != int64(60*c.rounds) ||
				out.Session == nil {
				t.Errorf("%+v, %d acts, %v", out, acts, err)
			}
		})
	}
}

// A model that does not come to an end is ended; the session is still stopped.
func TestBounds(t *testing.T) {
	w := newWorld(t)
	again := strings.Repeat(`{"calls":[{"name":"list_abilities","input":{}},{"name":"no_such","input":{}}]}`+"\n", 9)
	s, err := planner.NewScripted([]byte(again))
	if err != nil {
		t.Fatal(err)
	}
	p := w.planner(s)
	p.Rounds = 3
	if out, err := p.Run(t.Context(), "Hi"); !errors.Is(err, planner.ErrBounds) || out.Rounds != 3 || out.Session == nil {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := planner.NewScripted([]byte(`{"call":[]}`)); err == nil {
		t.Error("an unknown field was taken")
	}
}
