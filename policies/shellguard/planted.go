package shellguard

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/handed"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// planted judges what is written into files that run by themselves, in other hands: a
// workflow of CI, a hook of git, the scripts of a package. There, what sends a secret
// away counts, and what lets somebody in.
func (g *guard) planted(ev *trammel.Event, set *effects.Set) (found []finding) {
	a, at := &ev.Tool.Action, effects.At(ev)
	for _, name := range a.Paths {
		found = append(found, g.plants(name, content(ev.Tool.Input, a.Content), at)...)
	}
	eachText(ev.Tool.Input, 0, func(name, text string) { found = append(found, g.plants(name, text, at)...) })
	for i := range set.Runs {
		r := &set.Runs[i]
		if r.Input == nil {
			continue
		}
		if w := programs.Parse(r); w.Word(0) == "build" || w.Word(1) == "build" { // docker build -
			found = append(found, g.plants("Dockerfile", *r.Input, at)...)
		}
	}
	for i := range set.Files {
		if f := &set.Files[i]; f.Op == effects.Write && f.Run >= 0 {
			found = append(found, g.plants(f.Path.Abs, handed.Printed(&set.Runs[f.Run]), at)...)
		}
	}
	return found
}

// maxLines limits how many commands of such a file are judged.
const maxLines = 500

// plants judges the text of one file.
func (g *guard) plants(name, text string, at *model.Setting) (found []finding) {
	if text == "" {
		return nil
	}
	if line := recipes.Unchecked(name, text); line != "" {
		found = append(found, finding{code: "unchecked_source", target: path.Base(name) + ": " + line})
	}
	hands := recipes.RunBy(name)
	if hands == recipes.Nobody && programs.Loaded(path.Base(name)) {
		hands = recipes.Asked
	}
	if hands == recipes.Nobody {
		return found
	}
	if len(text) > maxCode {
		found = append(found, finding{code: "too_complex", target: path.Base(name) + " is long"})
		text = text[:maxCode]
	}
	if compact := strings.ReplaceAll(strings.ToLower(text), " ", ""); strings.Contains(compact, "tojson(secrets)") {
		found = append(found, finding{code: "sends_variable", target: "toJSON(secrets) in " + path.Base(name)})
	}
	steps := recipes.Planted(name, text)
	if len(steps) > maxLines {
		found = append(found, finding{code: "too_complex", target: path.Base(name) + " has many commands"})
		steps = steps[:maxLines]
	}
	for _, step := range steps {
		for _, f := range judgeSet(effects.DeriveCode(step.Language, step.Text, at), at, &g.options) {
			if counts(f, hands) {
				if f.code == "remote_code" && hands == recipes.Image { // which is all that it can harm
					f.code = "foreign_source"
				}
				f.target = path.Base(name) + ": " + f.target
				found = append(found, f)
			}
		}
	}
	if hands != recipes.Unasked {
		return found
	}
	ground := paths.On(at)
	for _, program := range recipes.Starts(text) {
		if ground.Scratch(effects.Path{Abs: path.Clean(program)}) { // where everybody can put one
			found = append(found, finding{code: "persistence", target: path.Base(name) + ": " + program})
		}
	}
	return found
}

// counts reports whether what a planted file does counts when it is written. The rest is judged
// when somebody runs it.
func counts(f finding, hands recipes.Hands) bool {
	switch f.code {
	case "exfiltration", "sends_variable", "reverse_shell", "remote_code", "remote_unknown", "decoded_code", "attack_tool":
		return true
	case "reads_secret":
		return strings.Contains(f.target, "$")
	case "destroys_system_tree", "destroys_home", "destroys_credentials", "raw_device", "fork_bomb", "container_escape":
		return hands > recipes.Service
	case "persistence", "changes_accounts", "security_disabled", "permissions_escalate", "covers_tracks", "cloud_metadata", "shell_profile":
		return hands == recipes.Unasked
	}
	return false
}
