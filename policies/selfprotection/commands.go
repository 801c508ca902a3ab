package selfprotection

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/internal/layers"
)

// command judges one run: Trammel's own verbs, variables that switch hooks off,
// and signals to its processes.
func (j *judgement) command(i int, r *effects.Run) {
	for _, a := range r.Env {
		j.assigns(a.Name, a.Value.Text, r)
	}
	if r.Remote {
		j.elsewhere(r)
	} else if _, known := programs.Lookup(r.Program); !known && r.Program != "" {
		j.unknownProgram(r)
	}
	if h := standard.Program(r.Program); h != nil {
		j.starts(h, i)
		j.indirectly(h, i)
		j.configures(h, r)
	}
	switch r.Program {
	case "defaults", "profiles", "plutil", "plistbuddy", "PlistBuddy", "reg",
		"set-itemproperty", "new-itemproperty", "remove-itemproperty", "remove-item":
		j.deployed(r)
	}
	j.packaged(r)
	switch r.Program {
	case "trammel":
		j.verb(r)
	case "git":
		j.git(r)
	case "go":
		j.goRun(r)
		j.builds(r)
	case "cargo", "make", "gmake", "cmake", "ninja", "npm", "pip", "pip3", "pipx", "gem", "zig", "dotnet", "bazel", "uv", "meson", "nix-env":
		j.builds(r)
	case "env", "export", "declare", "typeset", "setenv", "readonly", "set", "setx":
		for k, w := range r.Args {
			name, value, assigned := strings.Cut(w.Text, "=")
			if assigned || k == 0 && (r.Program == "setenv" || r.Program == "setx") {
				j.assigns(name, value, r)
			}
		}
	case "expect", "autoexpect", "osascript":
		for _, w := range r.Args {
			if strings.Contains(w.Text, "trammel ") {
				j.add(trammel.Deny, "trammel_command", r.Program, "This has "+r.Program+
					" type a trammel command. Run trammel itself, as far as it is yours to run.")
			}
		}
	case "docker", "podman", "nerdctl", "bwrap", "apptainer", "singularity", "systemd-nspawn":
		j.volumes(r)
	case "flock", "lockf", "setlock", "lckdo":
		j.locks(r)
	case "kill", "pkill", "killall", "skill", "taskkill", "killall5", "xkill", "fuser", "systemctl", "service", "launchctl", "stop-process",
		"renice", "cpulimit", "prlimit", "taskset", "chrt", "ionice", "gdb", "lldb", "strace", "ltrace", "snice", "criu":
		if target, ok := j.signals(i); ok {
			j.add(trammel.Deny, "stops_trammel", target, "This would stop Trammel, which guards this session. It is not yours to stop; if it "+
				"hangs, tell the person.")
		}
	}
}

// elsewhere judges a run on another machine or in a container. That may be this
// machine after all, or share directories with it.
func (j *judgement) elsewhere(r *effects.Run) {
	switch r.Program {
	case "rm", "mv", "cp", "ln", "tee", "sed", "chmod", "chown", "truncate", "unlink", "shred", "dd", "install":
	default:
		return
	}
	for _, w := range r.Args {
		if names(w.Text) || names(path.Join(r.Dir.Text, w.Text)) {
			j.add(trammel.Ask, "unknown_path", w.Text, fmt.Sprintf("This changes %s somewhere else, and it is unknown whether that is this "+
				"machine's. A person should decide.", w.Text))
		}
	}
}

// verb lets commands pass that only read.
func (j *judgement) verb(r *effects.Run) {
	if onlyShown(r.Args) {
		return
	}
	words := verbs(r.Args, true)
	j.selected(words)
	if other := verbs(r.Args, false); !slices.Equal(words, other) {
		j.selected(other)
	}
}

// onlyShown reports whether help is asked for, or what would be done. A word
// that may be the value of the option before it does not count, and neither
// does a switch that may be turned off again.
func onlyShown(args []effects.Word) (shown bool) {
	for i, w := range args {
		name, _, set := strings.Cut(w.Text, "=")
		if !w.Known || w.Text == "--" {
			return shown && w.Known
		}
		switch name {
		case "--help", "-h", "--dry-run":
			if set {
				return false
			}
			shown = shown || i == 0 || !takesValue(args[i-1].Text, "-y", "--yes", "--json", "--diff", "--mcp")
		}
	}
	return shown
}

