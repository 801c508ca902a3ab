package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/detect"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/sql"
)

// Typed is the language of what is typed into a program that is open: a shell, an
// interpreter or the client of a database. Which one it is, is unknown, so the text
// is read as all that it may be.
const Typed = "typed"

// keys replaces the names of keys by what they type.
var keys = strings.NewReplacer(`\n`, "\n", `\r`, "\n", "\r", "\n", "{enter}", "\n", "{Enter}", "\n",
	"<Enter>", "\n", "<CR>", "\n", "^M", "\n",
	`\015`, "\n")

func typed(h Host, text string) {
	text = keys.Replace(text)
	h.Shell(text, nil)
	if language := detect.Of(text); language != "" {
		h.Run(language, text)
	}
	if store := detect.Store(text); store != "" {
		h.Code(model.Code{Language: store, Text: text, Origin: model.Inline})
		for _, line := range sql.Programs(text) {
			h.Shell(line, nil)
		}
	}
}
