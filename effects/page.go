package effects

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// page lists what code for a web page reads there and sends to a host. Cookies and
// storage hold the user's logins.
func (w *argumentWalk) page(text string, before int) {
	stores := []string{"document.cookie", "cookieStore", "localStorage", "sessionStorage", "indexedDB"}
	if !slices.ContainsFunc(stores, func(store string) bool { return strings.Contains(text, store) }) {
		return
	}
	for at := 0; ; { // hosts that the walker misses: new Image().src = "https://…"
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

// isHeadline reports whether an argument of this name is a single line for people,
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
