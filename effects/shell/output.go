package shell

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/found"
	"github.com/trammel-dev/trammel/effects/shell/compute"
)

// writes returns the standard output of a run, if it can be computed from its
// arguments and standard input: echo, printf, cat, and simple filters that are
// used to disguise text on its way into a shell.
func (d *deriver) writes(run int, st *state) stream {
	r := &d.set.Runs[run]
	in := d.in[run]
	out := stream{run: run}
	set := func(text string, ok bool) stream {
		if len(text) > compute.MaxText || !d.spend(len(text)) {
			return out
		}
		out.text, out.known = text, ok && !r.More
		return out
	}
	filter := func(change func(string) (string, bool)) stream {
		text, ok := in.text, in.known
		if files := d.rows[run].Reads(r.Args); len(files) > 0 {
			s := d.concatenated(files, st)
			text, ok = s.text, s.known
			out.network = s.network
		}
		if text == "" && !ok {
			how := d.rows[run].Output(r.Args)
			out.places, out.names = compute.Passed(how, in.places), in.names && (how == "same" || how == "order" || compute.Most(r))
			return out
		}
		text, sure := change(text)
		return set(text, ok && sure)
	}
	switch r.Program {
	case "echo", "printf", "print":
		text, ok := compute.Printed(r.Program, r.Args)
		out.network, out.places = compute.AnyNetwork(r.Args), compute.Patterns(r.Program, r.Args)
		if len(out.places) > 0 {
			return out
		}
		return set(text, ok)
	case "yes":
		text, _ := compute.Echo(r.Args)
		if len(r.Args) == 0 {
			text = "y\n"
		}
		return set(text, false)
	case "pwd":
		p := d.here(st)
		return set(p.Abs+"\n", p.Known() && !p.Glob)
	case "mktemp":
		return set(d.temporary(r, st)+"\n", true)
	case "whoami", "id":
		if r.Program == "whoami" || has(r.Args, "-un") {
			return set(d.world.User()+"\n", d.world.User() != "" && !st.root && !st.remote)
		}
	case "basename":
		if text, ok := compute.Basename(r.Args); ok {
			return set(text+"\n", true)
		}
	case "dirname":
		if len(r.Args) == 1 && r.Args[0].Known {
			return set(compute.Dirname(r.Args[0].Text)+"\n", true)
		}
	case "realpath", "readlink":
		if n := len(r.Args); n > 0 {
			p := d.paths.Resolve(r.Args[n-1], d.here(st))
			return set(p.Real+"\n", p.Known() && !p.Glob)
		}
	case "git":
		if n := len(r.Args); n > 1 && r.Args[0].Text == "rev-parse" && strings.HasSuffix(r.Args[n-1].Text, "git-dir") {
			return set(".git\n", d.here(st).Abs == d.world.Project)
		}
		if len(r.Args) == 2 && r.Args[0].Text == "rev-parse" && r.Args[1].Text == "--show-toplevel" && d.world.Project != "" &&
			strings.HasPrefix(d.here(st).Abs+"/", d.world.Project+"/") {
			return set(d.world.Project+"\n", true)
		}
	case "which", "type", "command":
		if n := len(r.Args); n > 0 && r.Args[n-1].Known && (r.Program != "command" || strings.ContainsAny(r.Args[0].Text, "vV")) {
			return set(paths.Installed(d.world, r.Args[n-1].Text)+"\n", true)
		}
	}
	return d.filtered(run, in, out, set, filter)
}