// takesValue reports whether an option may have the next word as its value,
// unless it is one of those that never have one.
func takesValue(option string, never ...string) bool {
	return strings.HasPrefix(option, "-") && !strings.Contains(option, "=") && !slices.Contains(never, option)
}

// selected judges the command that these words select.
func (j *judgement) selected(words []string) {
	what := strings.TrimSpace("trammel " + strings.Join(words, " "))
	first, second := "", ""
	if len(words) > 0 {
		first = words[0]
	}
	if len(words) > 1 {
		second = words[1]
	}
	switch first {
	case "", "help", "version", "list", "explain", "status", "doctor", "events", "schema", "test", "conformance", "demo", "policies",
		"compile", "completion", "run-hook", "hook", "run", "log", "lint", "check",
		"report", "backtest", "suggest":
		return
	case "evidence":
		switch second {
		case "", "list", "show", "export", "tail", "verify", "prove", "check":
			return
		}
	case "approvals":
		switch second {
		case "", "list", "show", "grants":
			return
		}
	case "trust", "allow", "deny", "watch", "approve", "uninstall", "init", "untrust", "pin", "pause", "disable", "off", "grant":
	default:
		j.add(trammel.Ask, "trammel_command", what, "This runs "+what+", which may change what guards this session. A person should decide.")
		return
	}
	j.add(trammel.Deny, "trammel_command", what, "Only a person may run "+what+
		": it changes what guards this session. Tell the person why it is needed and let them run it. `trammel explain` and `trammel list` are "+
		"yours to use.")
}

// verbs returns the words that select a command of trammel. In front of them,
// the program takes the word after an option that it does not know for its
// value; with values that is done here, too.
func verbs(args []effects.Word, values bool) []string {
	var out []string
	for i := 0; i < len(args) && len(out) < 2; i++ {
		text := args[i].Text
		switch {
		case text == "--dir" || text == "-C" || text == "--config" || text == "--host" || text == "--scope" ||
			text == layers.UserFlag || text == layers.StateFlag || values && takesValue(text, "-h", "--help", "-v", "--version"):
			i++
		case !strings.HasPrefix(text, "-"):
			out = append(out, text)
		}
	}
	return out
}

// goRun looks through `go run …/cmd/trammel trust`.
func (j *judgement) goRun(r *effects.Run) {
	for i, w := range r.Args {
		if i > 0 && r.Args[0].Text == "run" && (strings.HasSuffix(w.Text, "cmd/trammel") || strings.Contains(w.Text, "cmd/trammel@")) {
			j.verb(&effects.Run{Args: r.Args[i+1:]})
		}
	}
}

// builds judges building or installing into one of our directories, named by an
// option or a variable.
func (j *judgement) builds(r *effects.Run) {
	var words []string
	for _, w := range r.Args {
		words = append(words, w.Text)
	}
	for _, e := range r.Env {
		words = append(words, e.Value.Text)
	}
	for _, text := range words {
		if _, value, ok := strings.Cut(text, "="); ok {
			text = value
		}
		if !filepath.IsAbs(text) && !strings.HasPrefix(text, "~") {
			continue
		}
		here := j.grounds()
		p := effects.Resolve(effects.At(j.ev), text)
		if k, hit := here.named(p.Abs, effects.NewTouch(j.ev, effects.Write, p, true)); k != nothing {
			j.refuse(k, hit)
		}
	}
}

// unknownProgram judges an unknown program that gets one of our files as an
// argument.
func (j *judgement) unknownProgram(r *effects.Run) {
	for _, w := range r.Args {
		if _, value, ok := strings.Cut(w.Text, "="); ok && strings.HasPrefix(w.Text, "-") {
			w.Text = value
		}
		if !strings.ContainsAny(w.Text, "/.") || strings.HasPrefix(w.Text, "-") || !r.Dir.Known() {
			continue
		}
		at := effects.At(j.ev)
		at.Dir = r.Dir.Abs
		p := effects.Resolve(at, w.Text)
		if k, hit := j.grounds().of(effects.NewTouch(j.ev, effects.Write, p, false)); k == config || k == hostWiring ||
			k == program {
			j.add(trammel.Ask, k.code(), hit, fmt.Sprintf("It is unknown what %s does with %s. A person should decide; reading it with cat needs "+
				"no question.", r.Program, hit))
		}
	}
}
