package promptrouter

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
)

// Bounds on the search for routing documents.
const (
	maxDepth     = 4
	maxDirs      = 2000
	maxDocuments = 100
	maxEntries   = 4096
	maxHead      = 16 << 10
)

// routingFile is the name of a document that says where things are.
const routingFile = "ROUTING.md"

// documents returns the routing documents that fit the prompt: it contains the
// name of their directory, or words of their headings.
func documents(ev *trammel.Event, said words) (out []suggestion) {
	w, root := world.Of(ev), ev.Session.Project
	for _, name := range find(w, root) {
		found := said.matching(wordsOf(path.Dir(name)))
		score := 2 * float64(len(found))
		for _, word := range said.matching(headings(w, filepath.Join(root, filepath.FromSlash(name)))) {
			if !slices.Contains(found, word) {
				found = append(found, word)
				score++
			}
		}
		if len(found) > 0 {
			out = append(out, suggestion{name, "It is about " + strings.Join(found[:min(len(found), 5)], ", ") + ".", score})
		}
	}
	return out
}

// matching returns the significant words of a text that are also in the prompt.
func (w words) matching(text words) []string {
	var found []string
	for _, word := range text.list {
		if w.set[word] && !common(word) && !slices.Contains(found, word) {
			found = append(found, word)
		}
	}
	return found
}

// find lists the routing documents of a repository, starting at its root.
func find(w trammel.World, root string) (names []string) {
	dirs := 0
	var visit func(rel string, depth int)
	visit = func(rel string, depth int) {
		if dirs++; dirs > maxDirs || depth > maxDepth || len(names) >= maxDocuments {
			return
		}
		entries, _ := w.ReadDir(filepath.Join(root, rel), maxEntries) // what cannot be read is not suggested
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
		for _, e := range entries {
			switch name := e.Name(); {
			case e.IsDir() && !strings.HasPrefix(name, ".") && name != "node_modules" && name != "vendor":
				visit(path.Join(rel, name), depth+1)
			case name == routingFile && e.Type().IsRegular():
				names = append(names, path.Join(rel, name))
			}
		}
	}
	visit("", 0)
	return names
}

// headings are the words of a document's headings.
func headings(w trammel.World, file string) words {
	data, _ := w.ReadFile(file, maxDocument)
	var text strings.Builder
	for line := range strings.Lines(string(data[:min(len(data), maxHead)])) {
		if strings.HasPrefix(line, "#") {
			text.WriteString(line)
		}
	}
	return wordsOf(text.String())
}

// maxDocument is the size above which documents are not read.
const maxDocument = 4 << 20
