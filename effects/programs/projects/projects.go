// Package projects finds what the files of a project say that a program does: from which
// hosts it fetches, and which scripts of which workspaces a task runner starts.
package projects

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/options"
	"github.com/trammel-dev/trammel/effects/programs/optnames"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// Host is what is asked about the project. Text is what a file holds, as it is there or
// as the call has written it before.
type Host struct {
	Place func(model.Word) model.Path
	IsDir func(model.Path) bool
	Names func(model.Path) []string
	Text  func(model.Path) string
	Doubt func(code, what string)
}

// Limits for what is looked at.
const (
	maxFiles   = 64
	maxFolders = 48
)

// Origins are the hosts that files name, and from which a program fetches. program is the
// name of its row, a are its arguments.
func Origins(h Host, program string, a *options.Args) (nets []model.Net) {
	names := recipes.OriginFiles(program, a.Word(0), a.Word(1))
	if len(names) == 0 {
		return nil
	}
	container := strings.HasPrefix(program, "docker")
	from, files := word("."), []model.Word(nil)
	if dir, ok := a.Value("C", "dir", "cwd", "prefix", "chdir", "directory", "project-directory"); ok {
		from = dir
	}
	operands := slices.Clone(a.Operands)
	if program == "pip" && len(operands) > 0 {
		operands = append(operands, a.All("editable")...)
	}
	for i, w := range append(operands, from) {
		operand := i < len(operands)
		if operand && (i == 0 || !h.IsDir(h.Place(w))) || !operand && (program == "pip" || len(files) > 0 && container) {
			continue
		}
		for _, name := range names {
			files = append(files, below(w.Text, name))
		}
	}
	if container && a.Has("f", "file") {
		files = nil
	}
	if container || program == "pip" || program == "uv" {
		for _, option := range [...]string{"file", "requirement", "requirements", "constraint"} {
			files = append(files, a.All(option)...)
		}
	}
	for i := 0; i < len(files) && i < maxFiles; i++ {
		p := h.Place(files[i])
		if !p.Known() || p.Glob {
			continue
		}
		text := h.Text(p)
		for _, o := range recipes.Origins(p.Abs, text) {
			n := model.Net{URL: o.Text, Own: !o.Instead}
			if n.Host, n.Port = paths.HostOf(o.Text); strings.HasPrefix(o.Text, "git@") {
				n.Host = paths.RemoteHost(word(o.Text))
			}
			if n.Host != "" && !slices.Contains(nets, n) {
				nets = append(nets, n)
			}
		}
		for _, name := range recipes.Nested(p.Abs, text) {
			files = append(files, below(path.Dir(files[i].Text), name))
		}
	}
	return nets
}

// Settings are the commands in settings that a program is given as arguments:
// cargo --config 'target.x.runner="y"'.
func Settings(program string, a *options.Args) (steps []recipes.Step) {
	if program != "cargo" {
		return nil
	}
	for _, w := range a.All("config") {
		name, value, ok := strings.Cut(w.Text, "=")
		if ok && !(optnames.Program(name) && strings.Contains(value, "/")) { // which is started as any option's program is
			steps = append(steps, recipes.Of(".cargo/config.toml", w.Text, nil)...)
		}
	}
	return steps
}

// Script is a file of a workspace, and what is run from it.
type Script struct {
	Dir   model.Path
	File  string
	Words []string
}

// Scripts are what a task runner or a package manager runs in the workspaces of the project
// around its working directory.
// One that several workspaces have is listed once.
func Scripts(h Host, program string, a *options.Args) (out []Script) {
	tasks, only := Tasks(program, a)
	if len(tasks) == 0 {
		return nil
	}
	seen := map[string]bool{}
	tasks = append(tasks, recipes.TasksBefore(h.Text(h.Place(word("turbo.json")))+h.Text(h.Place(word("nx.json"))), tasks)...)
	for _, folder := range folders(h) {
		dir := h.Place(word(folder))
		for _, name := range [...]string{"package.json", "project.json"} {
			text := h.Text(h.Place(below(folder, name)))
			if text == "" || only != "" && path.Base(folder) != only && recipes.NameOf(text) != only {
				continue
			}
			for _, task := range tasks {
				s := Script{dir, name, []string{"run", task}}
				key := strconv.Itoa(strings.Count(folder, "/"))
				for _, step := range recipes.Of(name, text, s.Words) {
					key += "\n" + step.Text
				}
				if !seen[key] {
					seen[key] = true
					out = append(out, s)
				}
			}
		}
	}
	return out
}

