package shellguard

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/recipes"
	"github.com/trammel-dev/trammel/internal/lex"
)

// planted judges what is written into files that run by themselves, in other hands: a
// workflow of CI, a hook of git, the scripts of a package. There, what sends a secret
// away counts, and what lets somebody in.
func (g *guard) planted(ev *trammel.Event, set *effects.Set) (found []finding) {
	a, at := &ev.Tool.Action, effects.At(ev)
	if a.Content != "" {
		for _, name := range a.Paths {
			found = append(found, g.plants(name, a.Content, at)...)
		}
	}
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
			found = append(found, g.plants(f.Path.Abs, printed(&set.Runs[f.Run]), at)...)
		}
	}
	return found
}

// printed is what a run writes of the call itself: its standard input, or what it is
// told to print.
func printed(r *effects.Run) string {
	if r.Input != nil {
		return *r.Input
	}
	var text []string
	for _, w := range r.Args {
		if r.Data {
			text = append(text, strings.ReplaceAll(w.Text, `\n`, "\n"))
		}
	}
	return strings.Join(text, " ")
}

// maxLines limits how many commands of such a file are judged.
const maxLines = 500

// plants judges the text of one file.
func (g *guard) plants(name, text string, at *model.Setting) (found []finding) {
	if text == "" || !runsByItself(name) {
		return nil
	}
	if len(text) > maxCode {
		found = append(found, finding{code: "too_complex", target: path.Base(name) + " is long"})
		text = text[:maxCode]
	}
	if compact := strings.ReplaceAll(strings.ToLower(text), " ", ""); strings.Contains(compact, "tojson(secrets)") {
		found = append(found, finding{code: "sends_variable", target: "toJSON(secrets) in " + path.Base(name)})
	}
	lines := linesOf(name, text)
	if len(lines) > maxLines {
		found = append(found, finding{code: "too_complex", target: path.Base(name) + " has many commands"})
		lines = lines[:maxLines]
	}
	for _, line := range lines {
		set := effects.Derive(&trammel.Action{Kind: trammel.ShellAction, Command: line}, at)
		for _, f := range judgeSet(set, at, &g.options) {
			switch {
			case f.code == "exfiltration", f.code == "sends_variable", f.code == "reverse_shell",
				f.code == "reads_secret" && strings.Contains(f.target, "$"):
				f.target = path.Base(name) + ": " + f.target
				found = append(found, f)
			}
		}
	}
	return found
}

// runsByItself reports whether a file is run without anybody asking for it: by a
// service, by git, by those who install the package or build the image.
func runsByItself(name string) bool {
	name = "/" + strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	for _, folder := range [...]string{"/.github/workflows/", "/.gitea/workflows/", "/.forgejo/workflows/", "/.circleci/", "/.woodpecker/",
		"/.buildkite/", "/.git/hooks/", "/.husky/", "/.githooks/"} {
		if strings.Contains(name, folder) {
			return true
		}
	}
	switch base := path.Base(name); base {
	case ".gitlab-ci.yml", "bitbucket-pipelines.yml", "azure-pipelines.yml", ".travis.yml", "appveyor.yml", ".drone.yml", ".woodpecker.yml",
		"cloudbuild.yaml", "buildspec.yml", "action.yml", "action.yaml",
		".pre-commit-config.yaml", "lefthook.yml", "jenkinsfile", "package.json", "devcontainer.json":
		return true
	default:
		return strings.HasPrefix(base, "dockerfile") || strings.HasPrefix(base, "containerfile")
	}
}

// linesOf are the commands in such a file, or in a part of one.
func linesOf(name, text string) (out []string) {
	base := strings.ToLower(path.Base(name))
	switch {
	case strings.HasSuffix(base, ".json"):
		return jsonValues(text)
	case strings.HasPrefix(base, "jenkinsfile"):
		return strings.FieldsFunc(text, func(r rune) bool { return r == '\'' || r == '"' || r == '\n' })
	case path.Ext(base) == ".yml" || path.Ext(base) == ".yaml" || strings.Contains(base, "file"):
		for _, step := range recipes.Of(base, withVariables(text), nil) {
			out = append(out, step.Text)
		}
		return out
	}
	if language := recipes.Interpreter(text); language != "" {
		text = language + " <<'END OF HOOK'\n" + text + "\nEND OF HOOK"
	}
	return []string{text}
}

// withVariables writes the secrets of a workflow as variables of the shell, which is
// what they are to its commands: ${{ secrets.TOKEN }}. In single quotes as well: the
// value is there before the shell looks.
func withVariables(text string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "${{")
		inner, after, closed := strings.Cut(rest, "}}")
		out.WriteString(before)
		if !ok || !closed {
			out.WriteString(rest)
			return out.String()
		}
		_, variable, secret := strings.Cut(strings.TrimSpace(inner), "secrets.")
		line := out.String()[strings.LastIndexByte(out.String(), '\n')+1:]
		switch variable = "$" + strings.TrimSpace(variable); {
		case !secret:
			out.WriteString("x")
		case strings.Count(line, "'")%2 == 1:
			out.WriteString(`'"` + variable + `"'`)
		default:
			out.WriteString(variable)
		}
		text = after
	}
}

// jsonValues are the values of several words in a text of JSON, or in a part of one.
func jsonValues(text string) (out []string) {
	for at := strings.IndexByte(text, '"'); at >= 0; {
		n := lex.Quoted(text[at:], '"')
		var value string
		if strings.HasSuffix(strings.TrimSpace(text[:at]), ":") && json.Unmarshal([]byte(text[at:at+n]), &value) == nil &&
			strings.Contains(value, " ") {
			out = append(out, value)
		}
		next := strings.IndexByte(text[at+n:], '"')
		if next < 0 {
			break
		}
		at += n + next
	}
	return out
}
