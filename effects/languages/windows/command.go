package windows

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/languages"
	"github.com/trammel-dev/trammel/effects/model"
)

// command interprets one command with its piped input and its redirections, and
// returns its result.
func (r *reader) command(items []item, in value) value {
	rest, written := r.redirections(items)
	out := r.plain(rest, in)
	for _, f := range written {
		c := r.echoed(items, in)
		c.Network, c.Added = c.Network || out.network, f.Append
		r.h.Wrote(f.Path, c)
	}
	return out
}

// plain interprets a command without redirections.
func (r *reader) plain(items []item, in value) value {
	if len(items) == 0 {
		return in
	}
	if r.assigns(items, in) {
		return value{}
	}
	called := r.batch
	for len(items) > 0 && items[0].bare && (items[0].raw == "&" || items[0].raw == "." || items[0].raw == "@") {
		called = called || items[0].raw != "@"
		items = items[1:]
	}
	if len(items) == 0 {
		return value{}
	}
	if len(items) > 2 && items[1].raw == "in" && strings.HasPrefix(items[0].raw, "$") { // foreach ($x in …)
		v := r.command(items[2:], in)
		r.set(items[0].raw[1:], v)
		return v
	}
	if first := &items[0]; first.block && len(items) > 1 && called { // & { … } x
		return r.with(first.raw, items[1:], in)
	} else if first.block { // & { … }
		return r.script(first.raw, in)
	} else if first.code && called && first.known && len(items) > 1 {
		return r.with(first.text, items[1:], in)
	} else if first.code && called {
		r.code(first.value)
		return value{}
	} else if r.batch && strings.HasPrefix(first.raw, "(") {
		r.groups(items)
		return value{}
	} else if !first.bare && !called && (len(items) == 1 || !isCommandPath(first)) {
		return r.expression(items, in)
	} else if !r.batch && (strings.HasPrefix(first.raw, "[") || !called && (len(items) > 1 && items[1].raw == "," || isNumber(first.raw))) {
		return r.expression(items, in)
	} else if !r.batch && strings.EqualFold(first.raw, "-join") {
		return r.combine(r.expression(items[1:], in), "-join", nil)
	}
	return r.run(items, in)
}

// isNumber reports whether a word is a number, or a range of them.
func isNumber(word string) bool { return strings.Trim(word, "0123456789.") == "" }

// groups runs the commands in cmd's brackets: (a & b) else (c).
func (r *reader) groups(items []item) {
	for n := range items {
		if inner, ok := strings.CutPrefix(items[n].raw, "("); ok {
			r.script(strings.TrimSuffix(inner, ")"), value{})
		}
	}
}

// isCommandPath reports whether a text in quotes is more likely a program than a
// value: "C:\x\y.exe" -a, as cmd takes it.
func isCommandPath(i *item) bool {
	return i.known && (strings.HasSuffix(strings.ToLower(i.text), ".exe") || strings.Contains(i.text, `:\`))
}

// assigns does $x = …, $env:x = … and set x=….
func (r *reader) assigns(items []item, in value) bool {
	first, kind := strings.ToLower(items[0].raw), ""
	if at := strings.Index(first, "]$"); at > 0 && first[0] == '[' { // [adsi]$x = …
		first, kind = first[at+1:], first[1:at]
	}
	switch {
	case strings.HasPrefix(first, "$") && len(items) > 1 && (items[1].raw == "=" || items[1].raw == "+="):
		var v value
		if len(items) > 2 {
			if v = r.command(items[2:], in); items[2].block && len(items) == 3 {
				v = value{text: items[2].raw, known: true, code: true}
			}
		}
		if items[1].raw == "+=" {
			before := r.vars[first[1:]]
			before.join(v)
			v = before
		}
		if kind != "" {
			v = r.cast(kind, v)
		}
		r.assign(first[1:], v)
		return true
	case !r.batch && len(items) > 2 && items[1].raw == "=" && strings.HasPrefix(first, "("): // (…).Enabled = …
		v := r.command(items[2:], in)
		r.property(items[0].value, first[strings.LastIndexByte(first, '.')+1:], v)
		return true
	case first == "set" && len(items) > 1:
		name, text, ok := strings.Cut(joined(items[1:]), "=")
		if name = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(name, "/a"), "/p")); ok {
			r.set(name, known(strings.Trim(text, `"`)))
		}
		return ok
	}
	return false
}

