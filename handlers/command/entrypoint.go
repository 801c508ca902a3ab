package command

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/procgroup"
)

// prepare sets the command and returns the file that it runs, if there is one
// (FST-61): the program, if it is next to the declaration; else the first
// argument that is a file there; else the program.
func (h *handler) prepare(cmd *procgroup.Command) (entrypoint string) {
	if h.Run != "" {
		line, file := h.line()
		shell(cmd, h.Shell, line)
		return file
	}
	cmd.Args = slices.Clone(h.Exec)
	program := ""
	if strings.ContainsAny(h.Exec[0], pathSeparators) {
		program = h.program(h.Exec[0])
		cmd.Args[0] = program
		if files.Within(h.dir, program) {
			return program
		}
	}
	for _, arg := range h.Exec[1:] {
		path := arg
		if !filepath.IsAbs(path) {
			path = filepath.Join(cmd.Dir, arg) // as the program will see it
		}
		if files.Within(h.dir, path) && files.Is(path) {
			return path
		}
	}
	return program
}

// Entrypoint returns the digest of the file that would be run for an event, as
// recorded in traces.
func (h *handler) Entrypoint(ev *trammel.Event) string {
	return digestFile(h.prepare(&procgroup.Command{Dir: h.workDir(ev)}))
}

// line is what the shell gets. A relative path in the first word is made
// absolute, so that the file next to the declaration runs, wherever the agent
// is.
func (h *handler) line() (line, entrypoint string) {
	text := strings.TrimSpace(h.Run)
	word, rest := text, ""
	if i := strings.IndexFunc(text, func(r rune) bool { return !plainInPath(r) }); i >= 0 {
		word, rest = text[:i], text[i:]
	}
	if !strings.ContainsAny(word, pathSeparators) || rest != "" && !strings.ContainsAny(rest[:1], " \t\n;|&<>") {
		return text, ""
	}
	path := h.program(word)
	if path == word {
		return text, path
	}
	return quote(path) + rest, path
}

// program makes the path of a program absolute: relative to where the
// declaration says that it runs, or to the declaration itself. Never relative
// to the project: the agent can write there.
func (h *handler) program(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(h.resolve(h.Dir), path)
}

const pathSeparators = "/" + string(filepath.Separator)

func plainInPath(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._-+@,:"+pathSeparators, r)
}

// CheckPinned compares the pinned files with their digests. Relative paths start
// in dir.
func (c *Config) CheckPinned(dir string) error {
	for _, path := range slices.Sorted(maps.Keys(c.Pinned)) {
		got := cmp.Or(digestFile((&handler{dir: dir}).resolve(path)), Absent)
		if got != c.Pinned[path] {
			return trammel.Fail(trammel.CodeChanged, "pinned file %s: found %s, but %s is trusted; read it, then run: trammel trust", path,
				got, c.Pinned[path])
		}
	}
	return nil
}

// digestFile is the digest of a file, "" if it is not a file.
func digestFile(path string) string {
	digest, err := files.Digest(path)
	if err != nil {
		return ""
	}
	return digest
}
