package main

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/importers"
)

// conditionsOf are the conditions for a command, in the language of rules.
// Options count in each spelling in the table of programs.
func conditionsOf(program string, args []string) (out []string) {
	runs := []string{program}
	row, _ := programs.Lookup(program)
	for len(args) > 0 {
		sub, ok := row.Sub(args[0])
		if !ok {
			break
		}
		row, runs, args = sub, append(runs, args[0]), args[1:]
	}
	var words []effects.Word
	for _, a := range args {
		words = append(words, effects.Word{Text: a, Known: true})
	}
	parsed := row.Parse(words)
	for i := range parsed.Given {
		out = append(out, "args.has("+quotedList(spellings(&parsed.Given[i]))+")")
	}
	for _, w := range parsed.Operands {
		runs = append(runs, w.Text)
	}
	if len(runs) > 1 {
		out = slices.Insert(out, 0, "runs("+quotedList(runs)+")")
	}
	return out
}

func spellings(g *programs.Given) (out []string) {
	value := ""
	if g.Has {
		value = "=" + g.Value.Text
	}
	if g.Letter != 0 {
		out = append(out, "-"+string(rune(g.Letter))+value)
	}
	if g.Name != "" {
		out = append(out, "--"+map[bool]string{true: "no-"}[g.Off]+g.Name+value)
	}
	return out
}

func quotedList(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = importers.Quote(w)
	}
	return strings.Join(quoted, ", ")
}
