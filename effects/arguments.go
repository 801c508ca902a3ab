package effects

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/languages/detect"
	"github.com/trammel-dev/trammel/effects/languages/windows"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/recipes"
	"github.com/trammel-dev/trammel/effects/shell/parse"
	"github.com/trammel-dev/trammel/effects/sql"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Limits for the arguments of unknown tools.
const (
	maxArguments = 4096     // values, and programs that they start
	maxDeep      = 32       // values within values
	maxSecond    = 64 << 10 // bytes of a text that is tried as a command line
)

// arguments examines every text in the arguments of an unknown tool, at any
// depth. The name of an argument decides what its text is. If the name does not
// help, the text may be a URL, an existing path, or a command line, if it would
// destroy or send something when run.
func (r *reading) arguments() {
	w := argumentWalk{reading: r, left: maxArguments}
	if r.call.Action.Kind != trammel.ShellAction {
		w.undeclared(r.call.Action.Command)
	}
	w.object(r.call.Input, 0)
}

type argumentWalk struct {
	*reading
	left int
}

func (w *argumentWalk) value(name string, v any, depth int) {
	if w.left--; w.left < 0 {
		w.set.Doubt("size", "more arguments than are looked at", -1)
		return
	}
	if depth > maxDeep {
		w.set.Doubt("depth", name, -1)
		return
	}
	switch v := v.(type) {
	case string:
		w.text(name, v, depth)
	case map[string]any:
		w.object(v, depth)
	case []any:
		if words := texts(v); len(words) > 1 && len(words) == len(v) {
			words = slices.Concat(shellOf(words[0]), words)
			part, _ := trammel.PartOf(name)
			switch strings.ToLower(name) {
			case "commands", "cmds", "lines", "scripts": // one after the other, as in one shell
				w.command(strings.Join(words, "\n"), true)
			default:
				if part == trammel.CommandPart || part == trammel.NoPart && !isProse(name) {
					w.command(trammel.QuoteWords(words), part == trammel.CommandPart)
				}
			}
		}
		for _, e := range v {
			w.value(name, e, depth+1)
		}
	}
}

func texts(list []any) []string {
	var out []string
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// object examines the arguments in one object. A command next to a list of
// arguments is one command line.
func (w *argumentWalk) object(m map[string]any, depth int) {
	defer func(before doing) { w.does = before }(w.does)
	w.does = w.does.within(m)
	line := trammel.Loose(m).Command
	if line != "" {
		w.command(line, true)
		w.stored(line)
		if language := languageOf("script", w.call.Name); language != "" && m["script"] == any(line) {
			w.code(language, line) // runs in a page, not in a shell
		}
	}
	if line := cmp.Or(cloudCall(m), clientCall(w.call.Name, m), containerCall(w.call.Name, m),
		clusterCall(w.call.Name, m), taskCall(w.call.Name, m)); line != "" {
		w.command(line, true)
	}
	if name := settingOf(m); name != "" {
		w.value(name, m["value"], depth+1)
	}
	names := make([]string, 0, 8)
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	w.inFolder(m, names)
	for _, name := range names {
		if strings.HasPrefix(name, "file://") || strings.HasPrefix(name, "/") && w.isPath(name) { // {"/x": [an edit]}
			w.path(name)
		}
		text, ok := m[name].(string)
		if line == "" || !ok && !trammel.IsArguments(name) || ok && !strings.HasPrefix(line, text) {
			w.value(name, m[name], depth+1)
		}
	}
}

// inFolder lists the file that an object names by its folder and its name there:
// {"path": "src", "name": ".env"}. A name alone may be of anything, so it has to be there, or
// to get some content.
func (w *argumentWalk) inFolder(m map[string]any, names []string) {
	for _, name := range names {
		folder, _ := m[name].(string)
		part, _ := trammel.PartOf(name)
		if folder == "" || part != trammel.PathPart && part != trammel.DirPart && name != "dir" && name != "root" && name != "base" {
			continue
		}
		at := w.Paths.Resolve(w.Paths.Tilde(folder), w.Dir)
		if info, err := w.Lstat(cmp.Or(at.Real, at.Abs)); err != nil || !info.IsDir() {
			continue
		}
		for _, other := range [...]string{"name", "filename", "fileName", "file_name", "file", "path"} {
			file, _ := m[other].(string)
			below := path.Join(at.Abs, file)
			if file == "" || other == name || file[0] == '/' {
				continue
			}
			if _, err := w.Lstat(below); other != "name" || err == nil || w.call.Action.Content != "" {
				w.path(below)
			}
		}
	}
}

func (w *argumentWalk) text(name, text string, depth int) {
	if text == "" {
		return
	}
	open, types := terminal(w.call)
	if types {
		if !saysWhere(name) {
			w.typed(text)
		}
		return
	}
	if w.patch(name, text) {
		return
	}
	part, _ := trammel.PartOf(name)
	w.stored(text)
	switch part {
	case trammel.CommandPart:
		w.command(text, true)
	case trammel.PathPart:
		if (strings.ContainsAny(text, "\n;(") || languageOf(name, w.call.Name) != "") && !w.isPath(text) {
			w.unnamed(name, text, depth) // a source may be code or a path
			return
		}
		w.path(text)
	case trammel.URLPart:
		w.url(text)
	case trammel.QueryPart:
		if detect.IsSQL(text) && !(searches(nameOf(w.call)) && codeHost(w.call.Action.Server)) {
			w.statement(text)
		}
	case trammel.NoPart:
		w.unnamed(name, text, depth)
	case trammel.ContentPart:
		if open {
			w.typed(text)
		}
	}
}

// statement lists SQL, and the programs that it makes the database run.
func (w *argumentWalk) statement(text string) {
	w.set.Codes = append(w.set.Codes, model.Code{Language: "sql", Text: text, Origin: model.Inline, Run: -1})
	for _, line := range sql.Programs(text) {
		w.command(line, true)
	}
}

// stored lists a text that is a command for a store of keys or documents.
func (w *argumentWalk) stored(text string) {
	if store := detect.Store(text); store != "" && store != "sql" {
		w.set.Codes = append(w.set.Codes, model.Code{Language: store, Text: text, Origin: model.Inline, Run: -1})
	}
}

// unnamed examines a text whose name does not say what it is.
func (w *argumentWalk) unnamed(name, text string, depth int) {
	if text[0] == '{' || text[0] == '[' {
		if inner, err := strict.Object([]byte(`{"":`+text+`}`), strict.Limits{}); err == nil {
			w.value(name, inner[""], depth+1)
			return
		}
	}
	switch strings.ToLower(name) {
	case "revision", "rev", "ref", "object", "commit", "target":
		if _, file, ok := strings.Cut(text, ":"); ok && w.isPath(file) { // HEAD:.env
			w.path(file)
			return
		}
	}
	language := languageOf(name, w.call.Name)
	if said, _ := w.call.Input["language"].(string); language == "" && said != "" {
		language = languageOf(name, said)
	}
	switch {
	case isURL(text), isHost(name, text):
		w.url(text)
	case language == "sql" || detect.IsSQL(text) && !isHeadline(name):
		w.statement(text)
	case language != "":
		w.code(language, text)
	case isProse(name):
	case w.isPath(text), fixed(text) != "" && w.isPath(fixed(text)):
		w.path(text)
	default:
		w.command(strings.TrimPrefix(text, "!"), false)
		w.undeclared(text)
	}
}

// undeclared lists what a text does if it is code in a language that nothing names.
// It is not certain that it is run, so it counts only if that would do harm.
func (w *argumentWalk) undeclared(text string) {
	language := detect.Of(text)
	if language == "" || searches(nameOf(w.call)) {
		return
	}
	set := &Set{}
	w.Code(set, language, text)
	if harms(set) || slices.ContainsFunc(set.Doubts, func(d model.Doubt) bool { return d.Code == "size" }) {
		w.set.Add(set)
	}
}

// code lists what code does. A notebook cell may also be for the shell, after %%bash.
func (w *argumentWalk) code(language, text string) {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, " \n"), "\n")
	if magic := strings.Fields(strings.TrimPrefix(first, "%%script ")); len(magic) > 0 && language == "python" {
		switch strings.TrimPrefix(magic[0], "%%") {
		case "bash", "sh", "shell", "cmd", "!":
			w.command(rest, true)
			return
		}
	}
	for line := range strings.Lines(text) { // those of a notebook that are for the shell
		if line, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok && line != "" {
			w.command(line, false)
		}
	}
	if strings.Contains(text, "command") { // tools.shell({command: ["sh", "-c", "…"]})
		for _, line := range recipes.ArgumentLists(text) {
			w.command(line, false)
		}
	}
	before := len(w.set.Nets)
	w.Code(w.set, language, text)
	if language == "node" {
		w.page(text, before)
	}
}

