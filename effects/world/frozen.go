package world

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/files"
)

// Frozen is a machine given as data: for tests, for replays, for calls that run
// somewhere else. Its zero value knows nothing.
type Frozen struct {
	// Files are contents by absolute path; a path that ends in a slash is a
	// directory, and so is whatever lies above another path. If both Files and
	// Links are nil, nothing is known about files.
	Files map[string]string
	// Links has the targets of symbolic links. They are not followed here.
	Links             map[string]string
	Env               map[string]string
	HomeDir, UserName string
	AccountDir        string // the account's home directory, if that is not HomeDir
}

var errUnknown = errors.New("unknown")

// Lstat implements trammel.World.
func (f *Frozen) Lstat(name string) (fs.FileInfo, error) {
	if f.Files == nil && f.Links == nil {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: errUnknown}
	}
	if _, ok := f.Links[name]; ok {
		return entry{path.Base(name), fs.ModeSymlink, 0}, nil
	}
	if text, ok := f.Files[name]; ok && name != "/" {
		return entry{path.Base(name), 0, int64(len(text))}, nil
	}
	dir := strings.TrimSuffix(name, "/") + "/"
	for _, known := range []map[string]string{f.Files, f.Links} {
		for other := range known {
			if strings.HasPrefix(other, dir) {
				return entry{path.Base(name), fs.ModeDir, 0}, nil
			}
		}
	}
	return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrNotExist}
}

// Readlink implements trammel.World.
func (f *Frozen) Readlink(name string) (string, error) {
	if to, ok := f.Links[name]; ok {
		return to, nil
	}
	return "", fs.ErrInvalid
}

// ReadFile implements trammel.World.
func (f *Frozen) ReadFile(name string, max int) ([]byte, error) {
	info, err := f.Lstat(name)
	if err != nil {
		return nil, err
	}
	if err := files.Readable(name, info, int64(max)); err != nil {
		return nil, err
	}
	return []byte(f.Files[name]), nil
}

// ReadDir implements trammel.World.
func (f *Frozen) ReadDir(dir string, max int) ([]fs.DirEntry, error) {
	info, err := f.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: dir, Err: errors.New("not a directory")}
	}
	prefix, seen := strings.TrimSuffix(dir, "/")+"/", map[string]bool{}
	var out []fs.DirEntry
	for _, known := range []map[string]string{f.Files, f.Links} {
		for other := range known {
			rest, below := strings.CutPrefix(other, prefix)
			name, _, _ := strings.Cut(rest, "/")
			if !below || name == "" || seen[name] || len(out) == max {
				continue
			}
			seen[name] = true
			if info, err := f.Lstat(prefix + name); err == nil {
				out = append(out, fs.FileInfoToDirEntry(info))
			}
		}
	}
	return out, nil
}

// LookupEnv implements trammel.World.
func (f *Frozen) LookupEnv(name string) (string, bool) {
	value, ok := f.Env[name]
	return value, ok
}

// Home implements trammel.World.
func (f *Frozen) Home() string { return f.HomeDir }

// AccountHome implements trammel.World.
func (f *Frozen) AccountHome() string { return cmp.Or(f.AccountDir, f.HomeDir) }

// User implements trammel.World.
func (f *Frozen) User() string { return f.UserName }

type entry struct {
	name string
	mode fs.FileMode
	size int64
}

func (e entry) Name() string       { return e.name }
func (e entry) Size() int64        { return e.size }
func (e entry) Mode() fs.FileMode  { return e.mode }
func (e entry) ModTime() time.Time { return time.Time{} }
func (e entry) IsDir() bool        { return e.mode.IsDir() }
func (e entry) Sys() any           { return nil }
