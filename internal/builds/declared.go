package builds

import (
	"slices"
	"strings"
)

// Declared reports whether a command line is nothing but a check that the
// project in a directory declares itself: a script of its package, a target of
// its Makefile, the tests of its toolchain. Then it is returned as the words to
// run, without a shell. Options, paths and everything else that would make it
// another command than the declared one make it none.
func Declared(dir, command string) (args []string, ok bool) {
	args = strings.Fields(command)
	if len(args) == 0 || strings.ContainsAny(command, "|&;<>()$`\\\"'*?[]{}~#\n=") {
		return nil, false
	}
	rest := args[1:]
	switch program := args[0]; program {
	case "npm", "pnpm", "yarn", "bun":
		if len(rest) > 1 && (rest[0] == "run" || rest[0] == "run-script") {
			rest = rest[1:]
		}
		manifest, _ := File(dir, "package.json")
		ok = isCheck(rest) && len(Scripts(manifest, rest[0])) > 0
	case "make", "just", "task":
		ok = isCheck(rest) && slices.ContainsFunc(targetFiles(program), func(name string) bool {
			text, there := File(dir, name)
			return there && HasTarget(text, rest[0])
		})
	case "cargo":
		ok = isOneOf(rest, "test", "build", "check", "clippy") && has(dir, "Cargo.toml")
	case "go":
		ok = len(rest) == 2 && isOneOf(rest[:1], "test", "build", "vet") && rest[1] == "./..." && has(dir, "go.mod")
	case "python", "python3":
		ok = slices.Equal(rest, []string{"-m", "pytest"}) && has(dir, pythonFiles...)
	case "pytest":
		ok = len(rest) == 0 && has(dir, pythonFiles...)
	case "tox":
		ok = len(rest) == 0 && has(dir, "tox.ini", "pyproject.toml")
	}
	return args, ok
}

var pythonFiles = []string{"pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"}

func targetFiles(program string) []string {
	switch program {
	case "make":
		return []string{"GNUmakefile", "makefile", "Makefile"}
	case "just":
		return []string{"justfile", "Justfile", ".justfile"}
	}
	return []string{"Taskfile.yml", "Taskfile.yaml"}
}

// isCheck reports whether words are the name of a script or target that checks
// something: one that deploys is never run to see whether it works.
func isCheck(words []string) bool {
	if len(words) != 1 {
		return false
	}
	name, _, _ := strings.Cut(words[0], ":")
	return isOneOf([]string{name}, "test", "tests", "check", "lint", "build", "typecheck", "verify")
}

func isOneOf(words []string, names ...string) bool {
	return len(words) == 1 && slices.Contains(names, words[0])
}

func has(dir string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, ok := File(dir, name); return ok })
}