// command lists what a command line does. If it is not sure that the text is one,
// it counts only if running it would do harm.
func (w *argumentWalk) command(line string, sure bool) {
	if line == w.call.Action.Command || !sure && searches(nameOf(w.call)) {
		return
	}
	if !sure && len(line) > maxSecond {
		if strings.ContainsAny(line, " \t") {
			w.set.Doubt("size", "a long text that may be a command", -1)
		}
		return
	}
	set := &Set{}
	source := parse.Bash(line)
	switch {
	case forWindows(line):
		w.Code(set, windows.Batch, line)
	case source.File == nil && !sure:
		return
	default:
		w.Interpret(set, source)
	}
	w.left -= len(set.Runs)
	if sure || harms(set) {
		w.set.Add(set)
	}
	if sure {
		w.undeclared(line)
	}
}

// harms reports whether effects go beyond looking at things that are not secret.
func harms(s *Set) bool {
	var ground paths.Ground
	return len(s.Bombs) > 0 || len(s.Nets) > 0 ||
		slices.ContainsFunc(s.Runs, func(r Run) bool {
			_, class := programs.ClassOf(&r)
			return class == programs.Destroy || class == programs.Reset || class == programs.Publish
		}) ||
		slices.ContainsFunc(s.Files, func(f File) bool { return f.Op != Search && (f.Op != Read || ground.Secret(f.Path)) }) ||
		slices.ContainsFunc(s.Codes, func(c model.Code) bool { return c.Origin == model.Network || c.Origin == model.Piped })
}

// urls lists the hosts that a fetching tool contacts: those of all arguments that
// are URLs, or else those of URLs inside its texts.
func (r *reading) urls() {
	var visit func(name string, v any, depth int)
	visit = func(name string, v any, depth int) {
		switch v := v.(type) {
		case string:
			if part, _ := trammel.PartOf(name); part == trammel.URLPart || isURL(v) {
				r.url(v)
			} else if r.call.Action.URL == "" {
				for word := range strings.FieldsSeq(v) {
					if at := strings.Index(word, "http"); at >= 0 && isURL(word[at:]) {
						r.url(strings.TrimRight(word[at:], ".,;:!?)]}>\"'"))
					}
				}
			}
		case []any:
			for _, e := range v {
				visit(name, e, depth+1)
			}
		case map[string]any:
			if depth > maxDeep {
				r.set.Doubt("depth", name, -1)
				return
			}
			for _, key := range slices.Sorted(maps.Keys(v)) {
				visit(key, v[key], depth+1)
			}
		}
	}
	visit("", r.call.Input, 0)
}
