package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/shell/compute"
)

// stream is what is known about some data: the output or input of a run, or the
// content of a file written by this line.
type stream struct {
	text    string
	known   bool       // text is complete; otherwise it is the known part
	network bool       // some of it comes from a host
	run     int        // the run that writes it, -1 if none does
	uses    model.Span // the runs that it comes from
	is      string     // the expansion that it consists of, if nothing else is known
	// places are what its lines name, if the text is unknown but comes from a
	// program that lists files: find . -name '*.o' names ./**/*.o.
	places []model.Word
	names  bool        // its lines are all names in some directory: ls /etc
	file   *model.Path // it is that file, or /dev/null
	sole   bool        // one run has written all of it
	given  bool        // a text in this line, though it may be unknown
}

// talks marks the input of a program that another one talks to.
var talks = &model.Path{Text: "|"}

func certain(text string) stream { return stream{text: text, known: true, run: -1} }

// sink collects what is written to a pipe, a file or a substitution.
type sink struct {
	text    strings.Builder
	unknown bool
	network bool
	run     int
	maybe   bool // it is not certain that it exists
	writers int
	places  []model.Word
	names   bool
	null    bool // it is /dev/null
}

// newSink returns a sink that is opened in the state st.
func newSink(st *state) *sink { return &sink{run: -1, maybe: st.maybe} }

// write adds the output of a run in the state st. If it is not certain that the
// run writes it, the text is only likely.
func (k *sink) write(s stream, st *state) {
	if k == nil {
		return
	}
	sure := !st.maybe || k.maybe
	if k.text.Len()+len(s.text) <= compute.MaxText {
		k.text.WriteString(s.text)
	} else {
		k.unknown = true
	}
	k.unknown = k.unknown || !s.known || !sure && s.text != ""
	k.network = k.network || s.network
	if s.run >= 0 {
		k.run = s.run
	}
	if !s.known || s.text != "" {
		k.writers++
		k.places, k.names = s.places, s.names
	}
}

func (k *sink) stream() stream {
	s := stream{text: k.text.String(), known: !k.unknown, network: k.network, run: k.run}
	if k.writers == 1 {
		s.places, s.names, s.sole = k.places, k.names, true
	}
	return s
}

// wrote notes that the line has written s to the file.
func (d *deriver) wrote(p model.Path, s stream, st *state) {
	if strings.HasPrefix(p.Text, "/dev/fd/") {
		d.hold(p.Text, s)
		return
	}
	if p.Abs == "" || p.Glob || st.remote {
		return
	}
	was := d.held[p.Real]
	if st.maybe && len(was) >= maxChoices {
		if !slices.ContainsFunc(was, s.like) {
			d.doubt("size", "a file is written in more ways than are looked at", st.by)
		}
		return
	}
	if d.hold(p.Real, s); st.maybe {
		d.held[p.Real] = append(was, s)
	}
}

// like reports whether two streams are equally unknown.
func (s *stream) like(o stream) bool {
	return !s.known && !o.known && s.text == "" && o.text == "" && s.network == o.network && len(s.places) == 0 && s.names == o.names
}

// appended notes that the line has appended s to the file.
func (d *deriver) appended(p model.Path, s stream, st *state) {
	was := d.held[p.Real]
	if len(was) == 0 {
		s.known = false // there may have been something before
		d.wrote(p, s, st)
		return
	}
	for i := range was {
		k := newSink(st)
		k.write(was[i], st)
		k.write(s, st)
		was[i] = k.stream()
	}
}

// holds returns what a file may hold that this line has written or an earlier call fetched.
func (d *deriver) holds(p model.Path) []stream {
	if strings.HasPrefix(p.Text, "/dev/fd/") {
		return d.held[p.Text]
	}
	if p.Abs == "" {
		return nil
	}
	held := d.held[p.Real]
	if len(held) == 0 {
		if _, fetched := d.recall(trammel.FetchedFile, p); fetched {
			return []stream{{run: -1, network: true}}
		}
	}
	return held
}

// hold notes what can be read from a name in /dev/fd.
func (d *deriver) hold(name string, s stream) {
	put(&d.held, name, []stream{s})
	if paths.Programs(name) {
		put(&d.programs, path.Base(name), name)
	}
}
