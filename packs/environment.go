package packs

import (
	"os"
	"path/filepath"
	"strings"
)

// environ is the environment of a pack's program: only what is needed to find
// programs, write text and know the time. It has no home directory, and nothing
// that could be a token.
func environ() []string {
	var env []string
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		switch name {
		case "PATH", "LANG", "TMPDIR", "TZ", "SystemRoot", "SYSTEMROOT", "TEMP", "TMP", "PATHEXT", "WINDIR":
			env = append(env, pair)
		default:
			if strings.HasPrefix(name, "LC_") {
				env = append(env, pair)
			}
		}
	}
	return append(env, "PYTHONUTF8=1", "PYTHONNOUSERSITE=1", "NO_COLOR=1")
}

// argv is what is started. An interpreter of Python leaves no compiled files in
// the pack: they would change its digest.
func (p *Pack) argv(command []string) []string {
	program := command[0]
	if isPath(program) {
		program = filepath.Join(p.Dir, filepath.FromSlash(strings.ReplaceAll(program, `\`, "/")))
	}
	args := []string{program}
	if p.Runtime.Kind == Python && !isPath(command[0]) {
		args = append(args, "-B")
	}
	return append(args, command[1:]...)
}
