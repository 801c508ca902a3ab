// Package files has operations on files that the system does not do in one
// call: replace one atomically, compute its digest, follow links as far as the
// path exists.
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

// unfinished is the prefix of the names of files that are being written.
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

// Create writes a new file. If it cannot be written completely, it is removed.
func Create(path string, data []byte, mode os.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// Unfit is why an existing file is not read: it is not a regular file, or too
// long.
type Unfit string

func (u Unfit) Error() string { return string(u) }

// Readable returns an Unfit for a file that Read would not read.
func Readable(path string, info os.FileInfo, most int64) error {
	switch {
	case !info.Mode().IsRegular():
		return &os.PathError{Op: "read", Path: path, Err: Unfit("not a regular file")}
	case info.Size() > most:
		return tooLong(path, most)
	}
	return nil
}

func tooLong(path string, most int64) error {
	return &os.PathError{Op: "read", Path: path, Err: Unfit(fmt.Sprintf("longer than %d bytes", most))}
}

// Read reads a regular file with at most this many bytes, also through a link.
// It opens nothing else: a pipe would block, a device would never end.
func Read(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := Readable(path, info, most); err != nil {
		return nil, err
	}
	return upTo(path, most) // it may have grown
}

// Named reads what a person names, which may be a pipe: `<(…)` of a shell. A
// device that never ends is too long.
func Named(path string) ([]byte, error) { return upTo(path, 256<<20) }

func upTo(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, tooLong(path, most)
	}
	return data, err
}

// Is reports whether there is a regular file, also through a link.
func Is(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// IsDir reports whether there is a directory, also through a link.
func IsDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Within reports whether a path is a directory or below it. Links are not
// followed.
func Within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Real follows the links in the existing part of a path.
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

// ErrOutside is the error for a path that leads out of its directory.
var ErrOutside = errors.New("it leads out of the directory")

// Inside resolves a path below a directory, with all links.
func Inside(dir, name string) (string, error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(filepath.Join(root, filepath.FromSlash(name)))
	if err == nil && !Within(root, real) {
		return "", ErrOutside
	}
	return real, err
}

// ReadInside reads at most so many bytes of a file in a directory. It refuses
// everything that is not a regular file, without waiting for it, and links that
// lead out of the directory.
func ReadInside(dir, name string, most int64) ([]byte, error) {
	real, err := Inside(dir, name)
	if errors.Is(err, ErrOutside) {
		return nil, fmt.Errorf("%s is a link that leads out of %s", name, dir)
	} else if err != nil {
		return nil, err
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
