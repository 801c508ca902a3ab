package packs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/trammel-dev/trammel/internal/files"
)

// typescript reports whether node has to be given a translation of the entry
// file. Other runtimes read TypeScript themselves.
func (p *Pack) typescript() bool {
	node := p.Runtime.Command[0] == "node" || p.Runtime.Command[0] == "nodejs"
	return node && slices.Contains([]string{".ts", ".mts", ".cts"}, filepath.Ext(p.Entrypoint))
}

// Check checks more than Open: whether the entry file can be translated for
// node. Nothing is started.
func (p *Pack) Check() []Diagnostic {
	r := &report{}
	if p.typescript() {
		if _, err := p.translate(); err != nil {
			r.add(Error, "entrypoint_untranslatable", place{file: p.Entrypoint}, "%v", err)
		}
	}
	return r.list
}

// translate makes one JavaScript module of the entry file and all that it
// imports from the pack, so that any node can run it. Types are dropped, not
// checked. Nothing from outside of the pack is included.
func (p *Pack) translate() ([]byte, error) {
	r := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(p.Dir, filepath.FromSlash(p.Entrypoint))}, AbsWorkingDir: p.Dir, Outfile: "main.mjs",
		Bundle: true, Platform: api.PlatformNode, Format: api.FormatESModule, Target: api.ES2022, TsconfigRaw: "{}",
		Metafile: true, Write: false, LogLevel: api.LogLevelSilent, Sourcemap: api.SourceMapNone,
		// CommonJS modules that are bundled into an ES module need a require.
		Banner: map[string]string{
			"js": `import { createRequire as createRequireForPack } from "node:module"; const require = createRequireForPack(import.meta.url);`},
	})
	if len(r.Errors) > 0 {
		e := r.Errors[0]
		if e.Location != nil {
			return nil, fmt.Errorf("%s:%d:%d: %s", e.Location.File, e.Location.Line, e.Location.Column+1, e.Text)
		}
		return nil, fmt.Errorf("%s", e.Text)
	}
	var meta struct{ Inputs map[string]any }
	if err := json.Unmarshal([]byte(r.Metafile), &meta); err != nil {
		return nil, err
	}
	for path := range meta.Inputs {
		full := filepath.Join(p.Dir, filepath.FromSlash(path))
		if real, err := filepath.EvalSymlinks(full); err != nil || !files.Within(p.Dir, real) {
			return nil, fmt.Errorf("%s imports %s, which is not in the pack", p.Entrypoint, path)
		}
	}
	if len(r.OutputFiles) != 1 {
		return nil, fmt.Errorf("%s became %d files, expected one", p.Entrypoint, len(r.OutputFiles))
	}
	return r.OutputFiles[0].Contents, nil
}

// translated writes the translation to a directory of its own and returns the
// command that runs it. remove drops it.
func (p *Pack) translated() (command []string, remove func(), err error) {
	code, err := p.translate()
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "trammel-pack-*")
	if err != nil {
		return nil, nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	file := filepath.Join(dir, "main.mjs")
	if err := os.WriteFile(file, code, 0o600); err != nil {
		remove()
		return nil, nil, err
	}
	command = slices.Clone(p.Runtime.Command)
	for i, arg := range command {
		if i > 0 && filepath.ToSlash(filepath.Clean(strings.ReplaceAll(arg, `\`, "/"))) == p.Entrypoint {
			command[i] = file
			break
		}
	}
	return command, remove, nil
}
