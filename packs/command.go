package packs

import (
	"errors"
	"os"
	"os/exec"
	pathpkg "path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/files"
)

// command checks that what runs is a file of the pack, run by an interpreter
// of the runtime's kind, and that no argument leads out of the pack.
func (r *report) command(p *Pack, list []*value) {
	program := p.Runtime.Command[0]
	switch {
	case isPath(program):
		p.Runtime.Command[0] = r.inside(p, list[0], program)
	case !interprets(p.Runtime.Kind, program):
		r.add(Error, "wrong_interpreter", list[0].place, "%q is not an interpreter for %s", program, p.Runtime.Kind)
	default:
		if _, err := exec.LookPath(program); err != nil {
			r.add(Warning, "interpreter_missing", list[0].place, "%q is not found on this machine", program)
		}
	}
	for i, arg := range p.Runtime.Command[1:] {
		at, word := list[i+1], &p.Runtime.Command[i+1]
		option, value, _ := strings.Cut(arg, "=")
		switch {
		case inline(p.Runtime.Kind, option):
			r.add(Error, "command_inline_code", at.place, "%s takes code that is not in a file of the pack", option)
		case strings.HasPrefix(arg, "-") && isPath(value):
			*word = option + "=" + r.inside(p, at, value)
		case strings.HasPrefix(arg, "-"):
		default:
			*word = r.inside(p, at, arg)
		}
	}
	if p.Entrypoint == "" && !r.failed {
		r.add(Error, "entrypoint_missing", list[0].place, "none of the command's elements is a file of the pack")
	}
}

// inside checks a path of the command, and uses the first file as the entry
// point. A word that names nothing in the pack is just an argument. It returns
// the path to run, without "..": after a link, ".." may lead to another
// directory than it seems to.
func (r *report) inside(p *Pack, at *value, given string) string {
	path := strings.ReplaceAll(given, `\`, "/")
	if filepath.IsAbs(path) || strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~") || filepath.VolumeName(path) != "" ||
		len(path) > 1 && path[1] == ':' {
		r.add(Error, "command_absolute", at.place, "%q is absolute; paths start at the pack's root", path)
		return given
	}
	if !filepath.IsLocal(path) {
		r.add(Error, "command_escapes", at.place, "%q leads out of the pack", path)
		return given
	}
	if slices.Contains(strings.Split(path, "/"), "..") {
		path = pathpkg.Clean(path)
		given = path
	}
	full := filepath.Join(p.Dir, filepath.FromSlash(path))
	real, err := filepath.EvalSymlinks(full)
	switch {
	case errors.Is(err, os.ErrNotExist) && !isPath(path) && filepath.Ext(path) == "":
	case err != nil:
		r.add(Error, "entrypoint_missing", at.place, "%q does not exist", path)
	case !files.Within(p.Dir, real):
		r.add(Error, "command_escapes", at.place, "%q is a link that leads out of the pack", path)
	default:
		if info, err := os.Stat(real); err == nil && info.Mode().IsRegular() && p.Entrypoint == "" {
			p.Entrypoint = filepath.ToSlash(filepath.Clean(path))
		}
	}
	return given
}

func isPath(s string) bool { return strings.ContainsAny(s, `/\`) }

// interprets reports whether a program found on PATH runs files of this kind.
func interprets(kind, program string) bool {
	program = strings.TrimSuffix(program, ".exe")
	if kind == Node {
		return slices.Contains([]string{"node", "nodejs", "tsx", "bun", "deno"}, program)
	}
	version, ok := strings.CutPrefix(program, "python")
	return ok && strings.Trim(version, "0123456789.") == ""
}

// inline reports whether an option makes an interpreter run something else
// than a file of the pack.
func inline(kind, option string) bool {
	if option == "-" {
		return true
	}
	if kind == Node {
		return slices.Contains([]string{"-e", "-p", "-pe", "-i", "--eval", "--print", "--interactive", "--env-file", "--import", "--loader",
			"--experimental-loader", "-r", "--require", "--inspect", "--inspect-brk"}, option)
	}
	short := strings.HasPrefix(option, "-") && !strings.HasPrefix(option, "--")
	return short && strings.ContainsAny(option, "cm") || option == "-i"
}
