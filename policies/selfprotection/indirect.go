package selfprotection

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
)

// indirectly judges an agent that code or another program starts: with variables
// that the code sets (os.environ["HOME"] = …), or that an option of the program
// hands on (tmux new -e HOME=…).
func (j *judgement) indirectly(h *dialects.Host, i int) {
	affects := func(name string) bool {
		return movesAll(name) || h.DisablesHooks(name, "1") || h.ChangesSettings(name, "")
	}
	for at, n := j.set.Runs[i].By, 0; at >= 0 && n < 100; at, n = j.set.Runs[at].By, n+1 {
		code := programs.Language(&j.set.Runs[at])
		for _, w := range j.set.Runs[at].Args {
			name, _, set := strings.Cut(w.Text[strings.LastIndexByte(w.Text, ' ')+1:], "=")
			if set && name != "" && affects(name) {
				j.moved(h, name)
			}
			if code == "" || code == "shell" {
				continue
			}
			for name := range strings.FieldsFuncSeq(w.Text, func(r rune) bool { return r != '_' && (r < 'A' || r > 'Z') }) {
				if len(name) > 3 && affects(name) {
					j.add(trammel.Ask, "hook_switch", name, "This code names "+name+" and starts "+j.set.Runs[i].Program+
						", which may then be without the hooks of this machine. A person should decide.")
				}
			}
		}
	}
}

func (j *judgement) moved(h *dialects.Host, name string) {
	j.add(trammel.Deny, "hook_switch", name, "Starting "+h.System+" with another "+name+
		" starts it without the hooks of this machine. Start it without that.")
}

// configures judges an agent's own command for its settings that is about hooks:
// claude config set disableAllHooks true, codex features disable hooks.
func (j *judgement) configures(h *dialects.Host, r *effects.Run) {
	area, key, verb := false, "", false
	for _, w := range r.Args {
		switch text := strings.ToLower(w.Text); {
		case strings.ContainsAny(text, " \n"): // a prompt
		case slices.Contains([]string{"config", "settings", "features", "feature", "hooks", "hook",
			"extensions", "plugin", "plugins"}, text) && !area:
			area = true
			if strings.HasPrefix(text, "hook") {
				key = w.Text
			}
		case strings.Contains(text, "hook") && !strings.HasPrefix(text, "-"):
			key = w.Text
		case slices.Contains([]string{"set", "unset", "add", "remove", "rm", "delete", "disable", "disable-all",
			"off", "false", "reset", "edit"}, text):
			verb = true
		}
	}
	if area && verb && key != "" {
		j.add(trammel.Deny, "hook_switch", key, "This changes which hooks "+h.System+" calls. Tell the person what should change.")
	}
}

// deployed judges preferences of the system that decide for an agent whether it
// calls its hooks: defaults write com.anthropic.claudecode …, reg add ….
func (j *judgement) deployed(r *effects.Run) {
	if r.Data || len(r.Args) == 0 || slices.Contains([]string{"read", "export", "query", "find", "domains"}, r.Args[0].Text) {
		return
	}
	for _, w := range r.Args {
		for _, h := range standard.Hosts() {
			for _, f := range h.Wiring {
				if f.Managed != nil && (named(w.Text, f.Managed.Domain) || named(w.Text, f.Managed.Key)) {
					j.add(trammel.Deny, hostWiring.code(), w.Text, strings.ReplaceAll(reasons[hostWiring], "PLACE", w.Text))
					return
				}
			}
		}
	}
}

// named reports whether a word is a preference domain or a key of the registry, or
// one below it.
func named(word, place string) bool {
	word = strings.ReplaceAll(strings.ToLower(word), "/", `\`)
	place = strings.ReplaceAll(strings.ToLower(place), "/", `\`)
	i := strings.LastIndex(word, place)
	return place != "" && i >= 0 && (i == 0 || word[i-1] == '\\') &&
		(len(word) == i+len(place) || strings.IndexByte(`\.`, word[i+len(place)]) >= 0)
}
