package languages

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// recorder is a Host that writes down what it is told, one effect a line.
type recorder struct {
	lines []string
	dir   model.Path
	args  []model.Word
	input string
	held  map[string][]string
	depth int
	spent int
}

func (r *recorder) note(format string, args ...any) {
	line := strings.TrimRight(strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "⏎"), " ")
	if !slices.Contains(r.lines, line) {
		r.lines = append(r.lines, line)
	}
}

func (r *recorder) Resolve(w model.Word) model.Path {
	p := model.Path{Text: w.Text, Glob: w.Glob}
	if w.Known && path.IsAbs(w.Text) {
		p.Abs = path.Clean(w.Text)
	} else if w.Known && r.dir.Abs != "" {
		p.Abs = path.Join(r.dir.Abs, w.Text)
	}
	p.Real = p.Abs
	return p
}

func (r *recorder) Dir() model.Path            { return r.dir }
func (r *recorder) Chdir(p model.Path)         { r.dir = p; r.note("cd %s", name(p)) }
func (r *recorder) Home() string               { return "/home/me" }
func (r *recorder) User() string               { return "me" }
func (r *recorder) Args() ([]model.Word, bool) { return r.args, false }
func (r *recorder) Input() string              { return r.input }

func (r *recorder) Listed(model.Word) (out []model.Word) {
	for line := range strings.Lines(r.input) {
		out = append(out, word(strings.TrimSpace(line)))
	}
	return out
}

func name(p model.Path) string {
	if p.Abs == "" {
		return "?" + p.Text
	}
	return strings.TrimPrefix(p.Abs, "/w/") + map[bool]string{true: " (pattern)"}[p.Glob]
}

func flags(pairs ...any) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1].(bool) {
			b.WriteString(" " + pairs[i].(string))
		}
	}
	return b.String()
}

func (r *recorder) File(f model.File) {
	to := ""
	if f.To.Text != "" {
		to = " to " + name(f.To)
	}
	r.note("%s %s%s%s", f.Op, name(f.Path), to, flags("tree", f.Tree, "append", f.Append, "endless", f.Endless, "shown", f.Shown))
}

func (r *recorder) Wrote(p model.Path, c Content) {
	if c.Known {
		r.held[p.Abs] = append(r.held[p.Abs], c.Text)
	}
	if c.Known || c.Network {
		r.note("holds %s %q%s", name(p), c.Text, flags("network", c.Network))
	}
}

func (r *recorder) Copied(from, to model.Path)  {}
func (r *recorder) Holds(p model.Path) []string { return r.held[p.Abs] }

func (r *recorder) Net(n model.Net) {
	r.note("net %s:%s%s", n.Host, n.Port, flags("sends", n.Sends, "in-url", n.InURL, "listens", n.Listens))
}

func (r *recorder) URL(w model.Word, sends bool) { r.note("url %s%s", show(w), flags("sends", sends)) }

func (r *recorder) Code(c model.Code) { r.note("code %s %s %s", c.Language, c.Origin, c.Text) }

func (r *recorder) Env(name string) { r.note("env %s", name) }
func (r *recorder) RunnerFile(name string) (string, bool) {
	return "/tmp/runner/output", name == "GITHUB_OUTPUT"
}
func (r *recorder) Bomb(text string)        { r.note("bomb %s", text) }
func (r *recorder) Printed(text string)     { r.note("prints %s", text) }
func (r *recorder) Doubt(kind, what string) { r.note("doubt %s %.80s", kind, what) }

func show(w model.Word) string {
	return map[bool]string{false: "?"}[w.Known] + w.Text + map[bool]string{true: " (pattern)"}[w.Glob]
}

func (r *recorder) Shell(text string, in *Content) {
	r.note("shell %s%s", text, input(in))
}

func input(in *Content) string {
	if in == nil {
		return ""
	}
	return fmt.Sprintf(" < %q%s", in.Text, flags("network", in.Network))
}

func (r *recorder) Start(words []model.Word, s Start) {
	var list []string
	for _, w := range words {
		list = append(list, show(w))
	}
	dir := ""
	if s.Dir != nil {
		dir = " in " + name(*s.Dir)
	}
	r.note("run %s%s%s%s", strings.Join(list, "|"), flags("…", s.More), dir, input(s.Input))
}

func (r *recorder) Run(language, text string) {
	if r.depth++; r.depth > 24 {
		r.Doubt("depth", language)
		return
	}
	Read(language, text, r)
	r.depth--
}

func (r *recorder) RunFile(language string, w model.Word) { r.note("load %s %s", language, show(w)) }

func (r *recorder) Spend(n int) bool {
	r.spent += n
	return r.spent <= 1<<20
}

func newRecorder() *recorder {
	return &recorder{dir: model.Path{Abs: "/w", Real: "/w"}, input: "input", held: map[string][]string{}}
}

// read returns what code does.
func read(l *Language, text string, args ...string) *recorder {
	r := newRecorder()
	r.args = append(r.args, word("-c"), word(text))
	for _, arg := range args {
		r.args = append(r.args, word(arg))
	}
	if l.read != nil {
		l.read(r, l, text)
	} else {
		walk(r, l, text)
	}
	return r
}
