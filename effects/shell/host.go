package shell

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/languages"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/recipes"
	"github.com/trammel-dev/trammel/effects/shell/compute"
	"github.com/trammel-dev/trammel/effects/world"
)

// program lists what a run does with its arguments. An unknown program adds
// nothing: the run itself is in the set already.
func (d *deriver) program(run int, st *state) {
	r := &d.set.Runs[run]
	c := &call{d: d, run: run, st: st, name: r.Program, dir: r.Dir}
	if c.installed(r.Path) {
		d.rows[run].Do(c.name, c)
	} else {
		programs.Unknown(c)
	}
}

// installed reports whether a program called by its path is in a directory for
// programs. A file of the same name elsewhere is something else, unless it is a link to
// it or this line has put it there; /???/rm may be the system's, a blank makes a line.
func (c *call) installed(written string) bool {
	if at := strings.IndexAny(written, "/ "); at < 0 || written[at] == ' ' || paths.IsDrive(written) || strings.ContainsAny(written, "*?[{") {
		return true
	}
	p := c.d.paths.Resolve(word(written), c.dir)
	if name, ok := c.d.copyOf(p); ok {
		c.name = name
		c.d.set.Runs[c.run].Program = name
		c.d.rows[c.run], _ = programs.Lookup(name)
		return true
	}
	if !p.Known() || paths.Programs(p.Abs) || len(c.d.holds(p)) > 0 || c.name == "gradlew" || c.name == "mvnw" {
		return true
	}
	if paths.Programs(p.Real) && p.Real != p.Abs {
		c.name = strings.ToLower(path.Base(p.Real))
		c.d.rows[c.run], _ = programs.Lookup(c.name)
		return true
	}
	return false
}

// call is one run, as seen by packages programs and languages.
type call struct {
	d    *deriver
	run  int
	st   *state
	name string
	dir  model.Path
}

var _ programs.Host = (*call)(nil)

// Run and the methods below are the programs.Host of a run.
func (c *call) Run() *model.Run                                 { return &c.d.set.Runs[c.run] }
func (c *call) Resolve(w model.Word, dir model.Path) model.Path { return c.d.path(w, dir, c.st) }
func (c *call) Home() string                                    { return c.d.world.Home() }
func (c *call) User() string                                    { return c.d.world.User() }
func (c *call) Tilde(name string) model.Word                    { return c.d.paths.Tilde(name) }
func (c *call) AddFile(f model.File)                            { c.list(f) }
func (c *call) AddNet(n model.Net)                              { c.net(n) }
func (c *call) AddCode(code model.Code)                         { c.code(code) }
func (c *call) Doubt(code, what string)                         { c.d.doubt(code, what, c.run) }
func (c *call) Written() bool                                   { return len(c.d.held) > 0 || c.d.world.Remembers(trammel.FetchedFile) }

// Enter runs what follows in another directory.
func (c *call) Enter(dir model.Path) {
	c.st = c.st.copy()
	c.dir, c.st.dir, c.st.dirs = dir, dir, nil
}

func (c *call) Script(text string) {
	if by := c.Run().By; by < 0 || c.d.set.Runs[by].Path != text || text == "" { // $(go env GOPATH)/bin/x is not run by itself
		c.d.script(text, c.run, c.st)
	}
}

func (c *call) Input() programs.Stream { return outline(c.input()) }

func (c *call) Given() (text string, ok bool) {
	ground, from := paths.Ground{}, c.d.set.Runs[c.run].From
	if file, ok := c.inputFile(); ok && len(c.d.holds(file)) == 0 && !ground.Secret(file) {
		return c.d.onDisk(file, c.st)
	}
	if from < 0 || c.d.set.Runs[from].Program != "cat" || slices.ContainsFunc(c.d.set.Files, func(f model.File) bool {
		return f.Run == from && ground.Secret(f.Path)
	}) {
		return "", false
	}
	text = c.d.given([]int{from}, c.st)
	return text, text != ""
}

func outline(s stream) programs.Stream {
	return programs.Stream{Text: s.text, Known: s.known, Network: s.network}
}

func (c *call) Holds(p model.Path) []programs.Stream {
	var out []programs.Stream
	for _, s := range c.holds(p) {
		out = append(out, outline(s))
	}
	return out
}

// holds returns the possible contents of a file, including any name of standard input.
func (c *call) holds(p model.Path) []stream {
	if n, _ := compute.Descriptor(p.Text); n == "0" {
		return []stream{c.input()}
	}
	return c.d.holds(p)
}

func (c *call) Listed(w model.Word) []model.Word {
	in := c.input()
	if w.Text != "-" {
		p := c.place(w)
		in = c.d.content(p)
		if text, ok := c.Text(p.Abs); ok && len(c.d.holds(p)) == 0 {
			in = certain(text)
		}
	}
	delimiter := "\n"
	if strings.IndexByte(in.text, 0) >= 0 {
		delimiter = "\x00"
	}
	items, ok := c.d.items(in, true, delimiter)
	switch {
	case ok:
	case len(in.places) > 0:
		items = append(items, in.places...)
	default:
		items = append(items, in.item())
	}
	return items
}

