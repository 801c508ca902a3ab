package flow

import (
	"path/filepath"
	"slices"
	"strings"
)

// Artifact is a document of a task, in Markdown.
type Artifact struct {
	Name   string
	Status string // of its line "status:"
	// Done and Fit are its sections Definition Of Done and Goal Fit Gate.
	Done, Fit Section

	modified int64
}

// Section is a list of things to be done.
type Section struct {
	There bool
	Open  []string // what is not ticked
}

// Artifacts reads the documents in which a task is delivered, newest first.
// Plans and reviews are not among them.
func Artifacts(dir string) []Artifact {
	var out []Artifact
	for _, e := range entries(dir) {
		if !strings.HasSuffix(e.Name(), ".md") || e.IsDir() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		data, err := readFile(path, maxFile)
		if err != nil {
			continue
		}
		a, kind := readArtifact(string(data))
		if !delivers(e.Name(), kind) {
			continue
		}
		a.Name, a.modified = e.Name(), modified(path)
		at := len(out)
		for at > 0 && out[at-1].modified < a.modified {
			at--
		}
		out = append(out, Artifact{})
		copy(out[at+1:], out[at:])
		out[at] = a
	}
	return out
}

// delivers reports whether a document is one that a task ends with.
func delivers(name, kind string) bool {
	switch kind {
	case "deliver", "delivery", "fix-bug", "execute-plan", "verify-work":
		return true
	case "":
	default:
		return false
	}
	return slices.ContainsFunc([]string{"--deliver", "--fix-bug", "--execute-plan", "--verify-work"},
		func(word string) bool { return strings.Contains(name, word) })
}

// readArtifact reads the fields of a document and its lists. Fields stand at
// the beginning of a line, outside of code.
func readArtifact(doc string) (a Artifact, kind string) {
	var in *Section
	code := false
	for line := range strings.Lines(doc) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			code = !code
			continue
		}
		switch {
		case code:
		case strings.HasPrefix(trimmed, "#"):
			in = a.section(heading(trimmed), in)
		case a.Status == "" && field(line, "status:") != "":
			a.Status = field(line, "status:")
		case kind == "" && field(line, "type:") != "":
			kind = field(line, "type:")
		case in != nil:
			if open, ok := unticked(trimmed); ok && len(in.Open) < maxList {
				in.Open = append(in.Open, open)
			}
		}
	}
	return a, kind
}

// section is the list that a heading begins. A heading below one of ours does
// not end it.
func (a *Artifact) section(title string, in *Section) *Section {
	level := len(title) - len(strings.TrimLeft(title, "#"))
	switch strings.ToLower(strings.TrimSpace(title[level:])) {
	case "definition of done":
		a.Done.There = true
		return &a.Done
	case "goal fit gate", "goal fit":
		a.Fit.There = true
		return &a.Fit
	}
	if level > 2 {
		return in
	}
	return nil
}

func heading(line string) string { return strings.TrimRight(strings.TrimRight(line, "#"), " ") }

func field(line, name string) string {
	if len(line) < len(name) || !strings.EqualFold(line[:len(name)], name) {
		return ""
	}
	return strings.ToLower(Clean(line[len(name):]))
}

// unticked is an entry "- [ ] something".
func unticked(line string) (string, bool) {
	for _, mark := range [...]string{"- [ ]", "* [ ]", "+ [ ]"} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return Clean(rest), true
		}
	}
	return "", false
}

// Active reports whether a document's status says that its work goes on.
func (a Artifact) Active() bool {
	return slices.Contains([]string{"planning", "planned", "executing", "executed", "reviewing", "verifying", "failed",
		"needs-decision", "in-progress", "blocked", "partial"}, strings.ReplaceAll(a.Status, "_", "-"))
}
