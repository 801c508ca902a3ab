package tasks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"github.com/trammel-dev/trammel/tasks/operation"
	"github.com/trammel-dev/trammel/tasks/registry"
)

// missing returns an error if something that a call needs is missing: a program
// or a variable. A workflow needs what its steps need.
func (r *Runner) missing(reg *registry.Registry, at *registry.Resolved) error {
	switch {
	case at.Ability != nil && at.Ability.Type == registry.Workflow:
		for _, step := range at.Ability.Steps {
			there, err := reg.Resolve(step.Operation, r.Environment)
			if err == nil {
				err = r.missing(reg, there)
			}
			if err != nil {
				return fmt.Errorf("step %s: %w", step.ID, err)
			}
		}
		return nil
	case at.Ability != nil:
		return r.program(at.Ability.Agent)
	case at.Impl.Kind == registry.Script:
		return r.program(at.Impl.Script)
	case at.Impl.Kind == registry.MCP:
		return r.program(&at.Impl.MCP.Server)
	}
	for _, name := range at.Impl.API.SecretsFrom {
		if _, there := os.LookupEnv(name); !there {
			return fmt.Errorf("the environment variable %s is not set", name)
		}
	}
	return nil
}

// program checks that a program of the registry exists and can be started.
func (r *Runner) program(p *registry.Program) error {
	file, err := operation.Within(r.Root, p.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the program %s does not exist", p.Path)
	}
	if err != nil {
		return fmt.Errorf("the program %s cannot be used: %w", p.Path, err)
	}
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return fmt.Errorf("the program %s cannot be used: %w", p.Path, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("the program %s is not a regular file", p.Path)
	case info.Mode()&0o111 == 0 && runtime.GOOS != "windows":
		return fmt.Errorf("the program %s is not executable", p.Path)
	}
	return nil
}