// filtered returns the output of a program that changes text, or whose output the
// table describes.
func (d *deriver) filtered(run int, in, out stream, set func(string, bool) stream, filter func(func(string) (string, bool)) stream) stream {
	r := &d.set.Runs[run]
	lines := func(args []model.Word, change func([]model.Word, string) (string, bool)) stream {
		each := func(s string) (string, bool) { return change(args, s) }
		s := filter(each)
		if s.text == "" && !s.known && (in.names || len(in.places) > 0) {
			s.places, s.names = compute.Renamed(each, in.places, in.names)
		}
		return s
	}
	switch d.rows[run].Name {
	case "rev":
		return filter(func(s string) (string, bool) { return compute.EachLine(s, compute.Reverse), true })
	case "tac":
		return filter(func(s string) (string, bool) { return compute.LinesFromEnd(s), true })
	case "tr":
		out = filter(func(s string) (string, bool) { return compute.Tr(r.Args, s) })
		if len(r.Args) > 1 && (r.Args[0].Text == `\n` || r.Args[0].Text == " ") { // it only separates the names in another way
			out.places = in.places
		}
		return out
	case "base64", "basenc":
		return d.decoded(r, filter)
	case "openssl":
		if has(r.Args, "base64") && has(r.Args, "-d") || has(r.Args, "enc") && has(r.Args, "-base64") && has(r.Args, "-d") {
			return set(compute.Base64(in.text))
		}
		return out
	case "xxd":
		if compute.HasLetter(r.Args, 'r') {
			return filter(compute.DecodeHex)
		}
		return out
	case "sed":
		return lines(r.Args, compute.Sed)
	case "awk":
		if _, simple := compute.Awk(r.Args, ""); simple {
			return lines(r.Args, compute.Awk)
		}
	case "perl":
		if len(r.Args) == 2 && (r.Args[0].Text == "-pe" || r.Args[0].Text == "-lpe") {
			return lines(r.Args[1:], compute.Perl)
		}
	case "jq", "yq", "gojq":
		if a := d.parsed(run); len(a.Operands) > 1 {
			return filter(func(s string) (string, bool) { return compute.JQ(a.Operands[0].Text, s) })
		} else if len(a.Operands) == 1 {
			text, ok := compute.JQ(a.Operands[0].Text, in.text)
			return set(text, ok && a.Operands[0].Known)
		}
		return out
	case "gzip", "bzip2":
		if compute.HasLetter(r.Args, 'd') || r.Program != d.rows[run].Name {
			return filter(func(s string) (string, bool) { return s, utf8.ValidString(s) }) // what this line has packed
		}
		return filter(func(s string) (string, bool) { return s, true })
	case "cut":
		return filter(func(s string) (string, bool) { return compute.Cut(r.Args, s) })
	case "grep", "rg":
		if a := d.parsed(run); a.Has("l", "files-with-matches") {
			out.places = found.Matching(d.rows[run].Name == "rg" || a.Has("r", "R"), d.rows[run].Reads(r.Args))
			return out
		}
	}
	switch d.rows[run].Output(r.Args) {
	case "none":
		return set("", true)
	case "net":
		out.network = true
	case "names":
		out.places, out.names = found.Named(r)
	case "in":
		if in.text != "" || in.known {
			return set(in.text, in.known)
		}
		out.places = in.places
	case "same":
		return filter(func(s string) (string, bool) { return s, true })
	case "order", "part", "some":
		// A part of the text or another order of it: what is known of it may
		// still be run.
		return filter(func(s string) (string, bool) { return s, false })
	}
	return out
}

func has(args []model.Word, text string) bool { return compute.Index(args, text) >= 0 }

// concatenated returns the combined content of files.
func (d *deriver) concatenated(files []model.Word, st *state) stream {
	k := newSink(st)
	for i := range files {
		if s, ok := d.special(files[i], "0", st); ok {
			k.write(s, st)
			continue
		}
		k.write(d.content(d.path(files[i], d.here(st), st)), st)
	}
	return k.stream()
}

func (d *deriver) decoded(r *model.Run, filter func(func(string) (string, bool)) stream) stream {
	if !compute.HasLetter(r.Args, 'd') && !compute.HasLetter(r.Args, 'D') && !has(r.Args, "--decode") {
		return filter(func(s string) (string, bool) { return base64.StdEncoding.EncodeToString([]byte(s)) + "\n", len(s) < 57 })
	}
	if r.Program == "base32" {
		return filter(compute.Base32)
	}
	return filter(compute.Base64)
}