// assign gives a variable a value, or a property of the object that it holds.
func (r *reader) assign(name string, v value) {
	holder, property, ok := strings.Cut(name, ".")
	on, held := r.vars[holder]
	if !ok || !held {
		r.set(name, v)
		return
	}
	r.property(on, property, v)
	if outer, inner, nested := strings.Cut(property, "."); nested { // $p.StartInfo.FileName = …
		one := on.fields[outer]
		r.field(&one, inner, v)
		property, v = outer, one
	}
	r.field(&on, property, v)
	r.set(holder, on)
}

// property does what setting a property of an object does.
func (r *reader) property(on value, name string, v value) {
	name, _, _ = strings.Cut(name, "(")
	if row := rowOf(on.kind, name+"="); row != "" {
		r.apply(row, on, []value{v})
	}
}

// joined is a command as one line.
func joined(items []item) string {
	var b strings.Builder
	for n := range items {
		if n > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(items[n].text)
	}
	return b.String()
}

// run starts a program, or does what a command of the shell itself does.
func (r *reader) run(items []item, in value) value {
	if r.batch {
		items[0].text = strings.TrimLeft(items[0].text, "@")
		if raw := items[0].raw; raw != "" && strings.IndexByte("%!", raw[0]) >= 0 && items[0].known && strings.Contains(items[0].text, " ") {
			s := scanner{r: r, text: items[0].text} // a variable may hold a whole command
			words, _ := s.command()
			items = slices.Concat(words, items[1:])
		}
		if len(items) == 0 {
			return value{}
		}
	}
	name := strings.ToLower(items[0].text)
	if !items[0].known {
		name = ""
	}
	if r.batch || strings.Contains(name, "/") {
		if program, rest, ok := strings.Cut(name, "/"); ok && isBuiltin(program) { // rd/s/q x
			items = append([]item{{value: known(program), bare: true}, {value: known("/" + rest), bare: true}}, items[1:]...)
			name = program
		}
	}
	if rest, ok := r.control(name, items); ok {
		if len(rest) == 0 {
			return value{}
		}
		return r.command(rest, in)
	}
	if name == "" && r.fetches(items, in) {
		r.code(value{network: true})
		return value{}
	}
	if !r.batch {
		items = r.splat(items)
		if to, ok := r.aliases[name]; ok {
			name = to
			items[0].value = known(to)
		}
		if v, ok := r.invoke(name, items, in); ok {
			return v
		}
	}
	if v, done := r.own(canonical(name, items), items, in); done {
		return v
	}
	return r.start(canonical(name, items), items, in)
}

// fetches reports whether a command that is unknown is given what a host has sent.
func (r *reader) fetches(items []item, in value) bool {
	for n := range items {
		if items[n].network {
			return true
		}
	}
	return in.network
}

// control are the words that only steer what follows. rest is what they run;
// blocks in brackets are read here.
func (r *reader) control(name string, items []item) (rest []item, ok bool) {
	switch name {
	case "if", "elseif", "else", "foreach", "while", "do", "until", "switch", "try", "catch", "finally", "function", "filter", "param",
		"return", "for", "process", "begin", "end", "trap", "not", "exist":
		if name == "foreach" && len(items) == 2 && items[1].block {
			return nil, false // as in a pipe
		}
		switch name {
		case "function", "filter":
			r.define(items)
		case "param":
			return items[min(2, len(items)):], true
		}
		for n := 1; n < len(items); n++ {
			if items[n].block {
				r.script(items[n].raw, value{})
			}
		}
		if name == "for" && r.batch {
			return r.loop(items), true
		}
		return behind(name, items), true
	case "call", "@echo", "rem", "::", "goto", "setlocal", "endlocal", "title", "pause", "echo.", "break", "continue", "exit":
		if name == "call" {
			return items[1:], true
		}
		return nil, true
	}
	return nil, false
}

