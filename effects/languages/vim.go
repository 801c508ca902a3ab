package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/guess"
	"github.com/trammel-dev/trammel/effects/languages/lex"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

var vim = Language{name: "vim", Syntax: &lex.Plain, read: vimExpression}

// vimExpression finds the functions of Vim that leave the editor.
func vimExpression(h Host, l *Language, text string) {
	tokens := lex.Tokenize(l.Syntax, text)
	if lex.CutOff(tokens, text) {
		h.Doubt("size", "vim")
	}
	for i := 0; i+2 < len(tokens); i++ {
		if tokens[i].Kind != lex.Name || !tokens[i+1].Is("(") {
			continue
		}
		w, second := model.Word{Text: text}, i+4
		if tokens[i+2].Kind == lex.Text && tokens[i+2].Parts == nil {
			w = word(tokens[i+2].Text)
		} else if tokens[i+2].Named("expand") && i+7 < len(tokens) && tokens[i+4].Kind == lex.Text { // expand("~")
			w = word(guess.Tilde(h, strings.Replace(tokens[i+4].Text, "$HOME", "~", 1)))
			second = i + 7
		} else if tokens[i+2].Is("$") && i+3 < len(tokens) && tokens[i+3].Named("HOME") {
			w = word(h.Home())
			second = i + 5
		}
		switch tokens[i].Text {
		case "system", "systemlist", "job_start", "jobstart", "term_start", "termopen":
			command(h, w)
		case "execute", "feedkeys", "win_execute", "nvim_command", "nvim_exec", "nvim_exec2", "nvim_input", "nvim_feedkeys":
			if i+4 < len(tokens) && recipes.Fetches(tokens[i+4].Text) && strings.HasPrefix(tokens[i+2].Text, "system") {
				h.Code(model.Code{Language: "vim", Text: text, Origin: model.Network})
			}
			if line := strings.TrimLeft(w.Text, ": "); strings.HasPrefix(line, "!") {
				command(h, word(line[1:]))
			} else if w.Known {
				vimExpression(h, l, line)
			}
		case "luaeval", "pyeval", "py3eval", "pyxeval", "rubyeval", "perleval":
			if w.Known {
				h.Run(recipes.EditorLanguage(tokens[i].Text), w.Text)
			}
		case "delete":
			tree := second < len(tokens) && tokens[second].Text == "rf"
			add(h, model.File{Op: model.Delete, Tree: tree, Code: true}, w)
		case "writefile":
			for j := i + 2; j < len(tokens); j++ {
				if tokens[j].Is("]") && j+2 < len(tokens) && tokens[j+2].Kind == lex.Text {
					w = word(tokens[j+2].Text)
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