// Tasks are the names of the scripts that are run in workspaces, and the one workspace that is
// meant, "" if there may be several.
func Tasks(program string, a *options.Args) (tasks []string, only string) {
	words := make([]string, len(a.Operands))
	for i, w := range a.Operands {
		words[i] = w.Text
	}
	at := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	rest := func(i int) []string { return words[min(i, len(words)):] }
	// -ws is --workspaces, and no workspace s.
	for _, option := range [...]string{"w", "workspace", "filter", "F", "scope", "projects", "p", "project"} {
		if w, ok := a.Value(option); ok && w.Known && w.Text != "s" && !strings.ContainsAny(w.Text, "*!.{[,^: ") {
			only = w.Text
		}
	}
	switch program {
	case "npm":
		switch {
		case at(0) == "workspace":
			only, words = at(1), rest(2)
		case at(0) == "workspaces" && at(1) == "run", at(0) == "workspaces" && at(1) == "foreach":
			words = rest(2)
		case !a.Has("w", "workspace", "workspaces", "ws", "r", "recursive", "filter", "F"):
			return nil, ""
		}
		switch task := at(0); task {
		case "run", "run-script":
			return rest(1)[:min(1, len(rest(1)))], only
		case "", "install", "i", "ci", "add", "exec", "x", "dlx":
			return nil, ""
		default:
			return []string{task}, only
		}
	case "turbo":
		if words = rest(0); at(0) == "run" {
			words = rest(1)
		}
		for i, task := range words {
			_, words[i], _ = strings.Cut("#"+task[strings.IndexByte(task, '#')+1:], "#")
		}
		return words, "" // a filter may take in what depends on it
	case "lerna":
		if at(0) == "run" {
			return rest(1), only
		}
	case "nx":
		switch at(0) {
		case "run": // project:target:configuration
			parts := strings.Split(at(1)+"::", ":")
			return []string{parts[1]}, ""
		case "run-many", "affected":
			for _, name := range [...]string{"target", "targets", "t"} {
				if w, ok := a.Value(name); ok {
					return append(strings.Split(w.Text, ","), rest(1)...), ""
				}
			}
		case "", "exec", "graph", "show", "list", "report", "reset", "migrate", "generate", "g", "format", "release", "init", "add", "daemon":
		default:
			return words[:1], "" // nx build app, which builds what it depends on
		}
	}
	return nil, ""
}

// folders are the workspaces that the project's files list, or those of the usual places.
func folders(h Host) (out []string) {
	text := func(name string) string { return h.Text(h.Place(word(name))) }
	patterns := recipes.Workspaces(text("package.json"), text("pnpm-workspace.yaml"), text("lerna.json"))
	if len(patterns) == 0 {
		patterns = []string{"packages/*", "apps/*", "libs/*", "services/*"}
	}
	for _, pattern := range patterns {
		before, _, many := strings.Cut(pattern, "*")
		folder := strings.TrimSuffix(before, "/")
		if !many {
			out = append(out, pattern)
			continue
		}
		for _, name := range h.Names(h.Place(word(folder))) {
			if name[0] != '.' && name != "node_modules" {
				out = append(out, path.Join(folder, name))
			}
		}
	}
	if len(out) > maxFolders {
		h.Doubt("size", "more workspaces than are looked at")
		out = out[:maxFolders]
	}
	return out
}

func below(dir, name string) model.Word {
	if dir == "." || dir == "" || strings.HasPrefix(name, "/") {
		return word(name)
	}
	return word(strings.TrimSuffix(dir, "/") + "/" + name)
}

func word(text string) model.Word { return model.Word{Text: text, Known: true} }
