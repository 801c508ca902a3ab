package shell

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/found"
	"github.com/trammel-dev/trammel/effects/shell/compute"
)

// xargs starts its command with the words that it reads, which are known if its
// input is known.
func (d *deriver) xargs(run int, st *state) {
	r := &d.set.Runs[run]
	found, _ := d.rows[run].Wraps(r.Args)
	words := found.Words
	if len(words) == 0 {
		words = []model.Word{{Text: "echo", Known: true}}
	}
	replace, delimiter := "", ""
	if w, ok := found.Value("I", "J", "i", "replace"); ok {
		if replace = w.Text; replace == "" {
			replace = "{}"
		}
	}
	if w, ok := found.Value("delimiter"); ok {
		delimiter = compute.Unescape(w.Text)
	}
	if found.Has("null") {
		delimiter = "\x00"
	}
	file, named := found.Value("arg-file")
	each, never := found.Has("L", "l", "max-args", "max-lines"), found.Has("no-run-if-empty")
	in := d.content(d.path(file, d.here(st), st))
	if !each || !named { // which words go together is not known for certain
		in = d.listed(run, file, named, st)
	}
	items, ok := d.items(in, replace != "", delimiter)
	if !ok && len(items) == 0 && len(in.places) > 0 {
		items, ok = in.places, true
	}
	null := stream{run: -1, known: true}
	switch {
	case ok && len(items) == 0 && never:
	case replace != "":
		if !ok {
			items = []model.Word{in.item()}
		}
		for _, item := range items {
			d.start(compute.Replaced(words, replace, item), run, st, started{in: &null, more: r.More})
		}
	case ok && each:
		for _, item := range items {
			d.start(append(words[:len(words):len(words)], item), run, st, started{in: &null, more: r.More})
		}
	default:
		d.start(slices.Concat(words, items), run, st, started{in: &null, more: !ok || r.More})
	}
}

// item returns a word of the stream of which only the origin is known.
func (s *stream) item() model.Word {
	w := model.Word{Text: "$item", Network: s.network, Names: s.names, Uses: s.uses}
	if s.run >= 0 {
		w.Uses.Add(model.Span{From: s.run, To: s.run + 1})
	}
	return w
}

// items returns the words that xargs reads.
func (d *deriver) items(in stream, lines bool, delimiter string) (items []model.Word, ok bool) {
	if in.text == "" || !d.spend(len(in.text)) {
		return nil, in.known
	}
	items = compute.Items(in.text, lines, delimiter)
	if len(items) > maxBraces {
		d.doubt("size", "xargs is given more words than are looked at", -1)
		return items[:maxBraces], false
	}
	return items, in.known
}

// parallel runs a command line for each word after :::, or each line it reads.
func (d *deriver) parallel(run int, st *state) {
	a := d.parsed(run)
	if a.Has("dry-run", "dryrun") || a.Help() {
		return
	}
	words := a.Operands
	file, named := a.Value("arg-file")
	in := d.listed(run, file, named, st)
	items, ok := d.items(in, true, "")
	if !ok && len(items) == 0 && len(in.places) > 0 {
		items, ok = in.places, true
	}
	at := slices.IndexFunc(words, func(w model.Word) bool { return strings.HasPrefix(w.Text, ":::") })
	switch {
	case at >= 0 && strings.HasPrefix(words[at].Text, "::::") && at+1 < len(words): // the items are in files
		in = d.listed(run, words[at+1], true, st)
		items, ok = d.items(in, true, "")
		words = words[:at]
	case at >= 0:
		items, ok = words[at+1:], true
		words = words[:at]
	}
	if !ok {
		items = []model.Word{in.item()}
	}
	sub := st.copy()
	sub.in = stream{run: -1}
	for _, item := range items {
		if !d.step() {
			return
		}
		line := compute.Join(words)
		switch {
		case len(words) == 0: // the items are the commands
			line = item
		case strings.Contains(line.Text, "{}"):
			line.Text, line.Known = strings.ReplaceAll(line.Text, "{}", item.Text), line.Known && item.Known
		default:
			line.Text, line.Known = line.Text+compute.Quote([]model.Word{item}), line.Known && item.Known
		}
		if !line.Known && len(words) > 0 { // the command is known, its items are not
			d.start(append(compute.Replaced(words, "{}", item), item), run, sub, started{more: true})
			continue
		}
		d.code(line, run, sub, func(text string) { d.script(text, run, sub) })
	}
}

// listed is what xargs and parallel read: the file that an option names, or standard
// input, also from files that are there already. What a secret holds remains unknown, so
// that it counts as the secret.
func (d *deriver) listed(run int, w model.Word, named bool, st *state) stream {
	in, file := st.in, d.path(w, d.here(st), st)
	text, there := "", false
	if ground := (paths.Ground{}); !named {
		text, there = (&call{d: d, run: run, st: st}).Given()
	} else if in = d.content(file); len(d.holds(file)) == 0 && !ground.Secret(file) {
		text, there = d.onDisk(file, st)
	}
	if there && !in.known {
		return certain(text)
	}
	return in
}

// find starts what -exec and the like run for each file. The command ends at ; or
// at a + after {}.
func (d *deriver) find(args []model.Word, run int, st *state) {
	roots := found.Roots(args)
	first := len(args) - len(found.Expression(args))
	var tests []model.Word
	for i := 0; i < len(args); i++ {
		within := false
		switch args[i].Text {
		case "-exec", "-ok":
		case "-execdir", "-okdir":
			within = true
		default:
			continue
		}
		if tests == nil { // tests before the first command apply to all
			tests = args[first:i]
		}
		from := i + 1
		for i = from; i < len(args) && args[i].Text != ";" && (args[i].Text != "+" || args[i-1].Text != "{}"); i++ {
		}
		if i >= len(args) {
			return // without an end find does nothing
		}
		o := started{in: &stream{run: -1}}
		if within {
			o.dir = &model.Path{Text: "{}"}
		}
		for _, root := range roots {
			if !d.step() {
				return
			}
			for _, item := range found.Below(root, tests) {
				d.start(compute.Replaced(args[from:i], "{}", item), run, st, o)
			}
		}
	}
}
