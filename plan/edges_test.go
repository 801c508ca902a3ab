package plan

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel"
)

// What the dialect of a hook permits bounds the hook also when it comes from a plan.
func TestADialectsCeilingIsBound(t *testing.T) {
	reg := trammel.NewRegistry()
	if err := reg.AddKind("command", func(trammel.Spec) (trammel.Handler, error) { return trammel.HandlerFunc(nil), nil }); err != nil {
		t.Fatal(err)
	}
	hooks, err := Bind([]Hook{{ID: "x", Kind: "command", Dialect: "lenient"}}, reg,
		func(string) (trammel.HookDialect, bool) { return lenient{}, true })
	if err != nil || hooks[0].Ceiling == nil || hooks[0].Ceiling(trammel.PreToolUse) != trammel.Guard {
		t.Errorf("%v, %v", hooks, err)
	}
}

// Bytes that no plan has are an error, wherever they stand.
func TestBytesThatNoPlanHas(t *testing.T) {
	record := func(change func(h *Hook, w *writer)) []byte {
		h, w := sample(0)[1], &writer{}
		change(&h, w)
		return w.b
	}
	for name, read := range map[string]func() error{
		"a truth value": func() error { r := reader{b: []byte{2}}; r.bool(); return r.err },
		"a list":        func() error { r := reader{b: []byte{9, 1}}; r.count(); return r.err },
		"a text":        func() error { r := reader{b: []byte{9, 1}}; r.string(); return r.err },
		"an event": func() error {
			r := reader{b: record(func(h *Hook, w *writer) { w.string(h.ID); w.strings([]string{"no_such_event"}) })}
			r.hook()
			return r.err
		},
		"what a failure means": func() error {
			r := reader{b: record(func(h *Hook, w *writer) { h.OnError = 77; w.hook(h) })}
			r.hook()
			return r.err
		},
	} {
		if err := read(); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An index that cannot be read may hold hooks for anything.
func TestADamagedIndexHasEverything(t *testing.T) {
	p, err := Decode(Encode(sample(0), DefaultSettings(), "d", nil), "d")
	if err != nil {
		t.Fatal(err)
	}
	if p.Has(trammel.Notification) || !p.Has(trammel.SessionStart) {
		t.Error("the whole index is read wrongly")
	}
	if p.index = p.index[:len(p.index)-1]; !p.Has(trammel.Notification) {
		t.Error("a damaged index has no hook")
	}
}

// One hook that may rewrite is enough to look widely, whichever it is.
func TestSelectLooksWidelyBesideARewrite(t *testing.T) {
	rewrites := Hook{ID: "rewrites", On: []trammel.Kind{trammel.PreToolUse}, Kind: "rule", May: trammel.Rewrite, Rewrites: true}
	plain := Hook{ID: "plain", On: []trammel.Kind{trammel.PreToolUse}, Kind: "rule", May: trammel.Guard}
	narrow := Hook{ID: "narrow", On: []trammel.Kind{trammel.PreToolUse}, Kind: "rule", May: trammel.Guard,
		Match: Match{Programs: []string{"terraform"}}}
	like := Hook{ID: "like", On: []trammel.Kind{trammel.PreToolUse, trammel.Stop}, Kind: "rule", May: trammel.Guard,
		Match: Match{Tools: []string{"other"}, Like: []trammel.ActionKind{trammel.ShellAction}}}
	for _, hooks := range [][]Hook{{rewrites, plain, narrow, like}, {plain, rewrites, narrow, like}, {narrow, plain, rewrites, like}} {
		p, err := Decode(Encode(hooks, DefaultSettings(), "d", nil), "d")
		if err != nil {
			t.Fatal(err)
		}
		ev := &trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "Bash",
			Action: trammel.Action{Kind: trammel.ShellAction, Command: "ls"}}}
		if got, err := p.Select(ev); err != nil || len(got) != 4 {
			t.Errorf("%d hooks, %v", len(got), err)
		}
		if got, err := p.Select(&trammel.Event{Kind: trammel.Stop}); err != nil || len(got) != 0 {
			t.Errorf("%d hooks without a tool, %v", len(got), err)
		}
	}
	p, err := Decode(Encode([]Hook{plain, narrow}, DefaultSettings(), "d", nil), "d")
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Select(&trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "Bash",
		Action: trammel.Action{Kind: trammel.ShellAction, Command: "ls"}}})
	if err != nil || len(got) != 1 {
		t.Errorf("%d hooks without a rewrite, %v", len(got), err)
	}
}

// Plans lie in a directory, and not behind something that looks as closed.
func TestAPlaceThatIsNoDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(file, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := private(file); !errors.Is(err, ErrForeign) {
		t.Errorf("a file for a directory: %v", err)
	}
}
