package option_test

import (
	"context"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
)

func silent(context.Context, *trammel.Event) (trammel.Answer, error) { return trammel.Answer{}, nil }

// A declaration is all there is to a policy: its options start from the
// defaults, wrong ones are refused, and its handlers have a state.
func TestPolicy(t *testing.T) {
	var got options
	p := option.Policy("x", trammel.Rewrite, "does x", options{Mode: "ask"}, func(o options, spec trammel.Spec) (trammel.Handler, error) {
		if got = o; spec.State == nil {
			t.Error("there is no state")
		}
		return trammel.HandlerFunc(silent), nil
	}, trammel.PreToolUse, trammel.Stop)
	if p.Name != "x" || p.Summary != "does x" || p.May != trammel.Rewrite || !p.Rewrites || len(p.On) != 2 ||
		p.Options.(options).Mode != "ask" {
		t.Errorf("declared as %+v", p)
	}
	if _, err := p.New(trammel.Spec{Config: []byte(`{"on":true}`)}); err != nil || got.Mode != "ask" || !got.On {
		t.Errorf("built from %+v, %v", got, err)
	}
	if _, err := p.New(trammel.Spec{}); err != nil || got.On {
		t.Errorf("built again from %+v, %v", got, err)
	}
	if _, err := p.New(trammel.Spec{Config: []byte(`{"off":true}`)}); err == nil {
		t.Error("an unknown option is taken")
	}
}

func TestPolicyWithoutOptions(t *testing.T) {
	p := option.Policy("x", trammel.Guard, "", option.None{}, func(option.None, trammel.Spec) (trammel.Handler, error) {
		return trammel.HandlerFunc(silent), nil
	})
	if p.Options != nil || p.Rewrites {
		t.Errorf("declared as %+v", p)
	}
	for _, none := range []string{"", "{}"} {
		if _, err := p.New(trammel.Spec{Config: []byte(none)}); err != nil {
			t.Errorf("with %q: %v", none, err)
		}
	}
	if _, err := p.New(trammel.Spec{Config: []byte(`{"a":1}`)}); err == nil || err.Error() != `takes no options, found {"a":1}` {
		t.Errorf("error %v", err)
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{option.Between("n", 1, 1, 3), ""}, {option.Between("n", 3, 1, 3), ""}, {option.AtLeast("n", 2, 2), ""},
		{option.Between("n", 0, 1, 3), "n: found 0, expected a number from 1 to 3"},
		{option.Between("n", 4, 1, 3), "n: found 4, expected a number from 1 to 3"},
		{option.AtLeast("n", 1, 2), "n: found 1, expected a number from 2"},
	} {
		if got := c.err; got == nil && c.want != "" || got != nil && got.Error() != c.want {
			t.Errorf("error %v, want %s", got, c.want)
		}
	}
}
