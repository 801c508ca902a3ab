package compute

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// Base32 decodes what base32 prints.
func Base32(s string) (string, bool) {
	var out []byte
	bits, n := 0, 0
	for _, c := range strings.TrimRight(strings.Join(strings.Fields(s), ""), "=") {
		at := strings.IndexRune("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", c)
		if at < 0 {
			return "", false
		}
		bits, n = bits<<5&0xfff|at, n+5
		if n >= 8 {
			n -= 8
			out = append(out, byte(bits>>n))
		}
	}
	return string(out), true
}

// UTF16Base64 decodes the argument of PowerShell's -EncodedCommand.
func UTF16Base64(s string) (string, bool) {
	raw, ok := Base64(s)
	if !ok || len(raw)%2 != 0 {
		return "", false
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i]) | uint16(raw[2*i+1])<<8
	}
	return string(utf16.Decode(units)), true
}

// Echo returns what echo prints. With -e, or if the shell does so, escapes are
// resolved; otherwise a backslash makes the result uncertain.
func Echo(args []model.Word) (string, bool) {
	newline, escapes := true, false
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' && strings.Trim(args[0].Text[1:], "neE") == "" {
		newline = newline && strings.IndexByte(args[0].Text, 'n') < 0
		escapes = escapes || strings.IndexByte(args[0].Text, 'e') > 0
		args = args[1:]
	}
	line := Join(args)
	ok := line.Known || len(args) == 0
	for i := range args {
		ok = ok && !args[i].Glob
	}
	if escapes {
		line.Text = Escaped(line.Text, false)
	}
	if newline {
		line.Text += "\n"
	}
	return line.Text, ok
}

// Quote writes words so that a shell reads the same words again.
func Quote(words []model.Word) string {
	var b strings.Builder
	for i := range words {
		w := &words[i]
		b.WriteByte(' ')
		if !w.Known || w.Glob {
			b.WriteString(w.Text)
			continue
		}
		b.WriteByte('\'')
		b.WriteString(strings.ReplaceAll(w.Text, "'", `'\''`))
		b.WriteByte('\'')
	}
	return b.String()
}

// ProgramName is the base name of a program, in lower case and without .exe.
func ProgramName(w *model.Word) (name, path string, ok bool) {
	path = w.Text
	if len(path) > 1 && path[0] == '=' {
		path = path[1:] // zsh: where the program is
	}
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	if i := strings.LastIndexByte(path, '\\'); i >= 0 && !isWindows(path) {
		base = path[strings.LastIndexByte(path, '/')+1:]
	}
	switch {
	case !w.Known && (base == path || strings.ContainsAny(base, "$`(){}") || base == ""): // the slash of $(cat /x) is not the word's
		return "", path, false
	case w.Glob && strings.ContainsAny(base, "*?[") && base != "[":
		return "", path, false
	}
	return strings.TrimSuffix(strings.ToLower(base), ".exe"), path, base != ""
}

