package additions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/secret"
)

// FilesOptions are those of add_prompt_files.
type FilesOptions struct {
	Files []string    `json:"files,omitempty" jsonschema:"Names of files that are looked for in the agent's directory, in those above it and in the home directory."`
	Max   option.Size `json:"max,omitempty" jsonschema:"How much of each file is added."`
}

// Files declares add_prompt_files.
func Files() trammel.Policy {
	return policy("add_prompt_files", "gives the model the project's and the user's instruction files, and again when they change", changing,
		FilesOptions{Files: []string{"AGENTS.md"}, Max: 32 << 10}, func(o FilesOptions) (addition, error) {
			for i, name := range o.Files {
				if !filepath.IsLocal(name) {
					return nil, &option.Error{Key: fmt.Sprintf("files[%d]", i), Message: fmt.Sprintf("%q leads elsewhere", name),
						Expected: "a name, or a path below each directory"}
				}
			}
			if o.Max < 1 || o.Max > 1<<20 {
				return nil, &option.Error{Key: "max", Message: "found " + o.Max.String(), Expected: "a size from 1 to 1MiB"}
			}
			return func(_ context.Context, ev *trammel.Event) (string, error) {
				return o.read(world.Of(ev), ev.Session.Dir), nil
			}, nil
		})
}

// read concatenates the files, the most specific last: the user's own first, then
// from the root down to the agent's directory.
func (o *FilesOptions) read(w trammel.World, dir string) string {
	var parts []string
	for _, name := range o.Files {
		seen := []fs.FileInfo{}
		for _, at := range places(w, dir) {
			path := filepath.Join(at, name)
			text, info, err := readBeginning(w, path, int(o.Max))
			if errors.Is(err, fs.ErrNotExist) || info != nil && known(seen, info) {
				continue
			}
			if info != nil {
				seen = append(seen, info)
			}
			if err != nil {
				text = "(unavailable)"
			}
			parts = append(parts, "Instructions from: "+oneLine(path)+"\n"+text)
		}
	}
	return strings.Join(parts, "\n\n")
}

// readBeginning reads at most n bytes of a regular file. It opens nothing else,
// especially no pipe, and no file of secrets: the agent could make a link to one
// with the name of an instruction file.
func readBeginning(w trammel.World, path string, n int) (string, fs.FileInfo, error) {
	info, err := world.Stat(w, path)
	if err != nil {
		return "", nil, err
	}
	p := effects.Resolve(&model.Setting{World: w}, filepath.ToSlash(path))
	if !p.Known() || secret.SensitivePath(p.Real) || !info.Mode().IsRegular() {
		return "", info, fmt.Errorf("%s is not a file whose text can be added", path)
	}
	data, err := w.ReadFile(path, maxInstructions)
	if err != nil {
		return "", info, err
	}
	text := strings.ToValidUTF8(strings.TrimRight(string(data[:min(len(data), n)]), "\n"), "\uFFFD")
	if len(data) > n {
		text += "\n... (cut off)"
	}
	return text, info, nil
}

// maxInstructions is the size above which files are not read at all.
const maxInstructions = 16 << 20
