package usagetracker

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

// TestMain lets the test binary be its own subprocess, which makes 20 calls.
func TestMain(m *testing.M) {
	dir := os.Getenv("USAGE_TEST_DIR")
	if dir == "" {
		os.Exit(m.Run())
	}
	for i := range 20 {
		if err := use(dir, "", call{name: fmt.Sprint("tool", i%2)}); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

func use(dir, options string, c call) error {
	h, err := Policy().New(policysuite.Spec(options))
	if err != nil {
		return err
	}
	_, err = h.Handle(context.Background(), &trammel.Event{Kind: trammel.PostToolUse, Time: c.at, Session: trammel.Session{Project: dir,
		ID: "s"},
		Tool: &trammel.ToolCall{Name: c.name, Failed: c.failed, Duration: c.took, Action: trammel.Action{Command: "make"}}})
	return err
}

func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

// AIC-65: ability_usage.json and the slow log, at the places of the recipe.
func TestAIC65Recipe(t *testing.T) {
	dir := t.TempDir()
	const options = `{"path":".system/cache/ability_usage.json","slow_log":".system/logs/slow_abilities.log","slow":"2s"}`
	at := time.Date(2026, 11, 15, 5, 0, 0, 0, time.UTC)
	for _, c := range []call{
		{name: "edit_file", at: at, took: 100 * time.Millisecond},
		{name: "edit_file", at: at.Add(time.Minute), took: 3 * time.Second, failed: true},
		{name: "edit_file", at: at.Add(2 * time.Minute)},
		{name: "other", at: at},
	} {
		if err := use(dir, options, c); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, ".system/cache/ability_usage.json"))
	const want = `{"version":1,"updated_at":"2026-11-15T05:02:00.000Z","abilities":{` +
		`"edit_file":{"calls":3,"failures":1,"slow":1,"first_used":"2026-11-15T05:00:00.000Z","last_used":"2026-11-15T05:02:00.000Z",` +
		`"duration_ms":{"calls":2,"last":3000,"max":3000,"total":3100}},` +
		`"other":{"calls":1,"first_used":"2026-11-15T05:00:00.000Z","last_used":"2026-11-15T05:00:00.000Z"}}}` + "\n"
	if err != nil || string(data) != want {
		t.Errorf("%v\n%s\n%s", err, data, want)
	}
	slow, err := os.ReadFile(filepath.Join(dir, ".system/logs/slow_abilities.log"))
	if err != nil || string(
		slow) != `{"time":"2026-11-15T05:01:00.000Z","ability":"edit_file","duration_ms":3000,"session":"s","target":"make","failed":true}`+"\n" {
		t.Errorf("%v %s", err, slow)
	}
}

func TestManyProcessesLoseNothing(t *testing.T) {
	state, dir := t.TempDir(), t.TempDir()
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "USAGE_TEST_DIR="+dir, "XDG_STATE_HOME="+state)
			if out, err := cmd.Output(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	group.Wait()
	files, _ := filepath.Glob(state + "/trammel/usage/*/ability_usage.json")
	if len(files) != 1 {
		t.Fatal(files)
	}
	data, _ := os.ReadFile(files[0])
	var got struct {
		Abilities map[string]struct{ Calls int }
	}
	if err := json.Unmarshal(data, &got); err != nil || got.Abilities["tool0"].Calls != 160 || got.Abilities["tool1"].Calls != 160 {
		t.Errorf("%v %s", err, data)
	}
}

// A model can make up names without end; the file stays small.
func TestNamesAreBounded(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	u := &usage{abilities: map[string]*ability{}}
	for i := range 3000 {
		u.add(&call{name: fmt.Sprint(strings.Repeat("n", 300), i), at: time.Now(), took: time.Second})
	}
	data := u.append(nil)
	if again, err := parse(data); err != nil || len(u.abilities) != maxAbilities+1 || len(again.abilities) != maxAbilities+1 ||
		u.abilities[others].calls != 3000-maxAbilities {
		t.Errorf("%d names, %v", len(u.abilities), err)
	}
	if len(data) > 256<<10 {
		t.Errorf("%d bytes", len(data))
	}
}

func TestADamagedFileIsLeftAlone(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"version":2}`, `{"version":1,"abilities":{"a":7}}`,
		`{"version":1,"abilities":{"a":{"calls":"x"}}}`} {
		dir := t.TempDir()
		path := filepath.Join(dir, "u.json")
		os.WriteFile(path, []byte(text), 0o600)
		if err := use(dir, `{"path":"u.json"}`, call{name: "x"}); err == nil {
			t.Errorf("%q was taken", text)
		}
		if data, _ := os.ReadFile(path); string(data) != text {
			t.Errorf("%q became %q", text, data)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"version":1,"updated_at":"x","abilities":{"a":{"calls":1,"duration_ms":{"calls":1,"total":2,"max":2,"last":2}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		u, err := parse(data)
		if err != nil {
			return
		}
		u.add(&call{name: "a", at: time.Unix(0, 0)})
		if _, err := parse(u.append(nil)); err != nil {
			t.Error(err)
		}
	})
}
