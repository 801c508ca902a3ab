// Package files does with files what the system does not do in one call:
// replace one whole, take its digest, follow links as far as there is a path.
package files

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// unfinished is how the names of files begin that are just being written.
const unfinished = ".new-"

// Replace writes a file so that a reader sees the old content or the new, and a
// crash leaves one of them. The file is private to the user.
func Replace(path string, data []byte) error { return ReplaceWith(path, data, nil) }

// ReplaceWith lets prepare set the mode and owner before the file is in place.
func ReplaceWith(path string, data []byte, prepare func(f *os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), unfinished+"*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && prepare != nil {
		err = prepare(f)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Within reports whether a path is a directory or below it. Both are taken as
// they are: links are not followed.
func Within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Real follows the links in as much of a path as there is.
func Real(path string) string {
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if dir == filepath.Dir(dir) {
			return path
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// ReadInside reads at most so many bytes of a file in a directory. What is not
// a regular file is refused, and not waited for; so is a link that leads out of
// the directory.
func ReadInside(dir, name string, most int64) ([]byte, error) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	if !Within(Real(dir), real) {
		return nil, fmt.Errorf("%s is a link that leads out of %s", name, dir)
	}
	if info, err := os.Stat(real); err != nil || !info.Mode().IsRegular() { // opening a pipe would wait for its writer
		return nil, cmp.Or(err, fmt.Errorf("%s is not a regular file", name))
	}
	f, err := os.Open(real)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// Digest is the digest of a regular file. A FIFO or a device is an error and is
// not opened.
func Digest(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", &os.PathError{Op: "digest", Path: path, Err: errors.New("this is not a regular file")}
	}
	digest, _, err := digest(path, info.Size())
	return digest, err
}

func digest(path string, room int64) (string, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(f, room+1))
	if err == nil && n > room {
		err = fmt.Errorf("%s has more than %d bytes", path, room)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), n, err
}
