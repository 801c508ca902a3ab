package full

import (
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/handlers/rule"
)

// prepare checks a handler's part of a declaration and returns what to store
// for it. Everything that can be computed once is computed here, so that the
// fast program does not need to.
func prepare(r *trammel.Registry, kind string, config []byte) ([]byte, error) {
	if kind == "rule" {
		c, err := rule.Read(config)
		if err != nil {
			return nil, err
		}
		if err := condition.Prepare(&c); err != nil {
			return nil, err
		}
		return c.JSON()
	}
	if !r.HasKind(kind) {
		return nil, fmt.Errorf("%w %q", trammel.ErrUnknownKind, kind)
	}
	h, err := r.Build(trammel.Spec{Hook: "check", Kind: kind, Config: config})
	if lazy, ok := h.(interface{ Ready() error }); ok && err == nil {
		err = lazy.Ready()
	}
	return config, err
}
