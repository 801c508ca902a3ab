// Package suite runs the cases that every built-in policy keeps as data in
// testdata/cases.yaml: events, in order, and what must come of each, through
// the engine, so that a policy that goes beyond its authority fails.
package policysuite

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/trammel-dev/trammel"
	language "github.com/trammel-dev/trammel/dialects"
	dialects "github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/layers"
	_ "github.com/trammel-dev/trammel/internal/layers/isolated" // HOME and XDG_* choose the directories
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/test/testfile"
	"github.com/trammel-dev/trammel/test/worldtest"
)

// Case is a policy with options, in a place, and the events it sees.
//
// @DIR stands for the session's directory and @HOME for the home directory
// everywhere in a case. Both are empty temporary directories, and the only
// variables besides PATH are those in Env.
type Case struct {
	Name  string            `yaml:"name"`
	With  map[string]any    `yaml:"with"`
	Files map[string]string `yaml:"files"` // by path; relative ones are in @DIR
	Links map[string]string `yaml:"links"`
	Env   map[string]string `yaml:"env"`
	// Error is part of what New must refuse the options with. Then there are no steps.
	Error string `yaml:"error"`
	// Steps are the events. A case with one event has its fields beside the name.
	Steps []Step `yaml:"steps"`
	Step  `yaml:",inline"`
}

// Step is one event and what must come of it.
type Step struct {
	On      string            `yaml:"on"`      // pre_tool_use where nothing is said
	Host    string            `yaml:"host"`    // claude-code where nothing is said
	Command string            `yaml:"command"` // short for the tool Bash with this command
	Tool    string            `yaml:"tool"`
	Input   map[string]any    `yaml:"input"`
	Output  string            `yaml:"output"`
	Failed  bool              `yaml:"failed"`
	Prompt  string            `yaml:"prompt"`
	Stop    *bool             `yaml:"stop"` // a stop event, and whether a stop hook is active already
	Source  string            `yaml:"source"`
	Cwd     string            `yaml:"cwd"` // the session's directory if it is not @DIR
	Session string            `yaml:"session"`
	Agent   string            `yaml:"agent"`
	User    string            `yaml:"user"`
	Model   *Model            `yaml:"model"`
	Remove  []string          `yaml:"remove"` // files that are removed before it
	Write   map[string]string `yaml:"write"`  // files that are written before it
	Wait    string            `yaml:"wait"`   // how much later it is, by the clock that counts go by
	// Rehearsal is true if it only is asked what would come of it.
	Rehearsal bool `yaml:"rehearsal"`
	Times     int  `yaml:"times"` // how often it happens; what is wanted holds for each

	Want     string         `yaml:"want"`     // the decision; none where nothing is said
	Codes    []string       `yaml:"codes"`    // each must be among the findings
	Targets  []string       `yaml:"targets"`  // each must be the target of a finding
	Reason   []string       `yaml:"reason"`   // each must be contained
	Context  []string       `yaml:"context"`  // each must be contained; nothing said: there must be none
	Args     map[string]any `yaml:"args"`     // the tool's arguments after the rewrite; nothing said: there must be none
	Result   *string        `yaml:"result"`   // the tool's output after the rewrite; nothing said: there must be none
	Contains []string       `yaml:"contains"` // each must be contained in the rewritten output
	Notice   string         `yaml:"notice"`   // must be contained
	Exists   []string       `yaml:"exists"`   // files that must be there afterwards
	Missing  []string       `yaml:"missing"`  // files that must not be there afterwards
	Says     []string       `yaml:"says"`     // each must be contained in the diagnostics
}

// Model is the part of a model call that policies look at.
type Model struct {
	Iteration int     `yaml:"iteration"`
	Input     int64   `yaml:"input"`
	Output    int64   `yaml:"output"`
	Cost      float64 `yaml:"cost"`
	Response  string  `yaml:"response"`
	Messages  []any   `yaml:"messages"`
}

// Run runs all cases of a file against a policy.
func Run(t *testing.T, p trammel.Policy, file string) {
	t.Helper()
	for _, c := range Read(t, file) {
		t.Run(c.Name, func(t *testing.T) { c.run(t, p) })
	}
}

// Read reads a file of cases.
func Read(t testing.TB, file string) []Case {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []Case
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.DisallowUnknownField()).Decode(&cases); err != nil {
		t.Fatalf("%s: %s", file, yaml.FormatError(err, false, true))
	}
	seen := map[string]bool{}
	for i := range cases {
		if cases[i].Name == "" || seen[cases[i].Name] {
			t.Fatalf("%s: case %d needs a name of its own, found %q", file, i+1, cases[i].Name)
		}
		seen[cases[i].Name] = true
	}
	return cases
}

