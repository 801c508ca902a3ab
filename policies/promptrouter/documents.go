package promptrouter

import (
	"bufio"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds on the search for routing documents.
const (
	maxDepth     = 4
	maxDirs      = 2000
	maxDocuments = 100
	maxHead      = 16 << 10
)

// routingFile is the name of a document that says what lies where.
const routingFile = "ROUTING.md"

// documents are the routing documents that the prompt is about: it names their
// directory, or words of their headings.
func documents(root string, said words) (out []suggestion) {
	for _, name := range find(root) {
		found := said.matching(wordsOf(path.Dir(name)))
		score := 2 * float64(len(found))
		for _, word := range said.matching(headings(filepath.Join(root, filepath.FromSlash(name)))) {
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

// matching are the words of a text that the prompt has too, and that mean something.
func (w words) matching(text words) []string {
	var found []string
	for _, word := range text.list {
		if w.set[word] && !common(word) && !slices.Contains(found, word) {
			found = append(found, word)
		}
	}
	return found
}

// find lists the routing documents of a repository, from its root on.
func find(root string) (names []string) {
	dirs := 0
	filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, file)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil:
			return nil // what cannot be read is not suggested
		case d.IsDir():
			if dirs++; dirs > maxDirs || len(names) >= maxDocuments {
				return filepath.SkipAll
			}
			if name := d.Name(); rel != "." && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "vendor" ||
				strings.Count(rel, "/") >= maxDepth) {
				return filepath.SkipDir
			}
		case d.Name() == routingFile && d.Type().IsRegular():
			names = append(names, rel)
		}
		return nil
	})
	return names
}

// headings are the words of a document's headings.
func headings(file string) words {
	f, err := os.Open(file)
	if err != nil {
		return words{}
	}
	defer f.Close()
	var text strings.Builder
	lines := bufio.NewScanner(io.LimitReader(f, maxHead))
	for lines.Scan() {
		if line := lines.Text(); strings.HasPrefix(line, "#") {
			text.WriteString(line + "\n")
		}
	}
	return wordsOf(text.String())
}
