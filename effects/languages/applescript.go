package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/guess"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

var applescript = Language{name: "applescript", comments: "#", rawQuotes: true, backtick: commandToken, read: appleScript}

// appleScript finds what AppleScript runs; the rest of it is beyond us.
func appleScript(h Host, l *Language, text string) {
	if recipes.FetchesCode(text) {
		h.Code(model.Code{Language: "applescript", Origin: model.Network})
	}
	folded := recipes.FoldApple(text)
	tokens := tokenize(l, folded)
	if cutOff(tokens, folded) {
		h.Doubt("size", "applescript")
	}
	scripts := false
	for i := 0; i+3 < len(tokens); i++ {
		if !tokens[i].named("do") || !(tokens[i+1].named("shell") || tokens[i+1].named("script")) {
			continue
		}
		at := i + 2
		if tokens[i+1].named("shell") {
			at = i + 3
		}
		scripts = true
		if tokens[i+1].named("script") { // in a window of its own
			h.Start([]model.Word{word("open"), word("-a"), word("Terminal")}, Start{})
		}
		out := model.Word{Known: true}
		for ; at < len(tokens) && (tokens[at].kind == textToken || tokens[at].is("&")); at++ {
			out.Text += tokens[at].text[:map[bool]int{true: len(tokens[at].text), false: 0}[tokens[at].kind == textToken]]
		}
		if tokens[at-1].is("&") || out.Text == "" {
			out = model.Word{Text: out.Text + unknownVariable}
		}
		command(h, out)
	}
	guess.AppleWays(h, text)
	for i := range tokens {
		if tokens[i].kind == textToken {
			guess.LibraryFile(h, tokens[i].text)
		}
	}
	for i := range tokens {
		name := ""
		if tokens[i].kind == nameToken {
			name = strings.ToLower(tokens[i].text)
		}
		switch name {
		case "keystroke", "click", "send", "make", "upload", "duplicate":
			h.Start([]model.Word{word("cliclick"), word(tokens[i].text)}, Start{})
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
