package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel/effects"
)

// opVerbs says what happens to a file.
var opVerbs = map[string]string{"read": "reads", "write": "writes", "delete": "deletes", "move": "moves", "link": "makes a link to",
	"mode": "changes the permissions of", "search": "lists"}

// EffectLines says what a call does, one effect a line.
func EffectLines(s *effects.Set) []string {
	var out []string
	shown := map[string]bool{} // effects that happen twice, or in two possible directories, are printed once
	say := func(format string, args ...any) {
		if line := fmt.Sprintf(format, args...); !shown[line] {
			shown[line] = true
			out = append(out, line)
		}
	}
	for i := range s.Runs {
		say("runs %s", runText(s, i))
	}
	for i := range s.Files {
		f := &s.Files[i]
		text := opVerbs[f.Op.String()] + " " + place(f.Path)
		if f.To.Text != "" || f.To.Abs != "" {
			text += " → " + place(f.To)
		}
		if f.Tree {
			text += " and everything below it"
		}
		if f.Device {
			text += " (a device)"
		}
		say("%s", text)
	}
	for _, n := range effects.Hosts(s) {
		verb := "talks to"
		switch {
		case n.Listens:
			verb = "listens at"
		case n.Sends:
			verb = "sends data to"
		}
		host := cmp.Or(n.Host, "an unknown host")
		if n.Own && n.Host == "" {
			host = "the service of " + s.Runs[n.Run].Program
		}
		if n.Port != "" {
			host += ":" + n.Port
		}
		say("%s %s", verb, host)
	}
	for _, c := range s.Codes {
		text := fmt.Sprintf("executes %s code (%s)", c.Language, c.Origin)
		if c.File.Text != "" {
			text += " from " + place(c.File)
		}
		say("%s", text)
	}
	if len(s.Env) > 0 {
		say("reads the environment: %s", strings.Join(s.Env, ", "))
	}
	for _, b := range s.Bombs {
		say("starts processes without end: %s", Shorten(b, 60))
	}
	for _, d := range s.Doubts {
		say("unknown (%s): %s", d.Code, Shorten(d.What, 80))
	}
	return out
}

// runText is a program with its arguments, and the program that starts it.
func runText(s *effects.Set, i int) string {
	r := &s.Runs[i]
	words := []string{r.Path}
	if r.Program == "" {
		words[0] = "an unknown program"
	}
	for _, a := range r.Args {
		words = append(words, a.Text)
	}
	text := Shorten(strings.Join(words, " "), 100)
	if r.By >= 0 && r.By < len(s.Runs) {
		text += " (by " + s.Runs[r.By].Program + ")"
	}
	return text
}

func place(p effects.Path) string {
	switch {
	case p.Abs == "":
		return p.Text + " (unknown directory)"
	case p.Real != "" && p.Real != p.Abs:
		return p.Abs + " = " + p.Real
	}
	return p.Abs
}
