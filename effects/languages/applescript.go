package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/guess"
	"github.com/trammel-dev/trammel/effects/languages/lex"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

var applescript = Language{name: "applescript", Syntax: &lex.Plain, read: appleScript}

// appleScript finds what AppleScript runs; the rest of it is beyond us.
func appleScript(h Host, l *Language, text string) {
	if recipes.FetchesCode(text) {
		h.Code(model.Code{Language: "applescript", Origin: model.Network})
	}
	folded := recipes.FoldApple(text)
	tokens := lex.Tokenize(l.Syntax, folded)
	if lex.CutOff(tokens, folded) {
		h.Doubt("size", "applescript")
	}
	scripts := false
	for i := 0; i+3 < len(tokens); i++ {
		if !tokens[i].Named("do") || !(tokens[i+1].Named("shell") || tokens[i+1].Named("script")) {
			continue
		}
		at := i + 2
		if tokens[i+1].Named("shell") {
			at = i + 3
		}
		scripts = true
		if tokens[i+1].Named("script") { // in a window of its own
			h.Start([]model.Word{word("open"), word("-a"), word("Terminal")}, Start{})
		}
		out := model.Word{Known: true}
		for ; at < len(tokens) && (tokens[at].Kind == lex.Text || tokens[at].Is("&")); at++ {
			out.Text += tokens[at].Text[:map[bool]int{true: len(tokens[at].Text), false: 0}[tokens[at].Kind == lex.Text]]
		}
		if tokens[at-1].Is("&") || out.Text == "" {
			out = model.Word{Text: out.Text + unknownVariable}
		}
		command(h, out)
	}
	guess.AppleWays(h, text)
	for i := range tokens {
		if tokens[i].Kind == lex.Text {
			guess.LibraryFile(h, tokens[i].Text)
			guess.ColonPath(h, tokens[i].Text)
		}
	}
	guess.Secrets(h, text)
	for i := range tokens {
		name := ""
		if tokens[i].Kind == lex.Name {
			name = strings.ToLower(tokens[i].Text)
		}
		switch name {
		case "keystroke", "click", "send", "make", "upload", "duplicate":
			h.Start([]model.Word{word("cliclick"), word(tokens[i].Text)}, Start{})
		case "delete", "erase", "move":
			if place := recipes.Finder(text); place != "" {
				h.File(model.File{Op: model.Delete, Tree: true, Code: true, Path: h.Resolve(word(guess.Tilde(h, place)))})
			}
			opaque(h, "applescript", text)
			return
		}
	}
	if !scripts {
		h.Code(model.Code{Language: "applescript", Text: text, Origin: model.Inline})
	}
}

// command runs a word as a line of shell.
func command(h Host, w model.Word) {
	if !w.Known {
		h.Doubt("code", w.Text)
	}
	h.Shell(w.Text, nil)
}
