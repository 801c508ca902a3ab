package selfprotection

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/effects"
)

// assigns judges a variable that is set for a run, or from now on.
func (j *judgement) assigns(name, value string, r *effects.Run) {
	switch {
	case strings.HasPrefix(name, "TRAMMEL_"), name == "SA_DISABLED_HOOKS", name == "SA_HOOK_PROFILE", name == "SA_HOOK_INPUT_TRUNCATED",
		name == "SA_HOOK_INPUT_MAX_BYTES":
		j.add(trammel.Deny, "hook_switch", name, "Setting "+name+" switches hooks off or changes them, which is for the person who set them up. "+
			"Run the command without it.")
		return
	}
	for _, agent := range j.started(r) {
		h := standard.Program(agent)
		switch {
		case (h != nil || isProgram(agent)) && name == "PATH" && j.inFront(value):
			j.add(trammel.Ask, "hook_switch", name, "Starting "+agent+" with other folders in front of PATH may make it start "+
				"another program in place of its hooks. A person should decide.")
		case isProgram(agent) && movesAll(name), h != nil && (movesAll(name) || h.DisablesHooks(name, value) || h.ChangesSettings(name, value)):
			j.add(trammel.Deny, "hook_switch", name, "Starting "+agent+" with another "+name+
				" starts it without the hooks of this machine. Start it without that.")
		case h != nil && h.DisablesSafeguards(name, value):
			j.add(trammel.Ask, "hook_switch", name, "Starting "+agent+" with "+name+
				" makes it act without asking, or run other code first. A person should decide.")
		}
	}
}

// started returns the programs that a variable affects: the one it is set for and
// what that starts, or all on the line.
func (j *judgement) started(r *effects.Run) []string {
	var all bool
	switch r.Program {
	case "export", "declare", "typeset", "setenv", "set", "readonly", "env":
		all = true
	}
	out, below := []string{r.Program}, make([]bool, len(j.set.Runs))
	for i := range j.set.Runs {
		other := &j.set.Runs[i]
		below[i] = all || other == r || other.By >= 0 && other.By < i && below[other.By]
		if below[i] && !slices.Contains(out, other.Program) {
			out = append(out, other.Program)
		}
	}
	return out
}

// movesAll reports whether a variable makes every agent use other settings, or none.
func movesAll(name string) bool {
	return slices.Contains([]string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "USERPROFILE", "APPDATA",
		"LOCALAPPDATA"}, name)
}

// inFront reports whether a PATH begins with a folder other than the current first one.
func (j *judgement) inFront(list string) bool {
	first, _, _ := strings.Cut(list, string(filepath.ListSeparator))
	return first != "" && first[0] != '$' && (len(j.grounds().path) == 0 || first != j.grounds().path[0])
}

// starts judges how an agent is started: without its hooks it is not guarded.
func (j *judgement) starts(h *dialects.Host, i int) {
	r := &j.set.Runs[i]
	for k, w := range r.Args {
		name, value, joined := strings.Cut(w.Text, "=")
		if !joined && k+1 < len(r.Args) {
			value = r.Args[k+1].Text
		}
		switch {
		case h.DisablesHooks(name, value):
			j.add(trammel.Deny, "hook_switch", name, "Starting "+r.Program+" with "+name+
				" starts it without the hooks of this machine. Start it without that.")
		case h.ChangesSettings(name, value):
			j.add(trammel.Ask, "hook_switch", name, "Starting "+r.Program+" with "+name+
				" makes it read other settings, which may be without the hooks of this machine. A person should decide.")
		case h.DisablesSafeguards(name, value):
			j.add(trammel.Ask, "hook_switch", name, "Starting "+r.Program+" with "+name+
				" makes it act without asking, or run other code first. A person should decide.")
		}
	}
	if by := j.estranged(i); by != "" {
		j.add(trammel.Ask, "hook_switch", by, "Starting "+r.Program+" through "+by+
			" may start it with other settings, without the hooks of this machine. A person should decide.")
	}
}

// estranged says what separates a run from the user's settings: an empty
// environment, another user, another root.
func (j *judgement) estranged(i int) string {
	for at, n := j.set.Runs[i].By, 0; at >= 0 && n < 100; at, n = j.set.Runs[at].By, n+1 {
		r := &j.set.Runs[at]
		for _, w := range r.Args {
			switch t := w.Text; {
			case r.Program == "env" && (t == "-i" || t == "-" || t == "--ignore-environment" || t == "-u" || strings.HasPrefix(t, "--unset")),
				(r.Program == "sudo" || r.Program == "doas") && (t == "-u" || strings.HasPrefix(t, "--user") || t == "-H" || t == "-i"),
				r.Program == "chroot", r.Program == "su", r.Program == "runuser", r.Program == "machinectl":
				return strings.TrimSpace(r.Program + " " + t)
			}
		}
	}
	return ""
}
