package shellguard

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/handed"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// maxHanded limits how many commands of all such files are judged in one call.
const maxHanded = 400

// handed judges what the session has written into files that the call gives to programs
// whose formats nothing here knows: a command in one that would do harm is asked about,
// because the program may run it.
func (g *guard) handed(set *effects.Set, at *model.Setting) (found []finding) {
	files, more := handed.Files(set, at)
	for i := range files {
		f := &files[i]
		in := *at
		if dir := set.Runs[f.Run].Dir.Abs; dir != "" {
			in.Dir = dir
		}
		steps, cut := handed.Steps(f)
		more = more || cut || f.Long
		if line := withSettings(&set.Runs[f.Run], f); line != "" {
			steps = append(steps, handed.Line(line))
		}
		for k := range steps {
			if k >= maxHanded {
				more = true
				break
			}
			if harm := g.harm(effects.DeriveCode(steps[k].Language, steps[k].Text, &in), &in); harm != nil {
				what := path.Base(f.Path.Abs) + ", given to " + set.Runs[f.Run].Program + ": " + harm.target
				found = append(found, finding{code: "harm_in_file", target: short(what)})
				return found
			}
		}
		if f.How == handed.Named && !f.Idle && recipes.Language(f.Path.Abs) == "unknown" && asksToSend(f, &in) {
			return append(found, finding{code: "harm_in_file", target: path.Base(f.Path.Abs) + ", given to " + set.Runs[f.Run].Program +
				": a secret and an address"})
		}
	}
	if more {
		found = append(found, finding{code: "unknown_code", target: "files of this session are not read in full"})
	}
	return found
}

// harm is the first finding about what a file holds that is beyond doubt.
func (g *guard) harm(set *effects.Set, at *model.Setting) *finding {
	for _, f := range judgeSet(set, at, &g.options) {
		switch f.code {
		case "exfiltration", "sends_variable", "reverse_shell", "remote_code", "decoded_code", "attack_tool", "destroys_system_tree",
			"destroys_home", "destroys_credentials", "raw_device", "fork_bomb", "container_escape":
			return &f
		}
	}
	return nil
}

// withSettings is a run with the settings of a file as its options, for programs whose
// options are known: wget --config=x, RIPGREP_CONFIG_PATH=x rg, a .curlrc.
func withSettings(r *effects.Run, f *handed.File) string {
	if row, known := programs.Lookup(r.Program); !known || row.Executes() || !handed.Settings(f) {
		return ""
	}
	words := []string{r.Program}
	words = append(words, handed.Options(f.Text)...)
	for _, w := range r.Args {
		words = append(words, w.Text)
	}
	for i, w := range words {
		if strings.ContainsAny(w, " \t\n\"'$`;&|<>()*?[#\\") {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// asksToSend reports whether a file names both a secret of this machine and an address
// elsewhere: a request of a client that is written down.
func asksToSend(f *handed.File, at *model.Setting) bool {
	ground, resolver := paths.On(at), paths.Resolver{World: at.World}
	dir := effects.Path{Text: at.Dir, Abs: at.Dir, Real: at.Dir}
	secret, address := false, false
	for word := range strings.FieldsFuncSeq(f.Text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`,;=()[]{}<>@", r) }) {
		if strings.Contains(word, "://") {
			host, _ := paths.HostOf(word)
			address = address || host != "" && !local(host)
			continue
		}
		if len(word) < 4 || !strings.ContainsAny(word, "./~") {
			continue
		}
		secret = secret || ground.Secret(resolver.Resolve(resolver.Tilde(word), dir))
	}
	return secret && address
}