func (c *call) Wrote(to model.Path, content programs.Content) {
	s, write := stream{run: c.run, network: content == programs.Fetched || content == programs.Own && c.readsFetched()}, c.d.wrote
	if content == programs.Stdin || content == programs.Added {
		s = c.input()
	}
	if content == programs.Added {
		write = c.d.appended
	}
	write(to, s, c.st)
}

// readsFetched reports whether a run reads a file that a host has sent: what it writes
// is made of that.
func (c *call) readsFetched() bool {
	return slices.ContainsFunc(c.d.set.Files, func(f model.File) bool {
		return f.Run == c.run && f.Op == model.Read && slices.ContainsFunc(c.d.holds(f.Path), func(s stream) bool { return s.network })
	})
}

func (c *call) Start(words []model.Word, how programs.Start) {
	o := started{more: how.More}
	if how.Served {
		o.in = &stream{network: true, run: c.run}
	}
	c.d.start(words, c.run, c.st, o)
}

func (c *call) Served(w model.Word) {
	if !w.Known {
		c.d.doubt("code", w.Text, c.run)
		return
	}
	inner := *c.st
	inner.in = stream{network: true, run: c.run}
	c.d.script(w.Text, c.run, &inner)
}

func (c *call) IsDir(p model.Path) bool {
	if p.Real == "" || p.Real == "/" {
		return p.Real == "/"
	}
	info, err := c.d.world.Lstat(p.Real)
	return err == nil && info.IsDir()
}

func (c *call) IsThere(p model.Path) bool {
	_, err := c.d.world.Lstat(p.Abs)
	return p.Known() && !p.Glob && err == nil
}

func (c *call) Inline(language, text string) {
	c.d.inline(language, text, c.run, c.st)
	c.d.imported(language, text, c.dir, c.run, c.st)
}

// maxText is the size above which configuration files are not read.
const maxText = 1 << 20

func (c *call) Text(file string) (string, bool) {
	if c.st.remote {
		return "", false
	}
	c.d.steps += 50
	data, err := c.d.world.ReadFile(file, maxText)
	if err != nil {
		if info, missing := world.Stat(c.d.world, file); missing == nil && info.Mode().IsRegular() {
			c.d.unread(file, c.run)
		}
	}
	return string(data), err == nil
}

func (c *call) Names(dir model.Path) []string {
	if c.st.remote || !dir.Known() || dir.Glob {
		return nil
	}
	entries, _ := c.d.world.ReadDir(dir.Real, maxNames+1)
	if len(entries) > maxNames {
		c.d.unread(dir.Text, c.run)
	}
	names := make([]string, len(entries))
	for i := range entries {
		names[i] = entries[i].Name()
	}
	slices.Sort(names)
	return names
}

func (c *call) RunText(language string, w model.Word) {
	switch {
	case w.Known:
		c.Inline(language, w.Text)
	case w.Network:
		c.code(model.Code{Language: language, Origin: model.Network})
	default:
		c.Opaque(language, w)
		if text := compute.Unexpanded(w.Text+" ", languages.Hole); strings.Trim(text, languages.Hole+" ") != "" {
			c.d.inline(language, text, c.run, c.st)
		}
	}
}

func (c *call) RunInput(language string) {
	in := c.input()
	switch {
	case in.known:
		c.d.inline(language, in.text, c.run, c.st)
	case in.network:
		c.code(model.Code{Language: language, Origin: model.Network})
	case in.given: // a here-document with variables in it
		c.RunText(language, model.Word{Text: in.text})
	case c.d.set.Runs[c.run].From >= 0:
		c.code(model.Code{Language: language, Origin: model.Piped})
		c.d.doubt("stdin", c.name, c.run)
	default:
		if file, ok := c.inputFile(); ok {
			c.code(model.Code{Language: language, Origin: model.OnDisk, File: file})
			if text, ok := c.d.onDisk(file, c.st); ok && len(c.d.holds(file)) == 0 {
				c.d.quietly(func() { c.Inline(language, text) })
			}
		}
	}
}

func (c *call) Fed() bool {
	_, file := c.inputFile()
	return file || c.d.set.Runs[c.run].From >= 0 || c.input().known
}

func (c *call) place(w model.Word) model.Path { return c.d.path(w, c.dir, c.st) }

func (c *call) list(f model.File) {
	if (f.Op == model.Read || f.Op == model.Write || f.Op == model.Search) && paths.Quiet(f.Path.Abs) {
		return
	}
	f.Run = c.run
	f.Device = f.Device || paths.Special(f.Path.Abs)
	if f.Shown && c.d.set.Show(&f) {
		return
	}
	c.d.set.Files = append(c.d.set.Files, f)
	if !f.Path.Known() {
		c.d.doubt("path", f.Path.Text, c.run)
	}
}

func (c *call) net(n model.Net) {
	n.Run = c.run
	c.d.set.Nets = append(c.d.set.Nets, n)
}

