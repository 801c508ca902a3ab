// Package tcl says what a script of Tcl or expect does: which programs it runs,
// which files it opens and removes, which hosts it talks to. Nothing is run.
package tcl

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Host receives what a script does.
type Host struct {
	Home  string
	Shell func(line string)
	Type  func(text string) // into the program that was started
	File  func(f model.File, w model.Word)
	Net   func(n model.Net)
	URL   func(w model.Word, sends bool)
}

// maxDepth limits the nesting of braces and brackets. The caller adds a doubt in
// any case.
const maxDepth = 16

// Read lists what a script does.
func Read(h *Host, text string) {
	s := script{host: h, values: map[string]model.Word{}}
	s.commands(text, 0)
}

type script struct {
	host   *Host
	values map[string]model.Word // of variables, as far as they are known
}

// commands goes through the commands of a text, and those within them.
func (s *script) commands(text string, depth int) {
	if depth > maxDepth {
		return
	}
	for text != "" {
		var words []string
		words, text = split(text)
		if len(words) > 0 {
			s.command(words, depth)
		}
	}
}

// command lists what one command does. Braces and brackets in it may hold others.
func (s *script) command(words []string, depth int) {
	if words[0] == "foreach" && len(words) > 3 {
		if v := s.value(words[2], depth); v.Glob {
			s.values[words[1]] = v
		}
	}
	for _, w := range words {
		if len(w) > 1 && (w[0] == '{' || w[0] == '[') {
			s.commands(w[1:len(w)-1], depth+1)
		} else if at := strings.IndexByte(w, '['); at >= 0 && strings.HasSuffix(w, "]") {
			s.commands(w[at+1:len(w)-1], depth+1)
		}
	}
	args := words[1:]
	switch name := strings.TrimPrefix(words[0], "::"); name {
	case "exec", "spawn", "system":
		line := make([]string, len(args))
		for i, w := range args {
			word, open := strings.CutPrefix(w, "{*}")
			if line[i] = s.plain(word); i > 0 && !open && name != "system" && strings.ContainsAny(line[i], " \t") {
				line[i] = "'" + strings.ReplaceAll(line[i], "'", `'\''`) + "'"
			}
		}
		s.host.Shell(strings.Join(line, " "))
	case "send", "exp_send", "send_slow", "send_human":
		if len(args) > 0 {
			s.host.Type(s.plain(args[len(args)-1]))
		}
	case "set":
		if len(args) == 2 {
			s.values[args[0]] = s.value(args[1], depth)
		}
	case "append":
		if len(args) < 2 {
			return
		}
		if v, ok := s.values[args[0]]; ok {
			for _, w := range args[1:] {
				more := s.value(w, depth)
				v.Text, v.Known = v.Text+more.Text, v.Known && more.Known
			}
			s.values[args[0]] = v
		}
	case "file":
		if len(args) > 1 {
			s.file(args[0], args[1:], depth)
		}
	case "open":
		s.open(args, depth)
	case "source":
		if len(args) > 0 {
			s.host.File(model.File{Op: model.Read, Code: true}, s.value(args[len(args)-1], depth))
		}
	case "socket":
		if len(args) > 1 && args[0] != "-server" {
			s.host.Net(model.Net{Host: args[len(args)-2], Port: args[len(args)-1], Sends: true})
		}
	case "http::geturl":
		if len(args) > 0 {
			s.host.URL(s.value(args[0], depth), len(args) > 1)
		}
	}
}

func (s *script) file(verb string, names []string, depth int) {
	for len(names) > 1 && strings.HasPrefix(names[0], "-") {
		names = names[1:]
	}
	switch verb {
	case "delete":
		for _, name := range names {
			s.host.File(model.File{Op: model.Delete, Tree: true, Code: true}, s.value(name, depth))
		}
	case "copy", "rename":
		if len(names) < 2 {
			return
		}
		op := model.Read
		if verb == "rename" {
			op = model.Delete
		}
		for _, name := range names[:len(names)-1] {
			s.host.File(model.File{Op: op, Tree: op == model.Delete, Code: true}, s.value(name, depth))
		}
		s.host.File(model.File{Op: model.Write, Code: true}, s.value(names[len(names)-1], depth))
	}
}

// open lists a file that is opened, or the command behind a pipe sign.
func (s *script) open(args []string, depth int) {
	if len(args) == 0 {
		return
	}
	if command, ok := strings.CutPrefix(strings.Trim(args[0], `{}"`), "|"); ok {
		s.host.Shell(command)
		return
	}
	f := model.File{Op: model.Read, Code: true}
	if len(args) > 1 && strings.ContainsAny(args[1], "wa+") {
		f.Op, f.Append = model.Write, strings.Contains(args[1], "a")
	}
	s.host.File(f, s.value(args[0], depth))
}

// plain is a word as a shell would get it.
func (s *script) plain(w string) string {
	if v := s.value(w, 0); v.Known {
		return v.Text
	}
	return w
}

// glob is what a pattern of files matches: [glob ~/*], [glob -directory ~ *].
func (s *script) glob(args []string, depth int) model.Word {
	dir := ""
	for len(args) > 1 && strings.HasPrefix(args[0], "-") {
		if strings.HasPrefix(args[0], "-dir") {
			v := s.value(args[1], depth)
			if !v.Known {
				return model.Word{Text: "glob"}
			}
			dir = v.Text + "/"
		}
		if strings.HasPrefix(args[0], "-dir") || strings.HasPrefix(args[0], "-type") {
			args = args[1:]
		}
		args = args[1:]
	}
	if len(args) != 1 {
		return model.Word{Text: "glob"}
	}
	v := s.value(args[0], depth)
	v.Text, v.Glob = dir+v.Text, true
	return v
}

// value returns the value of a word.
func (s *script) value(w string, depth int) model.Word {
	unknown := model.Word{Text: w}
	w = strings.TrimPrefix(w, "{*}")
	switch {
	case depth > maxDepth:
		return unknown
	case strings.HasPrefix(w, "{") && len(w) > 1:
		return model.Word{Text: w[1 : len(w)-1], Known: true}
	case strings.HasPrefix(w, "[") && len(w) > 1:
		inner, _ := split(w[1 : len(w)-1])
		if len(inner) > 1 && inner[0] == "glob" {
			return s.glob(inner[1:], depth+1)
		}
		if len(inner) < 3 || inner[0] != "file" {
			return unknown
		}
		switch inner[1] {
		case "normalize", "nativename", "join":
			var parts []string
			for _, part := range inner[2:] {
				v := s.value(part, depth+1)
				if !v.Known {
					return unknown
				}
				parts = append(parts, v.Text)
			}
			return model.Word{Text: strings.Join(parts, "/"), Known: true}
		}
		return unknown
	}
	w = strings.Trim(w, `"`)
	w = strings.NewReplacer("$env(HOME)", s.host.Home, "$::env(HOME)", s.host.Home).Replace(w)
	if name, ok := strings.CutPrefix(w, "$"); ok {
		if v, known := s.values[strings.Trim(name, "{}:")]; known {
			return v
		}
	}
	if w == "~" || strings.HasPrefix(w, "~/") {
		w = s.host.Home + w[1:]
	}
	return model.Word{Text: w, Known: !strings.ContainsAny(w, "$[")}
}
