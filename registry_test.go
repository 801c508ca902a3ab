package trammel

import (
	"errors"
	"testing"
)

// DA-10, DA-11: an embedder registers its own kind without touching the engine.
func TestRegistry(t *testing.T) {
	r := NewRegistry()
	if err := r.AddKind("mine", func(s Spec) (Handler, error) {
		if s.Config == nil {
			return nil, errors.New("no configuration")
		}
		return say(Denial(string(s.Config))), nil
	}); err != nil {
		t.Fatal(err)
	}
	h, err := r.Build(Spec{Hook: "x", Kind: "mine", Config: []byte("because")})
	if err != nil {
		t.Fatal(err)
	}
	if a, _ := h.Handle(t.Context(), &Event{}); a.Reason != "because" {
		t.Errorf("got %+v", a)
	}
	if _, err := r.Build(Spec{Hook: "x", Kind: "mine"}); err == nil || errors.Is(err, ErrUnknownKind) {
		t.Errorf("a wrong declaration: %v", err)
	}
	if _, err := r.Build(Spec{Hook: "x", Kind: "other"}); !errors.Is(err, ErrUnknownKind) {
		t.Errorf("an unknown kind: %v", err)
	}
	p := Policy{Name: "p", May: Guard, New: func(Spec) (Handler, error) { return pass, nil }}
	if err := errors.Join(r.AddPolicy(p)); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"same kind again":    r.AddKind("mine", func(Spec) (Handler, error) { return pass, nil }),
		"kind without name":  r.AddKind("", func(Spec) (Handler, error) { return pass, nil }),
		"kind without build": r.AddKind("x", nil),
		"same policy again":  r.AddPolicy(p),
		"policy without May": r.AddPolicy(Policy{Name: "q", New: p.New}),
		"policy without New": r.AddPolicy(Policy{Name: "q", May: Guard}),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if _, ok := r.Policy("p"); !ok || len(r.Policies()) != 1 || !r.HasKind("mine") || r.HasKind("p") {
		t.Error("look-ups are wrong")
	}
	other := Listed{"listed", func() Policy { return Policy{Name: "listed", May: Grant} }}
	for what, err := range map[string]error{"the least": r.AddPolicy(Policy{Name: "least", May: Observe, New: p.New}),
		"the most": r.AddPolicy(Policy{Name: "most", May: Grant, New: p.New}), "a list": r.ListPolicies(other)} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if r.AddPolicy(Policy{Name: "listed", May: Guard, New: p.New}) == nil || r.ListPolicies(other) == nil {
		t.Error("a name was taken twice")
	}
	if got, ok := r.Policy("listed"); !ok || got.May != Grant {
		t.Errorf("%+v, %v", got, ok)
	}
	if NewRegistry().HasKind("mine") {
		t.Error("registries share something")
	}
}