// url lists the host that a word names as a URL.
func (c *call) url(w model.Word, sends bool) { programs.URL(c, w, c.dir, sends) }

// code lists code, unless it is listed already.
func (c *call) code(code model.Code) {
	code.Run = c.run
	if !slices.Contains(c.d.set.Codes[max(0, len(c.d.set.Codes)-8):], code) {
		c.d.set.Codes = append(c.d.set.Codes, code)
	}
}

// Command interprets a word as a shell command line.
func (c *call) Command(w model.Word) {
	st := *c.st
	if c.name == "git" && strings.HasPrefix(w.Text, "ssh ") {
		st.in.file = talks
	}
	c.d.code(w, c.run, &st, func(text string) { c.d.script(text, c.run, &st) })
}

// Copied notes that a file now holds what another one held.
func (c *call) Copied(from, to model.Path) {
	name, isProgram := c.d.copyOf(from)
	if base := strings.ToLower(path.Base(from.Abs)); !isProgram && paths.Programs(from.Abs) {
		_, isProgram = programs.Lookup(base)
		name = base
	}
	if isProgram && to.Known() {
		put(&c.d.copies, to.Abs, name)
	}
	if _, open := compute.Descriptor(from.Text); open && c.name == "ln" {
		put(&c.d.doors, to.Real, from.Text)
	}
	held := c.holds(from)
	if from.Text == "-" {
		held = []stream{c.input()}
	}
	if len(held) == 0 {
		held = []stream{{run: c.run}}
	}
	for _, s := range held {
		c.d.wrote(to, s, c.st)
	}
}

// input returns the standard input of the program.
func (c *call) input() stream {
	if c.run < len(c.d.in) {
		return c.d.in[c.run]
	}
	return stream{run: -1}
}

// inputFile returns the file to which standard input is redirected.
func (c *call) inputFile() (model.Path, bool) {
	if in := c.input(); in.file != nil && in.file != talks && !in.known {
		return *in.file, true
	}
	return model.Path{}, false
}

// Opaque lists code that cannot be read here.
func (c *call) Opaque(language string, w model.Word) {
	c.code(model.Code{Language: language, Text: w.Text, Origin: model.Inline})
	c.d.doubt("code", w.Text, c.run)
}

// RunFile runs a file that existed before, or that this line has made.
func (c *call) RunFile(language string, w model.Word) {
	w.Text = cmp.Or(c.d.doors[c.place(w).Real], w.Text)
	if rest, ok := strings.CutPrefix(w.Text, "php://"); w.Known && (ok || w.Text == "/dev/stdin" && len(c.holds(c.place(w))) == 0) {
		if _, file, filtered := strings.Cut(rest, "resource="); filtered && strings.HasPrefix(rest, "filter/") {
			c.RunFile(language, model.Word{Text: file, Known: true})
		} else {
			c.RunInput(language)
		}
		return
	}
	if w.Known && strings.Contains(w.Text, "://") && !strings.HasPrefix(w.Text, "file:") {
		c.url(w, false)
		c.code(model.Code{Language: language, Origin: model.Network})
		return
	}
	if text, ok := recipes.DataURL(w.Text); ok && w.Known {
		c.d.inline(language, text, c.run, c.st)
		return
	}
	st := *c.st
	st.name = w.Text
	code := model.Code{Language: language, File: c.place(w), Origin: model.OnDisk}
	beside := path.Dir(code.File.Abs)
	dir := model.Path{Text: beside, Abs: beside, Real: beside}
	for _, held := range c.holds(code.File) {
		switch {
		case held.network:
			code.Origin = model.Network
		case held.known:
			c.d.inline(language, held.text, c.run, &st)
			c.d.imported(language, held.text, dir, c.run, &st)
			fallthrough
		default:
			if code.Origin == model.OnDisk {
				code.Origin = model.Made
				code.Text = held.text
			}
		}
	}
	if code.Origin == model.OnDisk {
		if text, ok := c.d.onDisk(code.File, c.st); ok {
			c.d.quietly(func() {
				for _, step := range recipes.Document(code.File.Abs, language, text) {
					c.d.inline(step.Language, step.Text, c.run, &st)
				}
				c.d.imported(language, text, dir, c.run, &st)
			})
		} else if c.another(language, w) {
			return
		}
	}
	c.code(code)
	if !code.File.Known() {
		c.d.doubt("path", w.Text, c.run)
	}
}

// another runs the file that an interpreter falls back to if the named one does
// not exist. It reports whether there is one.
func (c *call) another(language string, w model.Word) bool {
	for _, name := range recipes.Started(language, w.Text) {
		p := c.place(word(name))
		if !w.Known || !p.Known() {
			return false
		}
		if info, err := world.Stat(c.d.world, p.Real); len(c.holds(p)) > 0 || err == nil && info.Mode().IsRegular() {
			c.RunFile(language, word(name))
			return true
		}
	}
	return false
}

func word(text string) model.Word { return model.Word{Text: text, Known: true} }
