package layers

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/internal/files"
)

// What was trusted for a repository is trusted in every clone of it on this
// machine that has the same files: CI and people move and clone directories. A
// repository is identified by where it was cloned from. One without a remote
// gets an id, which stays with it when it is moved or copied; a clone of it is
// identified by the directory that it was cloned from. Equal files alone are
// not enough: what `run: make check` starts is another thing in another
// repository.

// idFile is the id of a repository without a remote, in its git directory.
const idFile = "trammel-id"

// maxGitFile is the most that is read of a file in a git directory.
const maxGitFile = 1 << 16

// identities are the names under which the repository of a directory may have
// been trusted, each with the directory's place in it.
func identities(dir string) []string {
	root, git := gitDir(dir)
	if git == "" {
		return nil
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return nil
	}
	place := "\n" + filepath.ToSlash(rel)
	if origin := originOf(filepath.Join(git, "config")); origin != "" {
		names := []string{"origin " + origin + place}
		if filepath.IsAbs(origin) {
			if _, from := gitDir(files.Real(origin)); from != "" { // a clone of a directory: also what that one is known by
				names = append(names, ownNames(from, place)...)
			}
		}
		return names
	}
	return ownNames(git, place)
}

func ownNames(git, place string) []string {
	if origin := originOf(filepath.Join(git, "config")); origin != "" {
		return []string{"origin " + origin + place}
	}
	if id, _, err := read(filepath.Join(git, idFile), maxGitFile, true); err == nil && len(id) > 0 {
		return []string{"id " + string(id) + place}
	}
	return nil
}

// identify makes sure that the repository of a directory has a name. If that is
// not possible, trust applies to the directory alone.
func identify(dir string) []string {
	if names := identities(dir); len(names) > 0 {
		return names[:1]
	}
	_, git := gitDir(dir)
	if git == "" {
		return nil
	}
	raw := make([]byte, 16)
	rand.Read(raw) // never fails
	if files.Replace(filepath.Join(git, idFile), []byte(hex.EncodeToString(raw))) != nil {
		return nil
	}
	return identities(dir)
}

// gitDir finds the repository that a directory is in: its root, and the
// directory that git keeps its configuration in.
func gitDir(dir string) (root, git string) {
	for ; ; dir = filepath.Dir(dir) {
		git = filepath.Join(dir, ".git")
		if info, err := os.Lstat(git); err == nil {
			if info.IsDir() {
				return dir, git
			}
			return dir, linkedGitDir(dir, git)
		}
		if filepath.Dir(dir) == dir {
			return "", ""
		}
	}
}

// linkedGitDir follows the .git file of a worktree or a submodule.
func linkedGitDir(dir, file string) string {
	data, _, err := read(file, maxGitFile, false)
	target, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
	if err != nil || !ok {
		return ""
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	common, _, err := read(filepath.Join(target, "commondir"), maxGitFile, false)
	if shared := strings.TrimSpace(string(common)); err == nil && shared != "" {
		if !filepath.IsAbs(shared) {
			shared = filepath.Join(target, shared)
		}
		return filepath.Clean(shared)
	}
	return target
}

// originOf is the address of the remote "origin" in a git configuration,
// without the parts in which two clones of the same repository may differ.
func originOf(path string) string {
	data, _, err := read(path, maxGitFile, false)
	if err != nil {
		return ""
	}
	inside := false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			inside = line == `[remote "origin"]`
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if inside && ok && strings.TrimSpace(key) == "url" {
			return plainAddress(strings.Trim(strings.TrimSpace(value), `"`))
		}
	}
	return ""
}

func plainAddress(url string) string {
	if scheme, rest, ok := strings.Cut(url, "://"); ok {
		host, path, _ := strings.Cut(rest, "/")
		host = host[strings.LastIndexByte(host, '@')+1:] // build servers put their tokens there
		if url = scheme + "://" + host + "/" + path; scheme == "file" {
			url = "/" + path
		}
	}
	return strings.TrimSuffix(strings.TrimSuffix(url, "/"), ".git")
}

// contentOf is one digest of all files of a directory, by their names in it.
func contentOf(dir string, list []File) string {
	w := digestWriter{sha256.New()}
	for i := range list {
		rel, err := filepath.Rel(dir, list[i].Path)
		if err != nil {
			rel = list[i].Path
		}
		w.text(filepath.ToSlash(rel))
		w.text(digestOf(list[i].Data))
	}
	return hex.EncodeToString(w.Sum(nil))
}

// repositoryDir holds the records of one repository, by content.
func repositoryDir(d Dirs, identity string) string {
	sum := sha256.Sum256([]byte(identity))
	return filepath.Join(d.State, recordsDir, "repositories", hex.EncodeToString(sum[:]))
}

// recordElsewhere is the record of exactly these files in another directory of
// the same repository, nil if there is none.
func recordElsewhere(d Dirs, dir string, list []File) (*Record, error) {
	if d.State == "" || !exists(filepath.Join(d.State, recordsDir, "repositories")) {
		return nil, nil
	}
	for _, identity := range identities(dir) {
		data, info, err := read(filepath.Join(repositoryDir(d, identity), contentOf(dir, list)), MaxFile, true)
		if err != nil {
			return nil, err
		}
		if info != nil {
			return parseRecord(string(data), dir)
		}
	}
	return nil, nil
}
