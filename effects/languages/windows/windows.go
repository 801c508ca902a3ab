// Package windows says what lines of PowerShell and cmd.exe do. One reader handles
// both, because they are similar and agents mix them. Nothing is run; anything
// unknown is a doubt.
package windows

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages"
	"github.com/trammel-dev/trammel/effects/model"
)

// Languages that can be read.
const (
	PowerShell  = "powershell"
	Batch       = "batch"
	CommandLine = "commandline" // of one program: | and & are its arguments
)

// Reads reports whether Read knows a language.
func Reads(language string) bool {
	return language == PowerShell || language == Batch || language == CommandLine
}

const (
	maxText  = 1 << 18 // bytes of a script
	maxDepth = 24      // brackets, blocks and scripts within each other
	maxList  = 256     // values of a list
)

// Read lists what a text does that PowerShell or cmd.exe executes.
func Read(language, text string, h languages.Host) {
	if len(text) > maxText || !h.Spend(len(text)) {
		h.Doubt("size", language)
		return
	}
	r := &reader{h: h, batch: language != PowerShell}
	if language == CommandLine {
		r.line(known(text))
		return
	}
	r.script(text, value{})
}

// reader follows one script.
type reader struct {
	h     languages.Host
	batch bool
	vars  map[string]value
	depth int

	aliases   map[string]string   // what a script calls by other names
	functions map[string]function // its own commands
	registry  string              // the key of the registry that it works in

	fetched bool // an object was given a URL, and contains the response
}

// value is the result of an expression or a command.
type value struct {
	text    string
	known   bool
	network bool             // it comes from a host
	piped   bool             // a program has written it
	code    bool             // it is a script that can be run
	paths   []model.Word     // files that it stands for, as they go through a pipe
	list    []value          // a, b, c
	environ string           // what of the environment it is: $NAME, * if all
	kind    string           // the type of an object, or the name of what COM or WMI calls it
	fields  map[string]value // its properties, or what a table holds; "" is what the object was made of
}

func known(text string) value { return value{text: text, known: true} }

// word is a value as an argument.
func (v *value) word() model.Word {
	return model.Word{Text: v.text, Known: v.known, Network: v.network, Glob: v.known && strings.ContainsAny(v.text, "*?")}
}

// all are the values of a list, or the one value.
func (v *value) all() []value {
	if len(v.list) > 0 {
		return v.list
	}
	return []value{*v}
}

// words are the arguments that a value becomes.
func (v *value) words() (out []model.Word) {
	if len(v.paths) > 0 {
		return v.paths
	}
	for _, one := range v.all() {
		out = append(out, one.word())
	}
	return out
}

// script reads commands to the end of a text and returns the result of the last
// one. in is its piped input.
func (r *reader) script(text string, in value) value {
	if r.depth++; r.depth > maxDepth {
		r.depth--
		r.h.Doubt("depth", text)
		return value{}
	}
	s := scanner{r: r, text: text}
	var last value
	for !s.done() {
		if last = s.pipeline(in); r.depth == 1 {
			r.show(last)
		}
	}
	r.depth--
	return last
}

// set gives a variable a value.
func (r *reader) set(name string, v value) {
	if r.vars == nil {
		r.vars = map[string]value{}
	}
	if r.fits(len(r.vars), "variables") {
		r.vars[strings.ToLower(name)] = v
	}
	if env, ok := strings.CutPrefix(strings.ToLower(name), "env:"); ok {
		r.exports(env, v)
	}
}

// exports sets a variable of the environment, if programs may run its value.
func (r *reader) exports(name string, v value) {
	if v.known && strings.ContainsAny(v.text, ` /\`) {
		r.h.Start([]model.Word{{Text: "export", Known: true}, {Text: strings.ToUpper(name) + "=" + v.text, Known: true}}, languages.Start{})
	}
}

// fits reports whether a list that has n elements takes another one. What it does not take is
// a doubt.
func (r *reader) fits(n int, what string) bool {
	if n < maxList {
		return true
	}
	r.h.Doubt("size", what)
	return false
}
