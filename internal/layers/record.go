package layers

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/files"
)

// Record is what a human has trusted in one directory.
type Record struct {
	Dir   string
	Time  time.Time
	Files []TrustedFile
	Pins  map[string]string // programs that the files start: absolute path to digest
}

// TrustedFile is a file as it was when it was trusted.
type TrustedFile struct {
	Path   string
	Digest string
}

// recordFormat is the first line of a record.
const recordFormat = "trammel-trust 1"

// foldCase is true if a directory has many spellings: none of them may bypass
// its record.
const foldCase = runtime.GOOS == "darwin" || runtime.GOOS == "windows"

// Key is the name for data of a directory: a readable part, and enough of a
// digest to make it unique.
func Key(dir string) string {
	base := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, filepath.Base(dir))
	if len(base) > 64 {
		base = base[:64]
	}
	if foldCase {
		dir, base = strings.ToLower(dir), strings.ToLower(base)
	}
	sum := sha256.Sum256([]byte(dir))
	return base + "-" + hex.EncodeToString(sum[:8])
}

// recordsDir is where the records are, below the state directory.
const recordsDir = "trust"

func recordDir(d Dirs, dir string) string { return filepath.Join(d.State, recordsDir, Key(dir)) }

// readRecord returns the record of a directory, nil if there is none. An
// invalid record is an error: what it protected must not get lost.
func readRecord(d Dirs, dir string) (*Record, error) {
	if d.State == "" {
		return nil, nil
	}
	path := filepath.Join(recordDir(d, dir), "record")
	data, info, err := read(path, MaxFile, true)
	if err != nil || info == nil {
		return nil, err
	}
	rec, err := parseRecord(string(data), dir)
	if err != nil {
		return nil, fmt.Errorf("record of trust %s: %w", path, err)
	}
	if rec.Dir != dir && !sameDir(rec.Dir, dir) {
		return nil, fmt.Errorf("record of trust %s: found directory %s, expected %s", path, rec.Dir, dir)
	}
	return rec, nil
}

func sameDir(a, b string) bool {
	ai, err := os.Stat(a)
	if err != nil {
		return false
	}
	bi, err := os.Stat(b)
	return err == nil && os.SameFile(ai, bi)
}

// A record is lines of a word and its values. Paths are quoted as in Go, so
// that any file name is possible. Files, and pinned programs inside dir, are
// relative to dir.
func (r *Record) format() []byte {
	var b strings.Builder
	fmt.Fprintln(&b, recordFormat)
	fmt.Fprintln(&b, "dir", strconv.Quote(r.Dir))
	fmt.Fprintln(&b, "time", r.Time.UTC().Format(time.RFC3339))
	for _, f := range r.Files {
		rel, _ := filepath.Rel(r.Dir, f.Path)
		fmt.Fprintln(&b, "file", f.Digest, strconv.Quote(filepath.ToSlash(rel)))
	}
	for _, path := range slices.Sorted(maps.Keys(r.Pins)) {
		name := path
		if files.Within(r.Dir, path) {
			name, _ = filepath.Rel(r.Dir, path)
			name = filepath.ToSlash(name)
		}
		fmt.Fprintln(&b, "pin", r.Pins[path], strconv.Quote(name))
	}
	fmt.Fprintln(&b, "end")
	return []byte(b.String())
}

// parseRecord reads the record found for dir.
func parseRecord(text, dir string) (*Record, error) {
	head, rest, _ := strings.Cut(text, "\n")
	if head != recordFormat {
		return nil, fmt.Errorf("line 1: found %q, expected %q", head, recordFormat)
	}
	r := &Record{Pins: map[string]string{}}
	for n := 2; ; n++ {
		line, more, whole := strings.Cut(rest, "\n")
		if !whole {
			return nil, fmt.Errorf("line %d: the record is cut off, expected a last line %q", n, "end")
		}
		if line == "end" {
			break
		}
		if err := r.parseLine(line, dir); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		rest = more
	}
	return r, nil
}

func (r *Record) parseLine(line, dir string) (err error) {
	word, value, _ := strings.Cut(line, " ")
	switch word {
	case "dir":
		r.Dir, err = strconv.Unquote(value)
	case "time":
		r.Time, err = time.Parse(time.RFC3339, value)
	case "file", "pin":
		digest, quoted, _ := strings.Cut(value, " ")
		var path string
		if path, err = strconv.Unquote(quoted); err != nil {
			return err
		}
		if word == "pin" {
			if !filepath.IsAbs(path) {
				path = filepath.Join(dir, filepath.FromSlash(path))
			}
			r.Pins[path] = digest
			return nil
		}
		path = filepath.FromSlash(path)
		if !filepath.IsLocal(path) || !isDigest(digest) {
			return fmt.Errorf("found %q, expected a digest and a path inside of the directory", value)
		}
		r.Files = append(r.Files, TrustedFile{Path: filepath.Join(dir, path), Digest: digest})
	default:
		err = fmt.Errorf("found %q, expected dir, time, file, pin or end", word)
	}
	return err
}

// isDigest reports whether s can safely name a copy.
func isDigest(s string) bool {
	digits, ok := strings.CutPrefix(s, "sha256:")
	if !ok || len(digits) != 64 {
		return false
	}
	return !strings.ContainsFunc(digits, func(r rune) bool {
		return (r < '0' || '9' < r) && (r < 'a' || 'f' < r)
	})
}

// find looks a file up; a nil record has none.
func (r *Record) find(path string) (TrustedFile, bool) {
	if r == nil {
		return TrustedFile{}, false
	}
	i := slices.IndexFunc(r.Files, func(f TrustedFile) bool { return f.Path == path })
	if i < 0 {
		return TrustedFile{}, false
	}
	return r.Files[i], true
}

// copyOf returns the bytes that were trusted.
func (r *Record) copyOf(d Dirs, dir string, f TrustedFile) ([]byte, error) {
	path := copyPath(recordDir(d, dir), f.Digest)
	data, info, err := read(path, MaxFile, true)
	switch {
	case err != nil:
		return nil, fmt.Errorf("trusted copy of %s: %w", f.Path, err)
	case info == nil:
		return nil, fmt.Errorf("trusted copy of %s: %s is missing; restore the file, or run: trammel trust %s", f.Path, path, dir)
	case digestOf(data) != f.Digest:
		return nil, fmt.Errorf("trusted copy of %s: %s is not what was trusted; restore the file, or run: trammel trust %s", f.Path, path, dir)
	}
	return data, nil
}

func copyPath(recordDir, digest string) string {
	return filepath.Join(recordDir, "files", strings.TrimPrefix(digest, "sha256:"))
}
