//go:build unix

package standard_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// What every host is made to say, and what every hook program answers.
const (
	command   = "rm -rf build"
	file      = "/srv/app/secrets.txt"
	prompt    = "deploy the site"
	reason    = "The build directory is not yours to delete."
	secret    = "Secrets are written by hand."
	corrected = "rm -rf build/tmp"
	note      = "Deployments are frozen until Monday."
)

// cannot lists what a style has no words for.
var cannot = map[string]bool{"flow-agents rewrite": true, "repohooks rewrite": true}

// TestMatrix: a hook program that was written for any system denies, corrects
// and guides under every host (issue 3, point 6; FLOW-60, DA-03). The programs
// are in testdata/hooks. Each ends with exit code 9 if it is not spoken to in
// its own system's words, and then neither of these comes of it.
func TestMatrix(t *testing.T) {
	said := events(t)
	for _, style := range standard.Dialects().Hooks() {
		for _, e := range said {
			for _, program := range e.programs {
				t.Run(style+"/"+e.host+"/"+e.name+"/"+program, func(t *testing.T) {
					c := newCell(t, style, program, e)
					switch program {
					case "deny":
						c.denies(reason)
					case "deny-write":
						c.denies(secret)
					case "rewrite":
						c.rewrites()
					case "context":
						c.guides()
					}
				})
			}
		}
	}
}

// cell is one program under one event of one host, with all between them.
type cell struct {
	*testing.T
	*full.Program
	style   string
	said    spoken
	project string
	raw     string
	form    form
}