// Spec is what a policy is built from: options as JSON, and the directories of
// this test's environment.
func Spec(options string) trammel.Spec {
	dirs, err := layers.System()
	if err != nil {
		panic(err)
	}
	spec := trammel.Spec{Dirs: dirs, State: state.Files{Dir: dirs.State}}
	if options != "" {
		spec.Config = []byte(options)
	}
	return spec
}

func (c *Case) run(t *testing.T, p trammel.Policy) {
	at := newPlace(t, c)
	var options []byte
	if c.With != nil {
		var err error
		if options, err = canonical.Append(nil, at.expand(canonical.Plain(c.With))); err != nil {
			t.Fatal(err)
		}
	}
	steps := c.Steps
	if len(steps) == 0 {
		steps = []Step{c.Step}
	}
	spec := Spec("")
	spec.Config = options
	if slices.ContainsFunc(steps, func(s Step) bool { return s.Wait != "" }) { // whatever the steps take
		at.now, at.clock = time.Now(), state.NewThen()
		at.clock.Set(at.now)
		spec.State = at.clock
	}
	handler, err := p.New(spec)
	if c.Error != "" {
		if err == nil || !strings.Contains(err.Error(), c.Error) {
			t.Fatalf("options are refused with %v, want %q", err, c.Error)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if p.Idle != nil { // as the hot program has it: who is idle is not even built
		built := handler
		handler = trammel.HandlerFunc(func(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
			if p.Idle(ev) {
				return trammel.Answer{}, nil
			}
			return built.Handle(ctx, ev)
		})
	}
	for i := range steps {
		for range max(1, steps[i].Times) {
			at.step(t, fmt.Sprintf("step %d", i+1), p, handler, &steps[i])
		}
	}
}

func (at *place) step(t *testing.T, name string, p trammel.Policy, h trammel.Handler, s *Step) {
	t.Helper()
	at.prepare(t, s)
	ev := at.event(t, s)
	engine, err := trammel.New([]trammel.Hook{{ID: "test", On: []trammel.Kind{ev.Kind}, Handler: h, Kind: "builtin", May: p.May,
		NoRewrite: !p.Rewrites, Timeout: time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	v := engine.Dispatch(context.Background(), ev)
	for i := range v.Runs {
		if v.Runs[i].Code != "" {
			t.Errorf("%s: the policy failed: %s: %s", name, v.Runs[i].Code, v.Runs[i].Detail)
		}
	}
	for _, d := range at.compare(s, v) {
		t.Errorf("%s: %s", name, d)
	}
}

func (at *place) compare(s *Step, v *trammel.Verdict) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	want := s.Want
	if want == "" {
		want = "none"
	}
	if got := v.Decision.String(); got != want {
		say("decision %s, want %s; reason: %s; findings: %+v", got, want, v.Reason, v.Findings)
	}
	for _, code := range s.Codes {
		if !slices.ContainsFunc(v.Findings, func(f trammel.Finding) bool { return f.Code == code }) {
			say("no finding has the code %s: %+v", code, v.Findings)
		}
	}
	for _, target := range s.Targets {
		target = at.text(target)
		if !slices.ContainsFunc(v.Findings, func(f trammel.Finding) bool { return f.Target == target }) {
			say("no finding is about %s: %+v", target, v.Findings)
		}
	}
	contain := func(what, whole string, parts []string) {
		for _, part := range parts {
			if !strings.Contains(whole, at.text(part)) {
				say("%s does not contain %q: %q", what, at.text(part), whole)
			}
		}
	}
	contain("the reason", v.Reason, s.Reason)
	contain("the context", strings.Join(v.Context, "\n"), s.Context)
	if s.Context == nil && len(v.Context) > 0 {
		say("unexpected context %q", v.Context)
	}
	contain("the notice", v.Notice, []string{s.Notice})
	if s.Args != nil {
		got, _ := canonical.Append(nil, v.Event.Tool.Input)
		want, _ := canonical.Append(nil, at.expand(canonical.Plain(s.Args)))
		if string(got) != string(want) {
			say("arguments %s, want %s", got, want)
		}
	} else if v.Input != nil {
		say("unexpected rewrite of the arguments: %v", v.Input)
	}
	switch {
	case s.Result == nil && s.Contains == nil:
		if v.Output != nil {
			say("unexpected rewrite of the output: %.200q", *v.Output)
		}
	case v.Output == nil:
		say("the output was not rewritten")
	default:
		if s.Result != nil && *v.Output != at.text(*s.Result) {
			say("output %.400q, want %.400q", *v.Output, at.text(*s.Result))
		}
		contain("the output", *v.Output, s.Contains)
	}
	for _, path := range s.Exists {
		if _, err := os.Stat(at.path(path)); err != nil {
			say("%v", err)
		}
	}
	for _, path := range s.Missing {
		if _, err := os.Lstat(at.path(path)); err == nil {
			say("%s is there", at.path(path))
		}
	}
	var said []string
	for i := range v.Runs {
		said = append(said, v.Runs[i].Answer.Diagnostics...)
	}
	contain("the diagnostics", strings.Join(said, "\n"), s.Says)
	return out
}

func (at *place) event(t *testing.T, s *Step) *trammel.Event {
	t.Helper()
	on := s.On
	if on == "" {
		on = "pre_tool_use"
	}
	kind, ok := trammel.ParseKind(on)
	if !ok {
		t.Fatalf("unknown event %q", on)
	}
	host := s.Host
	if host == "" {
		host = "claude-code"
	}
	ev := &trammel.Event{Kind: kind, Name: on, Host: host, Source: s.Source, Rehearsal: s.Rehearsal,
		World: worldtest.Only(filepath.Dir(at.dir)), Session: trammel.Session{
			ID: s.Session, Dir: at.dir, Project: at.dir, Agent: s.Agent, User: s.User}}
	if s.Cwd != "" {
		ev.Session.Dir = at.path(s.Cwd)
	}
	d, ok := dialects.Dialects().Host(host)
	if !ok {
		t.Fatalf("unknown host %q", host)
	}
	ev.Tools = language.ShapesOf(d)
	tool, input := s.Tool, s.Input
	if s.Command != "" {
		tool, input = "Bash", map[string]any{"command": s.Command}
	}
	if tool != "" {
		given, _ := at.expand(canonical.Plain(input)).(map[string]any)
		ev.Tool = &trammel.ToolCall{Name: tool, Input: given, Output: at.text(s.Output), Failed: s.Failed, Done: done(kind)}
	}
	if s.Prompt != "" {
		ev.Prompt = &trammel.Prompt{Text: at.text(s.Prompt)}
	}
	if s.Stop != nil {
		ev.Stop = &trammel.StopInfo{Active: *s.Stop}
	}
	if m := s.Model; m != nil {
		ev.Model = &trammel.ModelCall{Iteration: m.Iteration, Response: m.Response, Cost: m.Cost, Usage: trammel.Usage{Input: m.Input,
			Output: m.Output}}
		if m.Messages != nil {
			ev.Model.Messages, _ = at.expand(canonical.Plain(m.Messages)).([]any)
		}
	}
	ev.Prepare()
	return ev
}

// done reports whether a tool has run when an event of this kind happens.
func done(kind trammel.Kind) bool {
	switch kind {
	case trammel.PostToolUse, trammel.PostToolFailure, trammel.PostToolBatch, trammel.ToolResponseTransform:
		return true
	}
	return false
}

// place is where a case happens.
type place struct {
	dir, home string
	clock     *state.Then // where a step comes later
	now       time.Time
}

func newPlace(t *testing.T, c *Case) *place {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := &place{dir: filepath.Join(root, "project"), home: filepath.Join(root, "home")}
	for _, dir := range []string{at.dir, at.home} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", at.home)
	for name, value := range c.Env {
		t.Setenv(name, at.text(value))
	}
	at.write(t, c.Files)
	for path, target := range c.Links {
		if err := os.Symlink(at.text(target), at.path(path)); err != nil {
			t.Fatal(err)
		}
	}
	return at
}

func (at *place) prepare(t *testing.T, s *Step) {
	t.Helper()
	for _, path := range s.Remove {
		if err := os.RemoveAll(at.path(path)); err != nil {
			t.Fatal(err)
		}
	}
	at.write(t, s.Write)
	if s.Wait != "" {
		d, err := time.ParseDuration(s.Wait)
		if err != nil {
			t.Fatal(err)
		}
		at.now = at.now.Add(d)
		at.clock.Set(at.now)
	}
}

func (at *place) write(t *testing.T, files map[string]string) {
	t.Helper()
	for path, text := range files {
		testfile.Write(t, at.path(path), at.text(text), 0o644)
	}
}

func (at *place) text(s string) string {
	return strings.NewReplacer("@DIR", at.dir, "@HOME", at.home).Replace(s)
}

func (at *place) path(s string) string {
	s = at.text(s)
	if !filepath.IsAbs(s) {
		s = filepath.Join(at.dir, s)
	}
	return s
}

func (at *place) expand(v any) any {
	switch v := v.(type) {
	case string:
		return at.text(v)
	case map[string]any:
		for k, e := range v {
			v[k] = at.expand(e)
		}
	case []any:
		for i, e := range v {
			v[i] = at.expand(e)
		}
	}
	return v
}
