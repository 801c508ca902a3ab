// Package extended lists the systems whose own files of hooks are read as they
// are. Only the full program links it, for it takes YAML.
package extended

import (
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/dialects/dockeragent"
	"github.com/trammel-dev/trammel/dialects/dockeragent/hooksfile"
	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// Translate says a file in the format of trammel.yaml; see hooksfile.
type Translate func(name string, data []byte, grant bool) (text []byte, from []int, wrong []*yamldoc.Problem)

// Systems are these systems.
func Systems() map[string]Translate {
	return map[string]Translate{dockeragent.Host.System: hooksfile.Translate}
}

// Of finds whose file this is, by its name: anything.SYSTEM.yaml.
func Of(path string) (name string, translate Translate) {
	base := filepath.Base(path)
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".yaml"), ".yml")
	for system, t := range Systems() {
		if name, ok := strings.CutSuffix(base, "."+system); ok {
			return name, t
		}
	}
	return "", nil
}
