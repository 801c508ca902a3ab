package decode

import (
	"strings"

	"github.com/trammel-dev/trammel"
)

// The headers of the patch format that apply_patch takes, in Codex and in
// VS Code.
const (
	addHeader    = "*** Add File:"
	updateHeader = "*** Update File:"
	deleteHeader = "*** Delete File:"
	moveHeader   = "*** Move to:"
)

// ReadPatch reads which files a patch touches and what it puts into them. A
// patch that only adds files writes, one that only deletes them deletes, any
// other edits, and also writes or deletes if it does that to some of them. What
// looks like a header counts as one, also indented, in another case or with other
// blanks, because tools are lenient: better one path too many than one too few.
func ReadPatch(patch string, a *trammel.Action) {
	var added []string
	adds, deletes, updates, moves := 0, 0, 0, 0
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		if text, ok := strings.CutPrefix(line, "+"); ok {
			added = append(added, text)
			continue
		}
		line = strings.TrimSpace(line)
		count := &updates
		path, found := header(line, updateHeader)
		if !found {
			if path, found = header(line, moveHeader); found {
				moves++
			}
		}
		if !found {
			path, found = header(line, addHeader)
			count = &adds
		}
		if !found {
			path, found = header(line, deleteHeader)
			count = &deletes
		}
		if found {
			*count++
			a.Paths = append(a.Paths, path)
		}
	}
	a.Content = strings.Join(added, "\n")
	switch {
	case adds > 0 && deletes+updates == 0:
		a.Kind = trammel.WriteAction
	case deletes > 0 && adds+updates == 0:
		a.Kind = trammel.DeleteAction
	default:
		a.Kind = trammel.EditAction
		if adds > 0 {
			a.Also = append(a.Also, trammel.WriteAction)
		}
		if deletes+moves > 0 { // what is moved is gone from where it was
			a.Also = append(a.Also, trammel.DeleteAction)
		}
	}
}

func header(line, prefix string) (path string, ok bool) {
	if len(line) < len(prefix) || !strings.EqualFold(line[:len(prefix)], prefix) {
		return "", false
	}
	return strings.TrimSpace(line[len(prefix):]), true
}

// Patch writes a write, an edit or a deletion of one file as a patch, for
// programs that know no other way to change files. old is what an edit
// replaces, as far as it is known.
func Patch(kind trammel.ActionKind, path, old, content string) string {
	var b strings.Builder
	b.WriteString("*** Begin Patch\n")
	switch kind {
	case trammel.WriteAction:
		b.WriteString(addHeader + " " + path + "\n")
	case trammel.DeleteAction:
		b.WriteString(deleteHeader + " " + path + "\n")
	default:
		b.WriteString(updateHeader + " " + path + "\n@@\n")
		prefixed(&b, "-", old)
	}
	prefixed(&b, "+", content)
	b.WriteString("*** End Patch\n")
	return b.String()
}

func prefixed(b *strings.Builder, prefix, text string) {
	for line := range strings.Lines(text) {
		b.WriteString(prefix + strings.TrimRight(line, "\r\n") + "\n")
	}
}
