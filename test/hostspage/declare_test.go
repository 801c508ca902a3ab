package hostspage

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/conformance"
	"github.com/trammel-dev/trammel/dialects/claudecode"
	"github.com/trammel-dev/trammel/dialects/native"
)

// limited is a host that uses Codex's names and can do only what it declares.
type limited struct {
	trammel.HostDialect
	powers map[trammel.Kind]trammel.Capabilities
}

func (limited) Name() string { return "codex" }

func (l limited) Powers(kind trammel.Kind) trammel.Powers {
	return trammel.Powers{Can: l.powers[kind]}
}

// TestDeclare: the declaration follows from the table (FLOW-51).
func TestDeclare(t *testing.T) {
	guard := trammel.Prevents | trammel.Block
	for _, c := range []struct {
		name    string
		dialect trammel.HostDialect
		extra   Extra
		level   conformance.Level
		effects string // in the order of the matrix
		gap     string // one that has to be named
	}{
		{"Claude Code", &claudecode.Dialect, Extra{}, conformance.L2, "yes yes yes yes yes yes yes yes yes no-event yes yes",
			"context: turn: there is no turn_start"},
		{"native", native.Dialect{}, Extra{}, conformance.L2, "yes yes yes yes yes yes yes yes yes yes yes yes", ""},
		{"observer", limited{}, Extra{}, conformance.L0, "notice deny deny nothing notice notice notice deferred deferred no-event deferred " +
			"deferred",
			"block tool: not on pre_tool_use; the person gets a notice, and the record shows it"},
		{"steering", limited{powers: map[trammel.Kind]trammel.Capabilities{trammel.SessionStart: trammel.Inject}}, Extra{}, conformance.L1,
			"notice deny deny nothing notice notice notice yes deferred no-event deferred deferred", ""},
		{"guard and steering", limited{powers: map[trammel.Kind]trammel.Capabilities{trammel.SessionStart: trammel.Inject,
			trammel.PreToolUse: guard}}, Extra{Gaps: []string{"write_stdin is not hooked"}}, conformance.L2,
			"yes deny deny nothing notice notice notice yes deferred no-event deferred deferred", "write_stdin is not hooked"},
		{"a run of the kit lowers it", native.Dialect{}, Extra{Report: &conformance.Report{Reached: conformance.L0}}, conformance.L0,
			"yes yes yes yes yes yes yes yes yes yes yes yes",
			""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Declare(c.dialect, c.extra)
			var comes []string
			for _, e := range d.Effects {
				comes = append(comes, strings.ReplaceAll(e.Comes, " ", "-"))
			}
			if got := strings.Join(comes, " "); got != c.effects || d.Level != c.level {
				t.Errorf("level %s, %s\nexpected %s, %s", d.Level, got, c.level, c.effects)
			}
			if c.gap != "" && !slices.Contains(d.Gaps, c.gap) {
				t.Errorf("gaps are %q, expected %q", d.Gaps, c.gap)
			}
			if len(d.Events) != len(trammel.Kinds()) || len(d.Policies) != 4 {
				t.Errorf("%d events and %d policies", len(d.Events), len(d.Policies))
			}
			if _, err := json.Marshal(d); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestDegradations: the rules that work around what a host lacks name it.
func TestDegradations(t *testing.T) {
	d := Declare(limited{}, Extra{})
	want := Degradation{"pre_tool_use", "ask", "deny", "codex cannot ask on pre_tool_use"}
	if !slices.Contains(d.Degradations, want) {
		t.Errorf("%+v", d.Degradations)
	}
	for _, g := range d.Degradations {
		if g.Became == "" || g.Wanted == "" {
			t.Errorf("empty: %+v", g)
		}
	}
	if full := Declare(native.Dialect{}, Extra{}); len(full.Degradations)+len(full.Gaps) > 0 {
		t.Errorf("a host that can do all: %+v, %q", full.Degradations, full.Gaps)
	}
}

func TestMarkdown(t *testing.T) {
	last, err := ReadOutcomes(strings.NewReader(`{"host":"claude-code","version":"2.1.325","scenario":"deny","result":"pass","seconds":2.4}

{"host":"claude-code","version":"2.1.325","scenario":"ask","result":"fail","seconds":1}
`))
	if err != nil {
		t.Fatal(err)
	}
	list := []Declaration{Declare(&claudecode.Dialect, Extra{Version: "2.1.325"}), Declare(limited{}, Extra{})}
	text := Markdown(list, last)
	for _, want := range []string{
		"| claude-code [^1] | L2 | yes | yes |",
		"| codex [^2] | L0 | *notice* | *deny* |",
		"[^1]: claude-code: context: turn: there is no turn_start.",
		"| claude-code | 2.1.325 | 1 | 1 (ask) | 0 | 3 |",
		"## claude-code 2.1.325",
		"| pre_tool_use | PreToolUse | block, ask, rewrite input, inject context, grant | 30s |",
		"* config protection: full at pre_tool_use",
		"* stop: block becomes notice",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if text != Markdown(list, last) {
		t.Error("not the same twice")
	}
	if strings.Contains(Markdown(list, nil), "end-to-end") {
		t.Error("a run that never was")
	}
	for _, bad := range []string{"{", `{"host":"x","scenario":"y","result":"maybe"}`} {
		if _, err := ReadOutcomes(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
