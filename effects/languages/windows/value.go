package windows

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// quoted reads a text up to its closing quote.
func (s *scanner) quoted(quote byte) value {
	out := known("")
	for !s.done() {
		c := s.peek(0)
		switch {
		case c == quote && s.peek(1) == quote && !s.r.batch:
			out.text += string(rune(quote))
			s.at += 2
		case c == quote:
			s.at++
			return out
		case quote == '\'':
			n := strings.IndexByte(s.text[s.at:], quote)
			if n < 0 {
				n = len(s.text) - s.at
			}
			out.text += s.text[s.at : s.at+n]
			s.at += n
		case c == '`' && !s.r.batch && s.at+1 < len(s.text):
			out.text += escaped(s.text[s.at+1 : s.at+2])
			s.at += 2
		case c == '$' && s.peek(1) == '(' && !s.r.batch:
			s.at += 2
			out.join(s.r.script(s.bracket('(', ')'), value{}))
		case c == '$' && !s.r.batch && (isName(s.peek(1)) || s.peek(1) == '{'):
			out.join(s.variable())
		case c == '%':
			if v, n, ok := s.r.percent(s.text[s.at:]); ok && (v.known || s.r.batch) { // otherwise another shell expands it
				s.at += n
				out.join(v)
				continue
			}
			fallthrough
		default:
			n := strings.IndexAny(s.text[s.at+1:], "\"`$%") + 1
			if n == 0 {
				n = len(s.text) - s.at
			}
			out.text += s.text[s.at : s.at+n]
			s.at += n
		}
		if len(out.text) > maxText {
			return value{text: out.text[:maxWord]}
		}
	}
	return out
}

// join adds another value to a text.
func (v *value) join(o value) {
	v.text += o.text
	v.known, v.network, v.environ = v.known && o.known, v.network || o.network, cmp.Or(v.environ, o.environ)
	if len(o.paths) == 1 {
		v.text += o.paths[0].Text
	}
}

func escaped(c string) string {
	switch c {
	case "n":
		return "\n"
	case "t":
		return "\t"
	case "0":
		return "\x00"
	}
	return c
}

// here reads a here-string up to the line that begins with its end.
func (s *scanner) here(quote byte) value {
	text := s.text[s.at:]
	end := strings.Index(text, "\n"+string(rune(quote))+"@")
	if end < 0 {
		s.at = len(s.text)
		return value{text: text}
	}
	s.at += end + 3
	text = strings.TrimLeft(text[:end], "\r\n")
	if quote == '\'' {
		return known(text)
	}
	inner := scanner{r: s.r, text: strings.ReplaceAll(text, `"`, `""`) + `"`}
	return inner.quoted('"')
}

// variable reads $name, ${name}, $env:name.
func (s *scanner) variable() value {
	from := s.at
	s.at++
	name := ""
	if s.peek(0) == '{' {
		s.at++
		name = s.bracket('{', '}')
	} else {
		for !s.done() && (isName(s.peek(0)) || s.peek(0) == ':' && isName(s.peek(1)) && s.peek(1) != ':') {
			s.at++
		}
		name = s.text[from+1 : s.at]
	}
	written := s.text[from:s.at]
	lower := strings.ToLower(name)
	for _, scope := range [...]string{"script:", "global:", "local:", "using:", "variable:"} {
		lower = strings.TrimPrefix(lower, scope)
	}
	if v, ok := s.r.vars[lower]; ok {
		return v
	}
	if env, ok := strings.CutPrefix(lower, "env:"); ok {
		return s.r.environment(env, written)
	}
	switch lower {
	case "home":
		return s.r.environment("home", written)
	case "pwd":
		return s.r.environment("cd", written)
	case "null":
		return known("")
	case "true", "false":
		return known(written)
	case "pshome":
		return known(`C:\Windows\System32\WindowsPowerShell\v1.0`)
	}
	return value{text: written}
}

// folder is one of a person's folders, as Environment.GetFolderPath calls them.
func (r *reader) folder(name string) value {
	home := r.environment("userprofile", name)
	switch name = strings.ToLower(name); {
	case !home.known || name == "userprofile":
	case name == "applicationdata" || name == "localapplicationdata":
		return r.environment(strings.Replace(name, "application", "app", 1), name)
	case name == "mydocuments" || name == "personal":
		home.text += "/Documents"
	case name == "desktop" || name == "desktopdirectory":
		home.text += "/Desktop"
	case strings.HasPrefix(name, "my") && len(name) > 3: // MyPictures, MyMusic, MyVideos
		home.text += "/" + strings.ToUpper(name[2:3]) + name[3:]
	default:
		return value{text: name}
	}
	return home
}

