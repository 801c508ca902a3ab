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

// stream is what is known of some bytes: what a run writes, what it reads,
// what a file of this line holds.
type stream struct {
	text    string
	known   bool       // text is all of it; otherwise it is what is known of it
	network bool       // some of it comes from a host
	run     int        // who writes it, -1 if it is no run
	uses    model.Span // the runs that it comes from
	is      string     // the expansion that all of it is, where nothing else is known
	// places are what its lines name, where it is not known but comes from a
	// program that lists files: find . -name '*.o' names ./**/*.o.
	places []model.Word
	names  bool // its lines are all names in some directory: ls /etc
	file   bool // it is a file
	given  bool // it is a text of this line, though it may not be known
}

func certain(text string) stream { return stream{text: text, known: true, run: -1} }

// sink collects what is written to a pipe, a file or a substitution.
type sink struct {
	text    strings.Builder
	unknown bool
	network bool
	run     int
	maybe   bool // it is not certain that it is there at all
	writers int
	places  []model.Word
	names   bool
	null    bool // it is /dev/null
}

// newSink is a sink that is opened in the state st.
func newSink(st *state) *sink { return &sink{run: -1, maybe: st.maybe} }

// write takes what one run writes in the state st. Where it is not certain
// that it does, the text is only likely.
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
		s.places, s.names = k.places, k.names
	}
	return s
}

// wrote notes that the line has put s into the file.
func (d *deriver) wrote(p model.Path, s stream, st *state) {
	if strings.HasPrefix(p.Text, "/dev/fd/") {
		d.hold(p.Text, s)
		return
	}
	if p.Abs == "" || p.Glob || st.remote {
		return
	}
	if was := d.held[p.Real]; st.maybe {
		if len(was) >= maxChoices && slices.ContainsFunc(was, s.like) {
			return
		}
		if len(was) >= maxChoices {
			d.doubt("size", "a file is written in more ways than are looked at", st.by)
			return
		}
		d.hold(p.Real, s)
		d.held[p.Real] = append(was, s)
		return
	}
	d.hold(p.Real, s)
}

// like reports whether nothing is known of a stream that is not known of another one.
func (s *stream) like(o stream) bool {
	return !s.known && !o.known && s.text == "" && o.text == "" && s.network == o.network && len(s.places) == 0 && s.names == o.names
}

// appended notes that the line has put s behind what the file held.
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

// holds returns what the file may hold if this line has written it, or an earlier
// call of the session has fetched it.
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

// hold notes what can be read under a name of /dev/fd.
func (d *deriver) hold(name string, s stream) {
	if d.held == nil {
		d.held = map[string][]stream{}
	}
	d.held[name] = []stream{s}
	if paths.Programs(name) {
		if d.programs == nil {
			d.programs = map[string]string{}
		}
		d.programs[path.Base(name)] = name
	}
}
