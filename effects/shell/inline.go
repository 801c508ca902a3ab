package shell

import (
	"slices"

	"github.com/trammel-dev/trammel/effects/languages"
	"github.com/trammel-dev/trammel/effects/languages/windows"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/shell/compute"
	"github.com/trammel-dev/trammel/effects/world"
)

// inline lists what the code of another language does.
func (d *deriver) inline(language, text string, run int, st *state) {
	if st.depth >= maxNested {
		d.doubt("depth", language, run)
		return
	}
	inner := *st
	inner.depth++
	c := &call{d: d, run: run, st: &inner, dir: st.dir}
	if run >= 0 && run < len(d.set.Runs) {
		c.name, c.dir = d.set.Runs[run].Program, d.set.Runs[run].Dir
	}
	h := &inlineHost{call: c}
	if windows.Reads(language) {
		windows.Read(language, text, h)
	} else {
		languages.Read(language, text, h)
	}
}

// inlineHost is the interpreter, as package languages sees it.
type inlineHost struct {
	*call
	moved bool // the code has changed its directory
	last  int  // the program that the code has started last
}

func (h *inlineHost) Resolve(w model.Word) model.Path { return h.place(w) }
func (h *inlineHost) Dir() model.Path                 { return h.dir }
func (h *inlineHost) Chdir(p model.Path)              { h.dir, h.moved = p, true }

func (h *inlineHost) Args() ([]model.Word, bool) {
	if h.run < 0 || h.run >= len(h.d.set.Runs) {
		return nil, true
	}
	r := &h.d.set.Runs[h.run]
	return compute.ForScript(r, h.st.name), r.More
}

func (h *inlineHost) Input() string     { return h.input().text }
func (h *inlineHost) File(f model.File) { h.list(f) }
func (h *inlineHost) Wrote(p model.Path, c languages.Content) {
	write := h.d.wrote
	if c.Added {
		write = h.d.appended
	}
	write(p, h.stream(c), h.st)
}

func (h *inlineHost) stream(c languages.Content) stream {
	return stream{text: c.Text, known: c.Known, network: c.Network, run: h.run}
}

func (h *inlineHost) Holds(p model.Path) []string {
	var out []string
	for _, s := range h.d.holds(p) {
		out = append(out, s.text)
	}
	return out
}

func (h *inlineHost) Net(n model.Net)              { h.net(n) }
func (h *inlineHost) URL(w model.Word, sends bool) { h.url(w, sends) }
func (h *inlineHost) Code(c model.Code)            { h.code(c) }
func (h *inlineHost) Env(name string)              { h.d.set.ReadsEnv(name) }
func (h *inlineHost) Bomb(text string)             { h.d.bomb(text) }

// RunnerFile looks among the variables that are set for this run first.
func (h *inlineHost) RunnerFile(name string) (string, bool) {
	if _, ok := world.RunnerFile(name); !ok {
		return "", false
	}
	var set []model.Assign
	if h.run >= 0 { // a tool may be PowerShell itself
		set = h.d.set.Runs[h.run].Env
	}
	for _, a := range slices.Backward(set) {
		if a.Name == name {
			return a.Value.Text, a.Value.Known
		}
	}
	v := h.d.variable(name, h.st)
	return v.text, v.known && v.exported && !v.open && !v.array && !v.glob && len(v.or) == 0
}

func (h *inlineHost) Printed(text string) {
	if h.st.out == nil || h.st.out.null || !h.d.spend(len(text)) {
		return
	}
	if h.d.prints == nil {
		h.d.prints = map[int]string{}
	}
	h.d.prints[h.run] += text
}

func (h *inlineHost) Shell(text string, in *languages.Content) {
	st := *h.st
	if in != nil {
		st.in = h.stream(*in)
	}
	if h.moved {
		st.dir, st.dirs = h.dir, nil
	}
	h.d.script(text, h.run, &st)
}

func (h *inlineHost) Start(words []model.Word, s languages.Start) {
	o := started{more: s.More, dir: s.Dir}
	if s.Input != nil {
		in := h.stream(*s.Input)
		if in.known {
			in.run = -1
		}
		o.in = &in
	} else if s.Piped {
		o.in = &stream{run: h.last}
	}
	if o.dir == nil && h.moved {
		o.dir = &h.dir
	}
	h.last = len(h.d.set.Runs)
	h.d.start(words, h.run, h.st, o)
}

func (h *inlineHost) Run(language, text string) { h.d.inline(language, text, h.run, h.st) }
func (h *inlineHost) Spend(n int) bool          { return h.d.spend(n) }
