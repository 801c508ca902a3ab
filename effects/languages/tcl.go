package languages

import (
	"github.com/trammel-dev/trammel/effects/languages/tcl"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

var tclLanguage = Language{name: "tcl", read: tclScript}

// tclScript lists what Tcl and expect do. There is more in them than is read,
// which a doubt says.
func tclScript(h Host, _ *Language, text string) {
	opaque(h, "tcl", text)
	if recipes.Controlled(text) || recipes.FetchesCode(text) {
		served(h)
	}
	tcl.Read(&tcl.Host{Home: h.Home(), Shell: func(line string) { h.Shell(line, nil) },
		Type: func(text string) { h.Run(Typed, text) },

		File: func(f model.File, w model.Word) { add(h, f, w) }, Net: h.Net, URL: h.URL}, text)
}
