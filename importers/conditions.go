package importers

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
)

// Conditions are the conditions for a command, in the language of rules. They
// are all about one program, so that what another one does in the same call does
// not count. Options count in each spelling in the table of programs.
func Conditions(program string, args []string) (out []string) {
	row, _ := programs.Lookup(program)
	var subs []string
	for len(args) > 0 {
		sub, ok := row.Sub(args[0])
		if !ok {
			break
		}
		row, subs, args = sub, append(subs, args[0]), args[1:]
	}
	if len(subs) > 0 {
		out = append(out, "args.begins("+quotedList(subs)+")")
	}
	var words []effects.Word
	for _, a := range args {
		words = append(words, effects.Word{Text: a, Known: true})
	}
	parsed := row.Parse(words)
	for i := range parsed.Given {
		has := "args.has(" + quotedList(spellings(&parsed.Given[i])) + ")"
		if row.Name == "git push" && parsed.Given[i].Name == "force" { // a refspec can say it, too
			has = "(" + has + ` || args.starts("+"))`
		}
		out = append(out, has)
	}
	for _, w := range parsed.Operands {
		out = append(out, "args.has("+quotedList([]string{w.Text})+")")
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
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, ", ")
}
