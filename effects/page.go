package effects

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// page lists what code for a page in a browser takes from there and gives to a
// host: what logs the user in is kept in cookies and in storage.
func (w *argumentWalk) page(text string, before int) {
	stores := []string{"document.cookie", "cookieStore", "localStorage", "sessionStorage", "indexedDB"}
	if !slices.ContainsFunc(stores, func(store string) bool { return strings.Contains(text, store) }) {
		return
	}
	for at := 0; ; { // where the walker does not see one: new Image().src = "https://…"
		i := strings.Index(text[at:], "://")
		if i < 0 {
			break
		}
		begin := strings.LastIndexAny(text[:at+i], "\"'` (") + 1
		end := at + i + 3
		for end < len(text) && !strings.ContainsRune("\"'` )", rune(text[end])) {
			end++
		}
		if url := text[begin:end]; isURL(url) {
			w.url(url)
		}
		at = end
	}
	leaves := false
	for i := before; i < len(w.set.Nets); i++ {
		w.set.Nets[i].Sends = true
		leaves = true
	}
	if leaves {
		jar := path.Join(w.Home(), ".config/google-chrome/Default/Cookies")
		p := model.Path{Text: "the browser's cookies and storage", Abs: jar, Real: jar}
		w.set.Files = append(w.set.Files, File{Op: Read, Path: p, Run: -1})
	}
}

// isHeadline reports whether people write one line for people under this name,
// which may begin like a statement: drop table breaks the build.
func isHeadline(name string) bool {
	for word := range words(name) {
		switch word {
		case "title", "subject", "summary", "description", "comment", "comments", "message", "messages", "label", "labels", "reason", "note",
			"notes", "question", "caption", "prompt", "instructions", "thought", "thoughts":
			return true
		}
	}
	return false
}
