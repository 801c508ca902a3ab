package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/plan"
)

// Found finds the configuration for a directory; "" is the current one.
func Found(dir string) (*full.Program, *layers.Set, error) {
	p, err := Program()
	if err != nil {
		return nil, nil, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil, err
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return nil, nil, fmt.Errorf("there is no directory %s", abs)
	}
	set, err := layers.Find(p.Dirs, abs)
	if err == nil && p.Admit(set) {
		set, err = layers.Find(p.Dirs, abs)
	}
	return p, set, err
}

// Loaded compiles what Found finds.
func Loaded(dir string) (*full.Program, *layers.Set, *plan.Plan, error) {
	p, set, err := Found(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	compiled, err := p.Compile(set)
	return p, set, compiled, err
}