// behind returns the command at the end of: if [not] exist X command, if A==B
// command, for %i in (…) do command; return command.
func behind(name string, items []item) []item {
	if name == "return" || name == "else" {
		return items[1:]
	}
	for n := 1; n < len(items); n++ {
		switch word := strings.ToLower(items[n].text); {
		case word == "do" && name == "for":
			return items[n+1:]
		case name == "if" && (word == "exist" || word == "defined" || word == "errorlevel") && n+2 <= len(items):
			return items[min(n+2, len(items)):]
		case name == "if" && strings.Contains(word, "=="):
			return items[n+1:]
		case name == "if" && (word == "equ" || word == "neq" || word == "lss" || word == "gtr") && n+2 <= len(items):
			return items[min(n+2, len(items)):]
		}
	}
	return nil
}

// loop interprets for %x in (…) do …: with /f the text in the brackets is run,
// otherwise %x is each item in them.
func (r *reader) loop(items []item) []item {
	body := behind("for", items)
	for n := 1; n+2 < len(items); n++ {
		inner, ok := strings.CutPrefix(items[n+2].raw, "(")
		if !ok || !strings.EqualFold(items[n+1].text, "in") {
			continue
		}
		inner = strings.TrimSuffix(inner, ")")
		each, listed := r.each(inner), value{}
		if strings.EqualFold(items[1].text, "/f") {
			if listed = r.script(strings.Trim(inner, "'`"), value{}); len(listed.paths) > 0 {
				each = listed.paths
			}
		}
		for i := range body {
			if body[i].text == items[n].text {
				if body[i].value = (value{text: items[n].text, network: listed.network}); !listed.network {
					body[i].paths = each
				}
			} else if name := items[n].text; name != "" && strings.HasSuffix(body[i].text, `\`+name) { // what a folder has in it
				body[i].value = known(strings.TrimSuffix(body[i].text, name) + "*")
			}
		}
	}
	return body
}

// each are the words of a list, none if it is the output of a program.
func (r *reader) each(list string) (out []model.Word) {
	if strings.ContainsAny(list, "'`") {
		return []model.Word{{Text: "%"}}
	}
	for _, w := range split(known(list)) {
		out = append(out, r.path(w))
	}
	return out
}

// start starts a program with the words that the items are.
func (r *reader) start(name string, items []item, in value) value {
	words := []model.Word{items[0].word()}
	if name != "" {
		words[0] = model.Word{Text: name, Known: true}
		if items[0].text != "" && strings.HasSuffix(strings.TrimSuffix(strings.ToLower(items[0].text), ".exe"), name) {
			words[0].Text = items[0].text
		}
	}
	words[0] = r.here(words[0])
	words = append(words, r.args(items[1:])...)
	if r.registry != "" && strings.Contains(name, "item") {
		for n := range words {
			if at, ok := strings.CutPrefix(words[n].Text, "."); ok && (at == "" || at[0] == '\\') {
				words[n].Text = r.registry + at
			}
		}
	}
	s := languages.Start{}
	if in.known || in.network {
		s.Input = &languages.Content{Text: in.text, Known: in.known, Network: in.network}
	}
	s.Piped = in.piped
	if len(in.paths) > 0 && !hasOperand(words[1:]) {
		r.piped(name, in.paths)
	}
	r.h.Start(words, s)
	r.stores(name, items, in)
	for n := 1; n < len(items); n++ {
		if items[n].block {
			r.block(items[n].raw, in)
		}
	}
	out := r.result(name, words, in)
	out.piped, out.environ = true, cmp.Or(out.environ, in.picked(items))
	return out
}

// here is a program that the script has put into its own directory, where
// Windows looks first.
func (r *reader) here(w model.Word) model.Word {
	lower := strings.ToLower(w.Text)
	if w.Known && !strings.ContainsAny(w.Text, `/\`) &&
		(strings.HasSuffix(lower, ".bat") || strings.HasSuffix(lower, ".cmd") || len(r.h.Holds(r.h.Resolve(w))) > 0) {
		w.Text = "./" + w.Text
	}
	return r.path(w)
}

// block reads a block that is run for what is piped in, which is $_.
func (r *reader) block(text string, in value) value {
	outer, was := r.vars["_"]
	r.set("_", in)
	v := r.script(text, in)
	if was {
		r.set("_", outer)
	} else {
		delete(r.vars, "_")
	}
	return v
}

// args returns the words of arguments. Lists, and combined switches of cmd, are
// split.
func (r *reader) args(items []item) (out []model.Word) {
	option := ""
	for n := range items {
		i := &items[n]
		switch {
		case i.block, i.fields != nil && i.text == "":
			option = ""
		case i.bare && i.raw == ",":
			if option != "" && n+1 < len(items) { // -Path a, b
				out = append(out, model.Word{Text: option, Known: true})
			}
		case i.bare && isSwitches(i.text):
			for letter := range strings.SplitSeq(i.text[1:], "/") {
				out = append(out, model.Word{Text: "/" + letter, Known: true})
			}
		default:
			if i.bare && strings.HasPrefix(i.text, "-") {
				option = i.text
			} else if n > 0 && items[n-1].raw != "," && (n < 2 || items[n-1].text != option) {
				option = ""
			}
			for _, w := range i.words() {
				out = append(out, r.path(w))
			}
		}
	}
	return out
}

// isSwitches reports whether a word is several switches of cmd: /s/q.
func isSwitches(text string) bool {
	if len(text) < 4 || text[0] != '/' {
		return false
	}
	for letter := range strings.SplitSeq(text[1:], "/") {
		if len(letter) != 1 {
			return false
		}
	}
	return true
}

// hasOperand reports whether there is an argument that is no option, and not the text
// or name that an option gives.
func hasOperand(words []model.Word) bool {
	for n, w := range words {
		if n > 0 {
			switch strings.ToLower(words[n-1].Text) {
			case "-value", "-newname", "-destination", "-encoding", "-erroraction", "-ea", "-stream", "-exclude", "-include", "-filter":
				continue
			}
		}
		if w.Text != "" && w.Text[0] != '-' && !(w.Text[0] == '/' && len(w.Text) == 2) {
			return true
		}
	}
	return false
}

// path is a word as other systems write it, if it is a path of Windows.
func (r *reader) path(w model.Word) model.Word {
	home, t := r.h.Home(), w.Text
	switch {
	case !w.Known || t == "":
	case t == "~" || strings.HasPrefix(t, `~\`) || strings.HasPrefix(t, "~/"):
		if home != "" {
			w.Text = home + slashes(home, t[1:])
		}
	case strings.HasPrefix(t, `.\`), strings.HasPrefix(t, `..\`), home != "" && home[0] == '/' &&
		(strings.HasPrefix(t, home+`\`) || strings.HasPrefix(t, home+"/")):
		w.Text = slashes(r.h.Dir().Abs, t)
	case home != "" && home[0] == '/' && strings.Contains(t, "@"+home) && strings.Contains(t, `\`): // f=@$HOME\x
		at := strings.Index(t, "@"+home)
		w.Text = t[:at] + slashes(home, t[at:])
	case len(t) > 1 && t[0] == '\\' && isName(t[1]):
		w.Text = "C:" + t
	}
	return w
}

// slashes writes a path as the system does that another path is of.
func slashes(as, text string) string {
	if strings.HasPrefix(as, "/") {
		return strings.ReplaceAll(text, `\`, "/")
	}
	return text
}
