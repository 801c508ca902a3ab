package selfprotection

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/internal/layers"
)

// command judges one run: Trammel's own verbs, variables that switch hooks off,
// and signals to its processes.
func (j *judgement) command(i int, r *effects.Run) {
	for _, a := range r.Env {
		j.assigns(a.Name, r)
	}
	if r.Remote {
		j.elsewhere(r)
	}
	if h := standard.Program(r.Program); h != nil && h.Wiring != nil {
		j.starts(h, r)
	}
	switch r.Program {
	case "trammel":
		j.verb(r)
	case "git":
		j.git(r)
	case "go":
		j.goRun(r)
	case "env", "export", "declare", "typeset", "setenv", "readonly", "set", "setx":
		for k, w := range r.Args {
			name, _, assigned := strings.Cut(w.Text, "=")
			if assigned || k == 0 && (r.Program == "setenv" || r.Program == "setx") {
				j.assigns(name, r)
			}
		}
	case "expect", "autoexpect", "osascript":
		for _, w := range r.Args {
			if strings.Contains(w.Text, "trammel ") {
				j.add(trammel.Deny, "trammel_command", r.Program, "This has "+r.Program+
					" type a trammel command. Run trammel itself, as far as it is yours to run.")
			}
		}
	case "docker", "podman", "nerdctl":
		j.volumes(r)
	case "kill", "pkill", "killall", "skill", "taskkill", "killall5", "xkill", "fuser", "systemctl", "service", "launchctl", "stop-process":
		if target, ok := j.signals(i); ok {
			j.add(trammel.Deny, "stops_trammel", target, "This would stop Trammel, which guards this session. It is not yours to stop; if it "+
				"hangs, tell the person.")
		}
	}
}

// elsewhere judges a run on another machine or in a container. That may be this
// machine after all, or share our places with it.
func (j *judgement) elsewhere(r *effects.Run) {
	switch r.Program {
	case "rm", "mv", "cp", "ln", "tee", "sed", "chmod", "chown", "truncate", "unlink", "shred", "dd", "install":
	default:
		return
	}
	for _, w := range r.Args {
		if names(w.Text) {
			j.add(trammel.Ask, "unknown_path", w.Text, fmt.Sprintf("This changes %s somewhere else, and it is unknown whether that is this "+
				"machine's. A person should decide.", w.Text))
		}
	}
}

// verb lets those verbs pass that only look.
func (j *judgement) verb(r *effects.Run) {
	words := verbs(r.Args)
	what := strings.TrimSpace("trammel " + strings.Join(words, " "))
	first, second := "", ""
	if len(words) > 0 {
		first = words[0]
	}
	if len(words) > 1 {
		second = words[1]
	}
	for _, w := range r.Args {
		if w.Text == "--help" || w.Text == "-h" || w.Text == "--dry-run" {
			return
		}
	}
	switch first {
	case "", "help", "version", "list", "explain", "status", "doctor", "events", "schema", "test", "conformance", "demo", "policies",
		"compile", "completion", "run-hook", "hook", "run":
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
	case "trust", "allow", "watch", "approve", "uninstall", "init", "untrust", "pin", "pause", "disable", "off", "grant":
	default:
		j.add(trammel.Ask, "trammel_command", what, "This runs "+what+", which may change what guards this session. A person should decide.")
		return
	}
	j.add(trammel.Deny, "trammel_command", what, "Only a person may run "+what+
		": it changes what guards this session. Tell the person why it is needed and let them run it. `trammel explain` and `trammel list` are "+
		"yours to use.")
}

// verbs are the words that choose what trammel does.
func verbs(args []effects.Word) []string {
	var out []string
	for i := 0; i < len(args) && len(out) < 2; i++ {
		text := args[i].Text
		switch {
		case text == "--dir" || text == "-C" || text == "--config" || text == "--host" || text == "--scope" ||
			text == layers.UserFlag || text == layers.StateFlag:
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

// unhooks reports whether a variable makes the agent that a run starts, or
// after an export one that the same line starts, run without its hooks.
func (j *judgement) unhooks(name string, r *effects.Run) bool {
	of := func(r *effects.Run) bool {
		if isProgram(r.Program) {
			return movesAll(name)
		}
		h := standard.Program(r.Program)
		return h != nil && (movesAll(name) || h.Unhooks(name, "") || h.Moves(name, ""))
	}
	if r.Program != "export" && r.Program != "declare" && r.Program != "setenv" {
		return of(r)
	}
	return slices.ContainsFunc(j.set.Runs, func(other effects.Run) bool { return of(&other) })
}

// assigns judges a variable that is set for a run, or from now on.
func (j *judgement) assigns(name string, r *effects.Run) {
	switch {
	case strings.HasPrefix(name, "TRAMMEL_"), name == "SA_DISABLED_HOOKS", name == "SA_HOOK_PROFILE", name == "SA_HOOK_INPUT_TRUNCATED",
		name == "SA_HOOK_INPUT_MAX_BYTES":
		j.add(trammel.Deny, "hook_switch", name, "Setting "+name+" switches hooks off or changes them, which is for the person who set them up. "+
			"Run the command without it.")
	case j.unhooks(name, r):
		j.add(trammel.Deny, "hook_switch", name, "Starting "+r.Program+" with another "+name+
			" starts it without the hooks of this machine. Start it without that.")
	}
}

// movesAll knows variables under which every agent finds other settings, or none.
func movesAll(name string) bool {
	switch name {
	case "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA":
		return true
	}
	return false
}

// starts judges how an agent is started: without its hooks it is one that
// is not guarded.
func (j *judgement) starts(h *dialects.Host, r *effects.Run) {
	for i, w := range r.Args {
		name, value, joined := strings.Cut(w.Text, "=")
		if !joined && i+1 < len(r.Args) {
			value = r.Args[i+1].Text
		}
		if !strings.HasPrefix(name, "-") {
			continue
		}
		switch {
		case h.Unhooks(name, value):
			j.add(trammel.Deny, "hook_switch", name, "Starting "+r.Program+" with "+name+
				" starts it without the hooks of this machine. Start it without that.")
		case h.Moves(name, value):
			j.add(trammel.Ask, "hook_switch", name, "Starting "+r.Program+" with "+name+
				" makes it read other settings, which may be without the hooks of this machine. A person should decide.")
		}
	}
}

// signals reports whether a run that stops processes means ours.
func (j *judgement) signals(i int) (string, bool) {
	r := &j.set.Runs[i]
	unknown := r.More
	for _, w := range r.Args {
		if strings.HasPrefix(w.Text, "-") {
			continue
		}
		if strings.Contains(strings.ToLower(w.Text), "trammel") || strings.HasSuffix(r.Program, "kill") && r.Program != "kill" &&
			matchesName(w.Text) {
			return w.Text, true
		}
		unknown = unknown || !w.Known
	}
	if !unknown {
		return "", false
	}
	for k := range j.set.Runs { // kill $(pgrep trammel)
		for _, w := range j.set.Runs[k].Args {
			if strings.Contains(strings.ToLower(w.Text), "trammel") {
				return w.Text, true
			}
		}
	}
	return "", false
}

// matchesName reports whether a pattern of pkill is one of our names, and not
// of everybody.
func matchesName(pattern string) bool {
	re, err := regexp.Compile("(?i)" + pattern)
	return err == nil && (re.MatchString("trammel") || re.MatchString("trammel-hook")) && !re.MatchString("") && !re.MatchString("vim")
}