func isWindows(path string) bool {
	return len(path) > 2 && path[1] == ':' || strings.HasPrefix(path, `\\`) || strings.HasPrefix(path, `.\`)
}

// Printed is what echo, print or printf write.
func Printed(program string, args []model.Word) (text string, ok bool) {
	if program == "printf" {
		return Printf(args)
	}
	return Echo(args)
}

// Patterns are the names of files that echo or printf write, one on each line or
// in one line, if they write nothing else: printf '%s\n' ~/*.
func Patterns(program string, args []model.Word) []model.Word {
	if program == "printf" && len(args) > 1 && (args[0].Text == `%s\n` || args[0].Text == `%s\0`) {
		args = args[1:]
	}
	for _, w := range args {
		if !w.Known || !w.Glob || !strings.ContainsAny(w.Text, "*?[") {
			return nil
		}
	}
	return args
}

// Base64 decodes what base64 prints.
func Base64(s string) (string, bool) {
	s = strings.Join(strings.Fields(s), "")
	text, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	return string(text), err == nil
}

// Join is what eval makes of its words.
func Join(words []model.Word) model.Word {
	if len(words) == 1 {
		return words[0]
	}
	out := model.Word{Known: true, Network: len(words) > 0}
	texts := make([]string, len(words))
	for i := range words {
		texts[i] = words[i].Text
		out.Known = out.Known && words[i].Known
		out.Network = out.Network && words[i].Network
	}
	out.Text = strings.Join(texts, " ")
	return out
}

// Passed are the places that a filter passes on: all, or only some of them.
func Passed(output string, places []model.Word) []model.Word {
	switch output {
	case "same", "order":
		return places
	case "some":
	default:
		return nil
	}
	var some []model.Word
	for _, w := range places {
		switch {
		case strings.HasSuffix(w.Text, "/**"):
			w.Text += "/*"
		case !strings.Contains(w.Text, "/**/"):
			return nil
		}
		some = append(some, w)
	}
	return some
}

// Most reports whether a filter leaves out only what it names: grep -v x.
func Most(r *model.Run) bool {
	return strings.HasSuffix(r.Program, "grep") && (HasLetter(r.Args, 'v') ||
		slices.ContainsFunc(r.Args, func(w model.Word) bool { return w.Text == "--invert-match" }))
}

// Replaced puts an item in the place of a placeholder.
func Replaced(words []model.Word, placeholder string, item model.Word) []model.Word {
	out := slices.Clone(words)
	for i := range out {
		if at := strings.Index(out[i].Text, placeholder); at >= 0 {
			item := item
			if item.Names && at > 0 && out[i].Text[at-1] == '/' {
				item.Text, item.Known, item.Glob = "*", true, true
			}
			out[i].Text = strings.ReplaceAll(out[i].Text, placeholder, item.Text)
			out[i].Known = out[i].Known && item.Known
			out[i].Glob = out[i].Glob || item.Glob
			out[i].Network = item.Network && out[i].Text == item.Text
			out[i].Some = out[i].Some || item.Some
			out[i].Uses.Add(item.Uses)
		}
	}
	return out
}

// First changes the first letter of a text.
func First(s string, change func(string) string) string {
	if s == "" {
		return s
	}
	return change(s[:1]) + s[1:]
}

// Unmarked are arguments without the -- in front of them.
func Unmarked(args []model.Word) []model.Word {
	if len(args) > 0 && args[0].Text == "--" {
		return args[1:]
	}
	return args
}

// Positional are the arguments that set gives a shell, if any.
func Positional(args []model.Word) ([]model.Word, bool) {
	for i := range args {
		t := args[i].Text
		switch {
		case t == "--" || t == "-":
			return args[i+1:], true
		case i > 0 && takesName(args[i-1].Text): // set -euo pipefail
		case len(t) > 0 && (t[0] == '-' || t[0] == '+'):
		default:
			return args[i:], true
		}
	}
	return nil, false
}

// Option reports whether set or a shell is given an option, by its letter or its name, and
// whether that turns it on.
func Option(args []model.Word, letter, name string) (on, ok bool) {
	for i := range args {
		t := args[i].Text
		if t == name && i > 0 && takesName(args[i-1].Text) {
			t = args[i-1].Text[:1] + letter
		}
		switch {
		case len(t) > 1 && (t[0] == '-' || t[0] == '+') && t[1] != '-':
			if strings.Contains(t[1:], letter) {
				on, ok = t[0] == '-', true
			}
		case i == 0 || !takesName(args[i-1].Text):
			return on, ok
		}
	}
	return on, ok
}

// OptionValues are the values that getopts may find: what stands behind an option, or
// after its letter.
func OptionValues(args, positional []model.Word) (out []model.Word) {
	if len(args) > 2 {
		positional = args[2:]
	}
	for _, w := range positional {
		if len(w.Text) > 2 && w.Text[0] == '-' {
			w.Text = w.Text[2:]
		}
		out = append(out, w)
	}
	return out
}

// Index is the place of a word, -1 if it is not there.
func Index(args []model.Word, text string) int {
	return slices.IndexFunc(args, func(w model.Word) bool { return w.Text == text })
}

// Turns reports whether pushd or popd is told a place of the stack: pushd +1, popd -n.
func Turns(args []model.Word) bool {
	return slices.ContainsFunc(args, func(w model.Word) bool {
		return len(w.Text) > 1 && (w.Text[0] == '+' || w.Text[0] == '-') && strings.Trim(w.Text[1:], "0123456789n") == ""
	})
}

// takesName reports whether a cluster of options takes the name of one from the next word.
func takesName(t string) bool {
	return len(t) > 1 && (t[0] == '-' || t[0] == '+') && t[1] != '-' && t[len(t)-1] == 'o'
}

// Split are the fields of a line: white space between them counts once, any other blank
// each time.
func Split(line, blanks string) (fields []string) {
	white := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n", r) {
			return r
		}
		return -1
	}, blanks)
	for line = strings.Trim(line, white); line != ""; {
		at := strings.IndexAny(line, blanks)
		if at < 0 {
			return append(fields, line)
		}
		fields = append(fields, line[:at])
		if line = strings.TrimLeft(line[at:], white); line != "" && strings.Contains(blanks, line[:1]) {
			line = strings.TrimLeft(line[1:], white)
		}
	}
	return fields
}

// Basename is what basename prints of one name, if that is plain.
func Basename(args []model.Word) (string, bool) {
	args = Unmarked(args)
	if len(args) == 0 || len(args) > 2 || !Join(args).Known || args[0].Text == "" || args[0].Text[0] == '-' {
		return "", false
	}
	t := strings.TrimRight(args[0].Text, "/")
	t = t[strings.LastIndexByte(t, '/')+1:]
	if len(args) > 1 && t != args[1].Text {
		t = strings.TrimSuffix(t, args[1].Text)
	}
	return t, true
}

// Dirname is the directory of a path, as it is written.
func Dirname(t string) string {
	switch i := strings.LastIndexByte(strings.TrimRight(t, "/"), '/'); {
	case i > 0:
		return t[:i]
	case i == 0:
		return "/"
	}
	return "."
}

// TakesValue reports whether an option of PowerShell has its value in the next word.
func TakesValue(option string) bool {
	option = strings.ToLower(option)
	if len(option) < 2 || option[0] != '-' {
		return false
	}
	for _, name := range [...]string{"-executionpolicy", "-version", "-windowstyle", "-inputformat", "-outputformat", "-configurationname",
		"-workingdirectory", "-settingsfile", "-psconsolefile", "-custompipename"} {
		if strings.HasPrefix(name, option) && len(option) > 2 {
			return true
		}
	}
	return option == "-ep" || option == "-ex" || option == "-w" || option == "-wd" || option == "-v"
}

// Commands are the lines of AWS's commands=["a","b"], {"commands":["a"]} and command="a".
// Others stay as they are.
func Commands(text string) string {
	list, ok := strings.CutPrefix(strings.TrimLeft(text, `{" `), "command")
	if list = strings.TrimLeft(strings.TrimPrefix(list, "s"), `" `); !ok || list == "" || list[0] != '=' && list[0] != ':' {
		return text
	}
	return strings.NewReplacer(`","`, "\n", `", "`, "\n").Replace(strings.Trim(list[1:], `[]{}"' `))
}

// AnyNetwork reports whether a word holds what a host has sent.
func AnyNetwork(args []model.Word) bool {
	for i := range args {
		if args[i].Network {
			return true
		}
	}
	return false
}

// HasLetter reports whether an option of one letter is given, alone or with others.
func HasLetter(args []model.Word, letter byte) bool {
	for i := range args {
		if t := args[i].Text; len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.IndexByte(t, letter) > 0 {
			return true
		}
	}
	return false
}

// AddPlaces adds places to a list, each once and without one of them. Beyond most of
// them it is somewhere else.
func AddPlaces(most int, list []model.Path, not model.Path, more ...model.Path) []model.Path {
next:
	for _, p := range more {
		if p.Abs == not.Abs {
			continue
		}
		if len(list) >= most {
			p = model.Path{}
		}
		for i := range list {
			if list[i].Abs == p.Abs {
				continue next
			}
		}
		list = append(list[:len(list):len(list)], p)
	}
	return list
}

// Mounted is what a container is given, and where: a:/b, type=bind,source=a,target=/b.
func Mounted(option string) (from, to string) {
	for field := range strings.SplitSeq(option, ",") {
		switch key, value, _ := strings.Cut(field, "="); key {
		case "source", "src":
			from = value
		case "target", "dst", "destination":
			to = value
		}
	}
	if from == "" {
		from, to, _ = strings.Cut(option, ":")
		to, _, _ = strings.Cut(to, ":")
	}
	return from, to
}

// Pieces are the commands in a text that a program takes apart or decodes, one in each
// line.
func Pieces(text string) (out string) {
	if plain, ok := Base64(text); ok {
		text += "\n" + plain
	}
	for _, line := range recipes.CommandsIn(strings.NewReplacer(",", "\n", "\t", "\n").Replace(text)) {
		out += line + "\n"
	}
	return out
}

// NotNumber reports whether a word is no number.
func NotNumber(w model.Word) bool { return strings.Trim(w.Text, "0123456789") != "" }