func newCell(t *testing.T, style, program string, e spoken) *cell {
	script, err := filepath.Abs(filepath.Join("testdata", "hooks", style, program+".sh"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	dirs := layers.Dirs{Machine: filepath.Join(dir, "m"), User: filepath.Join(dir, "u"), State: filepath.Join(dir, "s"),
		Cache: filepath.Join(dir, "c")}
	project := filepath.Join(dir, "p")
	config := fmt.Sprintf("version: 1\nhooks:\n  - {id: foreign, on: %s, dialect: %s, exec: [%q]}\n", e.kind, style, script)
	for _, d := range []string{dirs.User, project} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dirs.User, "trammel.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	form, ok := forms[e.host+" "+e.name]
	if !ok {
		t.Fatalf("it is not said what %s takes on %s", e.host, e.name)
	}
	return &cell{T: t, Program: full.New(dirs), style: style, said: e, project: project, raw: e.in(project), form: form}
}

// answer sends the event the whole way and returns what comes back, with the
// record that was left.
func (c *cell) answer() (reply, map[string]any) {
	c.Helper()
	r := c.Answer(c.Context(), pipeline.Call{Host: c.said.host, Event: c.said.name, Stdin: strings.NewReader(c.raw), Dir: c.project,
		Getenv: func(string) string { return "" }})
	dir, err := pipeline.EvidenceDir(c.Dirs, layers.Root(c.Dirs, c.project))
	if err != nil {
		c.Fatal(err)
	}
	var records []map[string]any
	err = evidence.Scan(dir, func(e evidence.Entry) error {
		r, err := e.Record()
		records = append(records, r)
		return err
	})
	if err != nil || len(records) != 1 {
		c.Fatalf("%d records, %v", len(records), err)
	}
	if code := at(records[0], "hooks.0.code"); code != nil {
		c.Errorf("the program failed: %v", at(records[0], "hooks.0"))
	}
	return reply{r}, records[0]
}

func (c *cell) denies(why string) {
	r, record := c.answer()
	if !r.denies(c.form, why) {
		c.Errorf("not a denial with its reason: %v", r)
	}
	if got := at(record, "verdict.decision"); got != "deny" || record["degraded"] != nil {
		c.Errorf("recorded as %v, degraded %v", got, record["degraded"])
	}
}

func (c *cell) rewrites() {
	want := corrected
	if cannot[c.style+" rewrite"] {
		want = command
	}
	if got := c.finalCommand(); got != want {
		c.Errorf("the verdict's command is %q, expected %q", got, want)
	}
	r, record := c.answer()
	switch {
	case cannot[c.style+" rewrite"]:
		if r.Exit != 0 || bytes.Contains(r.Stdout, []byte(corrected)) || at(record, "verdict.decision") != "none" || record["degraded"] != nil {
			c.Errorf("a style without words for it rewrote something: %v, %v", r, record["degraded"])
		}
	case c.form.rewrite != "":
		if got := r.at(c.form.rewrite); got != corrected {
			c.Errorf("%s is %v, expected the corrected command: %v", c.form.rewrite, got, r)
		}
		if r.denies(c.form, "") || record["degraded"] != nil {
			c.Errorf("a host that can rewrite was answered %v, degraded %v", r, record["degraded"])
		}
	default:
		if !r.denies(c.form, strconv.Quote(corrected)) {
			c.Errorf("not a denial with the corrected call: %v", r)
		}
		if at(record, "degraded.0.wanted") != "rewrite input" || at(record, "degraded.0.became") != "deny" {
			c.Errorf("degraded %v", record["degraded"])
		}
	}
}

// finalCommand is the command that the hooks leave, before the host's part.
func (c *cell) finalCommand() string {
	dialect, _ := c.Dialects.Host(c.said.host)
	ev, err := dialect.DecodeEvent([]byte(c.raw), c.said.name)
	if err != nil {
		c.Fatal(err)
	}
	judged, err := c.Rehearse(c.Context(), ev, []string{c.project})
	if err != nil {
		c.Fatal(err)
	}
	return judged.Verdict.Event.Tool.Action.Command
}

func (c *cell) guides() {
	r, record := c.answer()
	if c.form.context != "" {
		if text := fmt.Sprint(r.at(c.form.context)); r.Exit != 0 || !strings.Contains(text, note) || record["degraded"] != nil {
			c.Errorf("the model is not told: %v, degraded %v", r, record["degraded"])
		}
		return
	}
	if r.Exit != 0 || bytes.Contains(r.Stdout, []byte(note)) {
		c.Errorf("a host that takes no context got %v", r)
	}
	if at(record, "degraded.0.wanted") != "context" || at(record, "degraded.0.became") != "deferred" {
		c.Errorf("degraded %v, hooks %v", record["degraded"], record["hooks"])
	}
	if !c.kept() {
		c.Error("the note is not kept for the next event")
	}
}

// kept reports whether the note waits for another event.
func (c *cell) kept() bool {
	found := false
	err := filepath.WalkDir(filepath.Join(c.Dirs.State, "pending"), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			text, _ := os.ReadFile(path)
			found = found || bytes.Contains(text, []byte(note))
		}
		return err
	})
	if err != nil {
		c.Fatal(err)
	}
	return found
}

// reply is what the host gets.
type reply struct{ trammel.Reply }

func (r reply) String() string {
	return fmt.Sprintf("exit %d, stdout %q, stderr %q", r.Exit, r.Stdout, r.Stderr)
}

// at is the value at a path of stdout, or stdout itself where it is plain text.
func (r reply) at(path string) any {
	if path == plain {
		return string(r.Stdout)
	}
	var object map[string]any
	if err := json.Unmarshal(r.Stdout, &object); err != nil {
		return nil
	}
	return at(object, path)
}

// denies reports whether the reply is this host's block with a text in its reason.
func (r reply) denies(f form, text string) bool {
	if r.Exit != f.exit {
		return false
	}
	if f.deny == "" {
		return len(r.Stdout) == 0 && len(r.Stderr) > 0 && strings.Contains(string(r.Stderr), text)
	}
	path, word, _ := strings.Cut(f.deny, "=")
	why, _ := r.at(f.reason).(string)
	return fmt.Sprint(r.at(path)) == word && why != "" && strings.Contains(why, text)
}

// at follows a path of keys and numbers.
func at(v any, path string) any {
	for _, step := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}
