package human

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Process is this process or one of its ancestors.
type Process struct {
	ID   int
	Name string   // what the system calls it
	Exe  string   // the file that runs, "" if that is unknown
	Args []string // its command line, nil if that is unknown
	Env  []string // its environment, nil if that is unknown
}

// maxDepth is the maximum number of ancestors of a process.
const maxDepth = 256

// Marked is the variable with which an agent has marked this process or one
// above it: a command that is started without the variable is found out, too.
func Marked(mark func(getenv func(string) string) string) string {
	above, _ := Lineage() // where it is unknown, the command's own environment is all there is
	for i := range above {
		if name := mark(above[i].getenv); name != "" {
			return name
		}
	}
	return mark(os.Getenv)
}

func (p *Process) getenv(name string) string {
	for _, e := range p.Env {
		if value, ok := strings.CutPrefix(e, name+"="); ok {
			return value
		}
	}
	return ""
}

// Programs are the possible names of a process: of its file and its command
// line, and for an interpreter that of its script.
func (p *Process) Programs() []string {
	out := []string{base(p.Name), base(p.Exe)}
	if len(p.Args) > 0 {
		out = append(out, base(strings.TrimLeft(p.Args[0], "-")))
	}
	if slices.ContainsFunc(out, interprets) {
		if script := p.script(); script != "" {
			out = append(out, base(script))
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" || s == "." })
}

// Runs reports whether the process runs something from a package, judging by
// the folder of its script.
func (p *Process) Runs(pack string) bool {
	part := "/" + pack + "/"
	return slices.ContainsFunc(append(p.Args[:min(len(p.Args), 8):min(len(p.Args), 8)], p.Exe), func(arg string) bool {
		return strings.Contains(filepath.ToSlash(arg), part)
	})
}

// script is the first argument that is not an option.
func (p *Process) script() string {
	for _, a := range p.Args[min(1, len(p.Args)):] {
		if !strings.HasPrefix(a, "-") {
			return a
		}
	}
	return ""
}

// hook reports whether the process is one that an agent starts for its events.
func (p *Process) hook() bool {
	programs := p.Programs()
	return slices.Contains(programs, "trammel-hook") ||
		slices.Contains(programs, "trammel") && (slices.Contains(p.Args, "hook") || slices.Contains(p.Args, "run-hook"))
}

func interprets(name string) bool {
	name = strings.TrimRight(name, "0123456789.")
	switch name {
	case "node", "nodejs", "bun", "deno", "python", "ruby", "perl", "sh", "bash", "zsh", "dash", "fish", "npx", "npm", "env", "MainThread":
		return true
	}
	return false
}

// base is the last part of a path, without extensions of programs.
func base(path string) string {
	path = filepath.Base(filepath.ToSlash(path))
	path = strings.TrimSuffix(path, " (deleted)")
	for _, ext := range []string{".exe", ".js", ".mjs", ".cjs", ".py", ".cmd"} {
		path = strings.TrimSuffix(path, ext)
	}
	return path
}
