package flow

import (
	"github.com/trammel-dev/trammel/internal/files"

	"path/filepath"
	"strings"
)

// mainWorktree follows the .git file of a linked worktree to the main one; ""
// if it is none.
func mainWorktree(git string) string {
	dir := gitDir(git)
	common, err := readFile(filepath.Join(dir, "commondir"), maxLine)
	if err != nil {
		return ""
	}
	at := filepath.Join(dir, strings.TrimSpace(string(common)))
	if filepath.IsAbs(strings.TrimSpace(string(common))) {
		at = strings.TrimSpace(string(common))
	}
	if filepath.Base(at) != ".git" {
		return ""
	}
	return filepath.Dir(at)
}

// gitDir is where git keeps what belongs to a worktree.
func gitDir(git string) string {
	if files.IsDir(git) {
		return git
	}
	text, err := readFile(git, maxLine)
	if err != nil {
		return git
	}
	dir, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	switch {
	case !ok:
		return git
	case !filepath.IsAbs(dir):
		dir = filepath.Join(filepath.Dir(git), dir)
	}
	return dir
}

// Head is the commit that a project is at, read without running git. A
// repository without a commit has none; that is no error.
func Head(root string) string {
	dir := gitDir(filepath.Join(root, ".git"))
	head, err := readFile(filepath.Join(dir, "HEAD"), maxLine)
	if err != nil {
		return ""
	}
	ref, symbolic := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: ")
	if !symbolic {
		return commit(ref)
	}
	if !filepath.IsLocal(filepath.FromSlash(ref)) {
		return ""
	}
	common := dir
	if text, err := readFile(filepath.Join(dir, "commondir"), maxLine); err == nil {
		common = strings.TrimSpace(string(text))
		if !filepath.IsAbs(common) {
			common = filepath.Join(dir, common)
		}
	}
	if loose, err := readFile(filepath.Join(common, filepath.FromSlash(ref)), maxLine); err == nil {
		return commit(strings.TrimSpace(string(loose)))
	}
	packed, err := readFile(filepath.Join(common, "packed-refs"), maxFile)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(packed)) {
		if hash, name, _ := strings.Cut(strings.TrimSpace(line), " "); name == ref {
			return commit(hash)
		}
	}
	return ""
}

// commit is the text if it is the name of a commit, else nothing.
func commit(text string) string {
	if len(text) != 40 && len(text) != 64 {
		return ""
	}
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return ""
		}
	}
	return text
}
