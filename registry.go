package trammel

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// Registry knows kinds of handlers and built-in policies by name. A runtime
// that embeds the engine makes its own and adds what it needs; nothing in the
// engine has to change for a new kind. It is safe for concurrent use.
type Registry struct {
	mu       sync.RWMutex
	kinds    map[string]Factory
	policies map[string]Policy
	listed   []Listed
	dirs     Dirs
	state    State
	shared   State
}

// Factory builds the handler of one hook from its declaration.
type Factory func(spec Spec) (Handler, error)

// Spec is a hook's declaration as a factory sees it.
type Spec struct {
	Hook   string // the hook's id
	Kind   string // the kind of handler
	Config []byte // the handler's own part of the declaration, as JSON
	Dir    string // relative paths in the declaration start here
	Source Source
	On     []Kind
	Dirs   Dirs
	State  State  // nil is memory of the handler's own
	Shared State  // what several machines share; nil where that is out of reach
	Match  *Match // which events the hook wants; nil if not set
}

// Policy is a built-in: a handler written in Go under a name that
// configuration refers to with `use:`.
type Policy struct {
	Name    string
	Summary string // one line for listings
	On      []Kind // the events it is for, used where a declaration names none
	May     Authority
	// Rewrites is true for policies that may answer with a rewrite.
	Rewrites bool
	// Options is the zero value of the policy's options, for the schema. Nil
	// means that it takes none.
	Options any
	// Idle, if set, reports that the policy has nothing to say about an event,
	// whatever its options are. Then it need not be built, which saves the hot
	// program the reading of its options. It is for plain handlers only: none
	// that wait, ask a human or run early.
	Idle func(ev *Event) bool
	// Remembers are the sorts of things that the policy has to know of what the
	// session has done before.
	Remembers []PastSort
	// New builds the policy. Its options are the Config of the spec, nil if none
	// were given.
	New Factory
}

// Listed is a policy under its name that is made only when somebody asks for it.
type Listed struct {
	Name   string
	Policy func() Policy
}

// ErrUnknownKind is returned by Build for a kind of handler that is not
// registered, as opposed to a declaration that is wrong.
var ErrUnknownKind = errors.New("unknown kind of handler")

// NewRegistry returns a registry that knows only the built-in policies that
// are added to it, under the kind "builtin".
func NewRegistry() *Registry {
	return &Registry{kinds: map[string]Factory{}, policies: map[string]Policy{}}
}

// AddKind registers a kind of handler. A name can be taken only once.
func (r *Registry) AddKind(name string, f Factory) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if name == "" || f == nil {
		return fmt.Errorf("a kind of handler needs a name and a factory")
	}
	if _, taken := r.kinds[name]; taken {
		return fmt.Errorf("kind of handler %q is registered already", name)
	}
	r.kinds[name] = f
	return nil
}

// AddPolicy registers a built-in policy. A name can be taken only once.
func (r *Registry) AddPolicy(p Policy) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case p.Name == "" || p.New == nil:
		return fmt.Errorf("a policy needs a name and a constructor")
	case p.May < Observe || p.May > Grant:
		return fmt.Errorf("policy %q does not say what it may do", p.Name)
	}
	if _, taken := r.policies[p.Name]; taken || slices.ContainsFunc(r.listed, func(l Listed) bool { return l.Name == p.Name }) {
		return fmt.Errorf("policy %q is registered already", p.Name)
	}
	r.policies[p.Name] = p
	return nil
}

// ListPolicies registers built-in policies that are made only when they are
// asked for. A list that names a policy otherwise than it names itself is a
// mistake that its own test should find.
func (r *Registry) ListPolicies(list ...Listed) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range list {
		_, taken := r.policies[list[i].Name]
		if taken || slices.ContainsFunc(r.listed, func(old Listed) bool { return old.Name == list[i].Name }) {
			return fmt.Errorf("policy %q is registered already", list[i].Name)
		}
	}
	r.listed = append(r.listed, list...)
	return nil
}

// Provide sets the directories and the state that handlers are given.
func (r *Registry) Provide(dirs Dirs, state State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dirs, r.state = dirs, state
}

// Share sets the state that handlers of several machines share.
func (r *Registry) Share(state State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shared = state
}

// Build makes the handler that a declaration asks for.
func (r *Registry) Build(spec Spec) (Handler, error) {
	r.mu.RLock()
	f, ok := r.kinds[spec.Kind]
	spec.Dirs, spec.State, spec.Shared = r.dirs, r.state, r.shared
	r.mu.RUnlock()
	if !ok {
		return nil, fmt.Errorf("hook %q: %w %q", spec.Hook, ErrUnknownKind, spec.Kind)
	}
	h, err := f(spec)
	if err != nil {
		return nil, fmt.Errorf("hook %q: %w", spec.Hook, err)
	}
	return h, nil
}

// HasKind reports whether a kind of handler is registered.
func (r *Registry) HasKind(name string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	_, ok := r.kinds[name]
	return ok
}

// Policy finds a built-in policy by name.
func (r *Registry) Policy(name string) (Policy, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if p, ok := r.policies[name]; ok {
		return p, true
	}
	for i := range r.listed {
		if r.listed[i].Name == name {
			return r.listed[i].Policy(), true
		}
	}
	return Policy{}, false
}

// Policies lists the built-in policies by name.
func (r *Registry) Policies() []Policy {
	r.mu.RLock()
	defer r.mu.RUnlock()
	out := slices.Collect(maps.Values(r.policies))
	for i := range r.listed {
		out = append(out, r.listed[i].Policy())
	}
	slices.SortFunc(out, func(a, b Policy) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
