package files

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Limits on what is read.
const (
	maxFiles = 20_000
	maxBytes = 256 << 20
)

// DigestOrTree is the Digest of a file or the Tree of a directory.
func DigestOrTree(path string) (string, error) {
	if IsDir(path) {
		return Tree(path)
	}
	return Digest(path)
}

// Tree is the digest of everything in a directory: the names, links and
// contents of all its files, without .git. Compiled files count, too:
// interpreters use them. A link that leads out of the directory is an error,
// because what it leads to could change without the digest.
func Tree(dir string) (string, error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	files, bytes := 0, int64(0)
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" && path != root {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if files++; files > maxFiles {
			return fmt.Errorf("%s has more than %d files", root, maxFiles)
		}
		what, n, err := entry(root, path, d, maxBytes-bytes)
		if err != nil {
			return fmt.Errorf("%s: %w", rel, err)
		}
		bytes += n
		fmt.Fprintf(sum, "%q %s\n", filepath.ToSlash(rel), what)
		return nil
	})
	if err != nil {
		return "", err
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), nil
}

// entry describes an entry of the directory.
func entry(root, path string, d fs.DirEntry, room int64) (what string, n int64, err error) {
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return "", 0, err
		}
		rel, err := filepath.Rel(root, real)
		if err != nil || !filepath.IsLocal(rel) {
			return "", 0, fmt.Errorf("this is a link that leads out of the directory")
		}
		return fmt.Sprintf("link %q", filepath.ToSlash(rel)), 0, nil
	case !d.Type().IsRegular():
		return "", 0, fmt.Errorf("expected a file")
	}
	return digest(path, room)
}
