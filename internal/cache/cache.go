// Package cache keeps small values in files, one per key, until they are too
// old or too many. A value is written whole or not at all, and nobody but the
// user can read it. What cannot be read was never there.
package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Dir is where values are.
type Dir struct {
	Path string
	// Age is when a value goes, whoever asks; Most is how many there are at
	// most. The oldest go first.
	Age  time.Duration
	Most int
}

// maxValue bounds what is read: a file that is larger is none of ours.
const maxValue = 4 << 20

// Key is a name for parts of any length and content.
func Key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Get returns the value of a key and how old it is, if it is not older than
// ttl. One from the future is not taken: a clock was wrong, or somebody made it.
func (d Dir) Get(key string, ttl time.Duration) (value []byte, age time.Duration, ok bool) {
	path := filepath.Join(d.Path, key)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxValue {
		return nil, 0, false
	}
	age = time.Since(info.ModTime())
	if age < 0 || age > min(ttl, d.Age) {
		return nil, 0, false
	}
	value, err = os.ReadFile(path)
	return value, age, err == nil
}

// Put keeps the value of a key.
func (d Dir) Put(key string, value []byte) error {
	if err := os.MkdirAll(d.Path, 0o700); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	path := filepath.Join(d.Path, key)
	_, err := os.Lstat(path)
	known := err == nil
	if err := replace(path, value); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	if !known {
		d.sweep()
	}
	return nil
}

// unfinished is how the names of values begin that are just being written.
const unfinished = ".new-"

// replace writes a file at once. os.CreateTemp makes it 0600.
func replace(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), unfinished+"*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// sweep drops what is too old, and the oldest of too many.
func (d Dir) sweep() {
	entries, err := os.ReadDir(d.Path)
	if err != nil {
		return
	}
	var kept []fs.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		if time.Since(info.ModTime()) > d.Age {
			os.Remove(filepath.Join(d.Path, e.Name()))
		} else if !strings.HasPrefix(e.Name(), unfinished) {
			kept = append(kept, info)
		}
	}
	if len(kept) <= d.Most {
		return
	}
	slices.SortFunc(kept, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, old := range kept[:len(kept)-d.Most] {
		os.Remove(filepath.Join(d.Path, old.Name()))
	}
}
