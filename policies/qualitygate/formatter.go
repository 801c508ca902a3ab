package qualitygate

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/procgroup"
	"github.com/trammel-dev/trammel/internal/strict"
)

// formatter is a program that a project has chosen for a file.
type formatter struct {
	name    string
	root    string // where it runs
	program string // "" if it is not installed
	check   []string
	fix     []string
	// silent is true if it reports problems only as output, with exit code 0.
	silent bool
}

// formatterFor finds the formatter of a file, from the file's own project.
func formatterFor(path string) (formatter, bool) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".go":
		return formatter{name: "gofmt", root: filepath.Dir(path), program: onPath("gofmt"), check: []string{"-l"}, fix: []string{"-w"},
			silent: true}, true
	case ".py":
		root := nearest(path, func(dir string) bool {
			return has(dir, "ruff.toml", ".ruff.toml") || mentions(filepath.Join(dir, "pyproject.toml"), "[tool.ruff")
		})
		if root == "" {
			return formatter{}, false
		}
		return formatter{name: "ruff", root: root, program: onPath("ruff"), check: []string{"format", "--check"}, fix: []string{"format"}}, true
	case ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".json", ".jsonc", ".md":
		return script(path)
	}
	return formatter{}, false
}

// script finds what formats the files of a JavaScript project: the nearest setting
// counts, and Biome comes before Prettier where a directory has both.
func script(path string) (formatter, bool) {
	hasBiome := func(dir string) bool { return has(dir, "biome.json", "biome.jsonc") }
	root := nearest(path, func(dir string) bool { return hasBiome(dir) || hasPrettier(dir) })
	switch {
	case root == "":
		return formatter{}, false
	case !hasBiome(root):
		return formatter{name: "prettier", root: root, program: local(root, "prettier"), check: []string{"--check"}, fix: []string{"--write"}},
			true
	case strings.EqualFold(filepath.Ext(path), ".md"):
		return formatter{}, false // Biome does not support them
	}
	return formatter{name: "biome", root: root, program: local(root, "biome"), check: []string{"check"}, fix: []string{"check", "--write"}},
		true
}

func hasPrettier(dir string) bool {
	return has(dir, ".prettierrc", ".prettierrc.json", ".prettierrc.yml", ".prettierrc.yaml", ".prettierrc.json5",
		".prettierrc.js", ".prettierrc.cjs", ".prettierrc.mjs", ".prettierrc.ts", ".prettierrc.toml", "prettier.config.js",
		"prettier.config.cjs", "prettier.config.mjs", "prettier.config.ts") ||
		packageKey(filepath.Join(dir, "package.json"), "prettier")
}

// nearest walks up from a file to the first wanted directory, without leaving its
// repository.
func nearest(path string, wanted func(dir string) bool) string {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if wanted(dir) {
			return dir
		}
		if isRepository(dir) || dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// has reports whether a directory has a file with one of these names.
func has(dir string, names ...string) bool {
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// isRepository reports whether a repository begins here, or a worktree of one.
func isRepository(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

const maxConfig = 1 << 20

func small(path string) []byte {
	fi, err := os.Stat(path)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > maxConfig {
		return nil
	}
	data, _ := os.ReadFile(path)
	return data
}

func mentions(path, text string) bool { return bytes.Contains(small(path), []byte(text)) }

// packageKey reports whether a package.json has this key.
func packageKey(path, key string) bool { return strict.HasKey(small(path), key) }

// local finds a program that npm has installed for a project, or one on the PATH.
// A missing program is never downloaded.
func local(root, name string) string {
	for dir := root; ; dir = filepath.Dir(dir) {
		if program := onPath(filepath.Join(dir, "node_modules", ".bin", name)); program != "" {
			return program
		}
		if isRepository(dir) || dir == filepath.Dir(dir) {
			return onPath(name)
		}
	}
}

func onPath(name string) string {
	program, err := exec.LookPath(name)
	if err != nil || !filepath.IsAbs(program) {
		return ""
	}
	return program
}

// run checks a file with the formatter. It returns the code of the finding, "" if
// there is none.
func (f *formatter) run(ctx context.Context, path string, fix bool, timeout time.Duration) (code, detail string) {
	if f.program == "" {
		return "formatter_missing", ""
	}
	ctx, stop := context.WithTimeout(ctx, timeout)
	defer stop()
	before := small(path)
	args := f.check
	if fix {
		args = f.fix
	}
	out, err := procgroup.Run(ctx, procgroup.Command{Args: append(append([]string{f.program}, args...), path), Dir: f.root,
		Env: os.Environ(), MaxOutput: 16 << 10})
	switch {
	case err != nil:
		return "formatter_failed", err.Error()
	case fix && out.Exit == 0:
		if !bytes.Equal(before, small(path)) {
			return "formatted", ""
		}
		return "", ""
	case out.Exit == 0 && (!f.silent || len(bytes.TrimSpace(out.Stdout)) == 0):
		return "", ""
	case f.silent && out.Exit != 0 || out.Exit > 1:
		return "formatter_failed", string(out.Stderr)
	}
	return "format_differs", string(out.Stderr)
}
