package compute

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Keys is the text that tmux and screen type if they are told these words.
func Keys(words []model.Word) model.Word {
	var b strings.Builder
	known, uses := true, model.Span{}
	for i := 0; i < len(words); i++ {
		switch t := words[i].Text; {
		case t == "-t" || t == "-N":
			i++
		case len(t) == 2 && t[0] == '-':
		case t == "Enter" || t == "C-m" || t == "KPEnter":
			b.WriteByte('\n')
		case t == "Space":
			b.WriteByte(' ')
		default:
			b.WriteString(t)
			known = known && words[i].Known
			uses.Add(words[i].Uses)
		}
	}
	return model.Word{Text: b.String(), Known: known, Uses: uses}
}
