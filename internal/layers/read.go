package layers

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Limits on what is read. Anything larger is an error: a configuration that
// takes long to read could make a host give up on us.
const (
	MaxFile    = 1 << 20 // bytes of one file
	MaxTotal   = 8 << 20 // bytes of all files
	MaxEntries = 512     // entries of one DropIn directory
)

// read returns the content of a regular file, and no info if there is none.
// A file that exists and cannot be read is an error, because its rules would
// silently be missing. Guarded files must be writable by nobody else.
func read(path string, limit int64, guard bool) ([]byte, os.FileInfo, error) {
	named, err := os.Lstat(path)
	if err == nil && named.Mode()&os.ModeSymlink != 0 {
		named, err = os.Stat(path) // a broken link is an error, not a missing file
	} else if err != nil && missing(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if !named.Mode().IsRegular() { // opening a device can have effects
		return nil, nil, fmt.Errorf("%s: found %s, expected a regular file", path, describe(named.Mode()))
	}
	f, err := open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s: found %s, expected a regular file", path, describe(info.Mode()))
	}
	if guard {
		if err := guarded(info); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	data, err := readAll(f, info.Size(), limit)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, info, nil
}

func readAll(f *os.File, size, limit int64) ([]byte, error) {
	if size > limit {
		return nil, fmt.Errorf("found %d bytes, expected at most %d", size, limit)
	}
	data := make([]byte, 0, size+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		case int64(len(data)) > limit:
			return nil, fmt.Errorf("found more than %d bytes", limit)
		case len(data) == cap(data):
			data = slices.Grow(data, 512)
		}
	}
}

// dropIns lists the configuration files of a DropIn directory by name.
func dropIns(dir string) ([]string, error) {
	var l listing
	err := l.add(dir, 0)
	return l.paths, err
}

// repositoryHooks lists those of RepositoryHooks, and of the folders in it.
func repositoryHooks(dir string) ([]string, error) {
	l := listing{deep: true}
	err := l.add(dir, 0)
	return l.paths, err
}

// listing collects configuration files. Hidden ones are left out: editors keep
// their own there.
type listing struct {
	deep    bool
	entries int
	paths   []string
}

// maxFolders limits how deep folders are searched.
const maxFolders = 8

func (l *listing) add(dir string, depth int) error {
	if _, err := os.Lstat(dir); err != nil {
		if missing(err) {
			return nil
		}
		return err
	}
	f, err := open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	found, err := f.ReadDir(MaxEntries + 1 - l.entries)
	if err != nil && err != io.EOF {
		return err
	}
	if l.entries += len(found); l.entries > MaxEntries {
		return fmt.Errorf("%s: found more than %d entries", dir, MaxEntries)
	}
	slices.SortFunc(found, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, entry := range found {
		name := entry.Name()
		ext := strings.ToLower(filepath.Ext(name))
		switch {
		case strings.HasPrefix(name, "."):
		case l.deep && isFolder(dir, entry):
			if depth == maxFolders {
				return fmt.Errorf("%s: found folders in more than %d folders", dir, maxFolders)
			}
			if err := l.add(filepath.Join(dir, name), depth+1); err != nil {
				return err
			}
		case ext == ".yaml" || ext == ".yml":
			l.paths = append(l.paths, filepath.Join(dir, name))
		}
	}
	return nil
}

// isFolder follows links: a hook behind one must be read, too.
func isFolder(dir string, entry os.DirEntry) bool {
	if entry.Type()&os.ModeSymlink == 0 {
		return entry.IsDir()
	}
	info, err := os.Stat(filepath.Join(dir, entry.Name()))
	return err == nil && info.IsDir()
}

// missing reports whether nothing exists under a name, also because a part of
// the path is not a directory.
func missing(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func describe(mode os.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&os.ModeNamedPipe != 0:
		return "a pipe"
	case mode&os.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
