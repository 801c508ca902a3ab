package plan

import (
	"testing"

	"github.com/trammel-dev/trammel"
)

// lenient is a dialect whose system lets failures pass.
type lenient struct{ trammel.HookDialect }

func (lenient) OnError() trammel.OnError               { return trammel.IgnoreOnError }
func (lenient) Ceiling(trammel.Kind) trammel.Authority { return trammel.Guard }

// strict is a dialect whose system denies on failure before a tool.
type strict struct{ lenient }

func (strict) FailsClosed(kind trammel.Kind) bool { return kind == trammel.PreToolUse }

// FLOW-20: a system's own idea of failure holds where nothing is declared.
func TestADialectsOwnDefault(t *testing.T) {
	reg := trammel.NewRegistry()
	if err := reg.AddKind("command", func(trammel.Spec) (trammel.Handler, error) {
		return trammel.HandlerFunc(nil), nil
	}); err != nil {
		t.Fatal(err)
	}
	find := func(name string) (trammel.HookDialect, bool) { return lenient{}, name == "lenient" }
	for declared, want := range map[trammel.OnError]trammel.OnError{
		trammel.DefaultOnError: trammel.IgnoreOnError,
		trammel.BlockOnError:   trammel.BlockOnError,
	} {
		hooks, err := Bind([]Hook{{ID: "x", Kind: "command", Dialect: "lenient", OnError: declared}}, reg, find)
		if err != nil || hooks[0].OnError != want {
			t.Errorf("%v: %v, %v", declared, hooks, err)
		}
	}
	find = func(string) (trammel.HookDialect, bool) { return strict{}, true }
	hooks, err := Bind([]Hook{{ID: "x", Kind: "command", Dialect: "strict", OnError: trammel.IgnoreOnError}}, reg, find)
	if err != nil || hooks[0].FailsClosed == nil || !hooks[0].FailsClosed(trammel.PreToolUse) {
		t.Errorf("a dialect whose failures deny: %v, %v", hooks, err)
	}
	find = func(string) (trammel.HookDialect, bool) { return nil, false }
	if _, err := Bind([]Hook{{ID: "x", Kind: "command", Dialect: "klingon"}}, reg, find); err == nil {
		t.Error("an unknown dialect is no error")
	}
}
