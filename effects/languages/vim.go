package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/guess"
	"github.com/trammel-dev/trammel/effects/model"
)

var vim = Language{name: "vim", comments: "#", rawQuotes: true, backtick: commandToken, read: vimExpression}

// vimExpression finds the functions of Vim that leave the editor.
func vimExpression(h Host, l *Language, text string) {
	tokens := tokenize(l, text)
	if cutOff(tokens, text) {
		h.Doubt("size", "vim")
	}
	for i := 0; i+2 < len(tokens); i++ {
		if tokens[i].kind != nameToken || !tokens[i+1].is("(") {
			continue
		}
		w, second := model.Word{Text: text}, i+4
		if tokens[i+2].kind == textToken && tokens[i+2].parts == nil {
			w = word(tokens[i+2].text)
		} else if tokens[i+2].named("expand") && i+7 < len(tokens) && tokens[i+4].kind == textToken { // expand("~")
			w = word(guess.Tilde(h, strings.Replace(tokens[i+4].text, "$HOME", "~", 1)))
			second = i + 7
		}
		switch tokens[i].text {
		case "system", "systemlist", "job_start", "jobstart", "term_start", "termopen":
			command(h, w)
		case "delete":
			tree := second < len(tokens) && tokens[second].text == "rf"
			add(h, model.File{Op: model.Delete, Tree: tree, Code: true}, w)
		case "writefile":
			for j := i + 2; j < len(tokens); j++ {
				if tokens[j].is("]") && j+2 < len(tokens) && tokens[j+2].kind == textToken {
					w = word(tokens[j+2].text)
				}
			}
			add(h, model.File{Op: model.Write, Code: true}, w)
		case "rename":
			add(h, model.File{Op: model.Move, Code: true}, w)
		case "readfile":
			add(h, model.File{Op: model.Read, Code: true}, w)
		}
	}
}
