// Package extended lists the systems whose own files of hooks are read as they
// are. Only the full program links it, because it needs YAML.
package extended

import (
	"path/filepath"
	"strings"

	claudecode "github.com/trammel-dev/trammel/dialects/claudecode/rules"
	codex "github.com/trammel-dev/trammel/dialects/codex/rules"
	copilot "github.com/trammel-dev/trammel/dialects/copilot/rules"
	cursor "github.com/trammel-dev/trammel/dialects/cursor/rules"
	"github.com/trammel-dev/trammel/dialects/dockeragent"
	"github.com/trammel-dev/trammel/dialects/dockeragent/hooksfile"
	dockerrules "github.com/trammel-dev/trammel/dialects/dockeragent/rules"
	gemini "github.com/trammel-dev/trammel/dialects/gemini/rules"
	opencode "github.com/trammel-dev/trammel/dialects/opencode/rules"
	vscode "github.com/trammel-dev/trammel/dialects/vscode/rules"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/precommit"
	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// Translate writes a file in the format of trammel.yaml; see hooksfile.
type Translate func(name string, data []byte, grant bool) (text []byte, from []int, wrong []*yamldoc.Problem)

// systems are these systems.
func systems() map[string]Translate {
	return map[string]Translate{dockeragent.Host.System: hooksfile.Translate}
}

// Sources are the systems whose rules can be imported.
func Sources() []*importers.Source {
	return []*importers.Source{&claudecode.Source, &codex.Source, &copilot.Source, &cursor.Source, &dockerrules.Source, &gemini.Source,
		&opencode.Source, &precommit.Source, &vscode.Source}
}

// Of finds whose file this is, by its name: anything.SYSTEM.yaml.
func Of(path string) (name string, translate Translate) {
	base := filepath.Base(path)
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".yaml"), ".yml")
	for system, t := range systems() {
		if name, ok := strings.CutSuffix(base, "."+system); ok {
			return name, t
		}
	}
	return "", nil
}