// environment returns the value of a Windows variable. Those for directories have
// the same value on almost every machine.
func (r *reader) environment(name, written string) value {
	name = strings.ToLower(name)
	if v, ok := r.vars["env:"+name]; ok {
		return v
	}
	home := r.h.Home()
	under := func(rest string) value {
		if home == "" {
			return value{text: written}
		}
		if strings.HasPrefix(home, "/") {
			rest = strings.ReplaceAll(rest, `\`, "/")
		}
		return known(home + rest)
	}
	switch name {
	case "userprofile", "home", "homepath":
		return under("")
	case "homedrive": // with homepath, which is all of it here
		return known("")
	case "appdata":
		return under(`\AppData\Roaming`)
	case "localappdata":
		return under(`\AppData\Local`)
	case "temp", "tmp":
		return under(`\AppData\Local\Temp`)
	case "onedrive":
		return under(`\OneDrive`)
	case "systemroot", "windir":
		return known(`C:\Windows`)
	case "systemdrive":
		return known(`C:`)
	case "programfiles":
		return known(`C:\Program Files`)
	case "programfiles(x86)":
		return known(`C:\Program Files (x86)`)
	case "programdata", "allusersprofile":
		return known(`C:\ProgramData`)
	case "public":
		return known(`C:\Users\Public`)
	case "comspec":
		return known(`C:\Windows\System32\cmd.exe`)
	case "cd":
		if dir := r.h.Dir(); dir.Abs != "" {
			return known(dir.Abs)
		}
	case "username", "user":
		if user := r.h.User(); user != "" {
			return known(user)
		}
	}
	if file, ok := r.h.RunnerFile(strings.ToUpper(name)); ok {
		return known(file)
	}
	r.h.Env(strings.ToUpper(name))
	return value{text: written, environ: "$" + strings.ToUpper(name)}
}

// provided is what of the environment a command asks for as if it were a file:
// Get-ChildItem Env:, Get-Content env:NAME.
func (r *reader) provided(args []model.Word) (what string) {
	for _, w := range args {
		name, ok := strings.CutPrefix(strings.ToUpper(w.Text), "ENV:")
		if !ok {
			continue
		}
		if name = strings.TrimLeft(name, `\/`); strings.Trim(name, "*") == "" {
			what = "*"
		} else {
			what = "$" + strings.Trim(name, "*_")
		}
		r.h.Env(strings.TrimPrefix(what, "$"))
	}
	return what
}

// picked is one secret of the environment, if a filter of all of it asks for one by its
// name.
func (v *value) picked(items []item) string {
	if v.environ != "*" {
		return v.environ
	}
	for n := 1; n < len(items); n++ {
		if name := model.SecretNamed(items[n].raw + " " + items[n].text); name != "" {
			return "$" + name
		}
	}
	return "*"
}

// show lists a variable that is printed as a file that is read.
func (r *reader) show(v value) {
	for _, one := range v.all() {
		if strings.HasPrefix(one.environ, "$") {
			const file = "/proc/self/environ"
			r.h.File(model.File{Op: model.Read, Path: model.Path{Text: one.environ, Abs: file, Real: file}, Code: true, Shown: true})
		}
	}
}

// percent reads %NAME%, %NAME:~1,2% and %NAME:a=b%, and how long that is.
func (r *reader) percent(text string) (v value, n int, ok bool) {
	mark := text[0]
	end := strings.IndexByte(text[1:], mark)
	if end < 1 || end > 200 || strings.ContainsAny(text[1:1+end], " \t\n\"'|<>&") {
		return value{}, 0, false
	}
	inside := text[1 : 1+end]
	name, change, changed := strings.Cut(inside, ":")
	if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_()") != "" {
		return value{}, 0, false
	}
	if v, ok = r.vars[strings.ToLower(name)]; !ok {
		v = r.environment(name, text[:end+2])
	}
	if changed && v.known {
		v = substituted(v, change)
	}
	return v, end + 2, true
}

// substituted is the part of a variable, or the change of it, that is asked for.
func substituted(v value, change string) value {
	if from, to, ok := strings.Cut(change, "="); ok {
		return known(replaceFold(v.text, strings.TrimPrefix(from, "*"), to))
	}
	first, second, two := strings.Cut(strings.TrimPrefix(change, "~"), ",")
	from, err := strconv.Atoi(first)
	if err != nil {
		return value{text: v.text}
	}
	length := len(v.text)
	if from < 0 {
		from = max(0, length+from)
	}
	from = min(from, length)
	to := length
	if two {
		n, err := strconv.Atoi(second)
		if err != nil {
			return value{text: v.text}
		}
		if to = from + n; n < 0 {
			to = length + n
		}
	}
	return known(v.text[from:max(from, min(to, length))])
}

// replaceFold replaces a text in any case.
func replaceFold(text, from, to string) string {
	if from == "" || len(from) > len(text) || len(text)*(1+len(to)) > maxText {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if i+len(from) <= len(text) && strings.EqualFold(text[i:i+len(from)], from) {
			b.WriteString(to)
			i += len(from)
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}
