package cli

import (
	"os"
	"path/filepath"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/policytest"
)

// Alone prepares to judge by one configuration and nothing else, in an empty
// project.
func Alone(config string) (runner *policytest.Runner, project string, done func(), err error) {
	dir, err := os.MkdirTemp("", "trammel-alone-")
	if err != nil {
		return nil, "", nil, err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(dir)
		}
	}()
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, "", nil, err
	}
	sub := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"user", "project"} {
		if err := os.Mkdir(sub(name), 0o700); err != nil {
			return nil, "", nil, err
		}
	}
	if err := os.WriteFile(sub("user/trammel.yaml"), []byte(config), 0o600); err != nil {
		return nil, "", nil, err
	}
	p := full.New(trammel.Dirs{Machine: sub("machine"), User: sub("user"), State: sub("state"), Cache: sub("cache")})
	return &policytest.Runner{Program: &p.Program}, sub("project"), func() { _ = os.RemoveAll(dir) }, nil
}
