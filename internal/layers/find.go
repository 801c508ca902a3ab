package layers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/trammel-dev/trammel/internal/files"
)

// Find collects the configuration for a session.
//
// Anchors are absolute directories: the host's project directory first, then
// the session's working directory. Project files are looked for in every
// directory from each anchor up to the root of the file system, so that an
// agent that enters a subdirectory, or makes a repository of one, does not
// escape the rules around it. The project's root is the nearest directory of
// the first anchor with a configuration file, a repository or a record of
// trust; otherwise it is the anchor.
//
// A missing file is fine. One that exists and cannot be read, is too large or
// is open to others where it must not be is an error.
func Find(d Dirs, anchors ...string) (*Set, error) {
	if err := Check(d); err != nil {
		return nil, err
	}
	f := finder{dirs: d, set: &Set{}, records: d.State != "" && exists(filepath.Join(d.State, recordsDir))}
	if err := f.owned(Machine, d.Machine); err != nil {
		return nil, fmt.Errorf("machine configuration: %w", err)
	}
	if err := f.owned(User, d.User); err != nil {
		return nil, fmt.Errorf("user configuration: %w", err)
	}
	dirs, first, err := chain(anchors)
	if err != nil {
		return nil, err
	}
	for i, dir := range dirs {
		repository := exists(below(dir, ".git"))
		marked, err := f.project(dir, f.set.Root == "" && repository)
		if err != nil {
			return nil, fmt.Errorf("project configuration: %w; calls are blocked until a person has fixed or removed this, in their own terminal",
				err)
		}
		if i < first && f.set.Root == "" && (marked || repository) {
			f.set.Root = dir
		}
	}
	if f.set.Root == "" && len(dirs) > 0 {
		f.set.Root = dirs[0]
	}
	if err := f.bundles(); err != nil {
		return nil, fmt.Errorf("bundles: %w", err)
	}
	f.set.Digest = f.set.digest()
	return f.set, nil
}

type finder struct {
	dirs  Dirs
	set   *Set
	total int64
	owns  []os.FileInfo // the machine's and the user's files

	records bool // there may be trust records
}

// owned reads a layer that belongs to a person.
func (f *finder) owned(layer Layer, dir string) error {
	if dir == "" {
		return nil
	}
	before := len(f.set.Files)
	more, err := dropIns(filepath.Join(dir, DropIn))
	if err != nil {
		return err
	}
	for _, path := range append([]string{filepath.Join(dir, FileName)}, more...) {
		data, info, err := f.read(path, true)
		if err != nil {
			return err
		}
		if info != nil {
			f.owns = append(f.owns, info)
			f.add(File{Layer: layer, Path: path, Dir: dir, Data: data, Trust: Trusted})
		}
	}
	data, path, err := f.lock(dir, f.set.Files[before:], nil, true)
	if path != "" {
		f.add(File{Layer: layer, Path: path, Dir: dir, Data: data, Trust: Trusted})
	}
	return err
}

// project reads a directory that may be a project's, and reports whether it is.
// Files of somebody else count only in the project itself: above it, for
// example in /tmp, anybody could block everybody.
func (f *finder) project(dir string, repository bool) (bool, error) {
	var rec *Record
	var err error
	if f.records {
		if rec, err = readRecord(f.dirs, dir); err != nil {
			return false, err
		}
	}
	path, hooks := below(dir, FileName), below(dir, RepositoryHooks)
	var data []byte
	var info os.FileInfo
	if f.counts(path, dir, repository) {
		if data, info, err = f.read(path, false); err != nil {
			return false, err
		}
	}
	var paths []string
	if f.counts(hooks, dir, repository) {
		if paths, err = repositoryHooks(hooks); err != nil {
			return false, err
		}
	}
	var files []File
	if info != nil && (rec != nil || !f.ownsAlready(info)) {
		files = append(files, File{Layer: Project, Path: path, Dir: dir, Data: data})
	}
	if rec != nil || len(files) > 0 { // a directory with only repository hooks has no drop-ins
		more, err := dropIns(filepath.Join(dir, DropIn))
		if err != nil {
			return false, err
		}
		paths = append(more, paths...)
	}
	for _, path := range paths {
		if data, info, err = f.read(path, false); err != nil {
			return false, err
		}
		if info != nil {
			files = append(files, File{Layer: Project, Path: path, Dir: dir, Data: data})
		}
	}
	if data, path, err := f.lock(dir, files, rec, false); err != nil {
		return false, err
	} else if path != "" {
		files = append(files, File{Layer: Project, Path: path, Dir: dir, Data: data})
	}
	if rec == nil && len(files) == 0 {
		return false, nil
	}
	if rec == nil {
		if rec, err = recordElsewhere(f.dirs, dir, files); err != nil {
			return false, err
		}
	}
	var seen []string
	for _, file := range files {
		seen = append(seen, file.Path)
		if err := f.judge(rec, file); err != nil {
			return false, err
		}
	}
	return true, f.recorded(rec, dir, seen)
}

// counts reports whether there is something to read. Files of somebody else are
// reported, and do not count, unless the directory is the project's repository.
func (f *finder) counts(path, dir string, repository bool) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return !missing(err) // reading it reports the error
	}
	if repository || !foreign(info, dir) {
		return true
	}
	f.note(CodeForeign, path, "this belongs neither to you nor to the owner of "+dir+", so it is not read; remove it, or change its owner")
	return false
}

// judge adds a project file, according to its directory's trust record.
func (f *finder) judge(rec *Record, file File) error {
	switch trusted, ok := rec.find(file.Path); {
	case !ok:
		f.note(CodeUntrusted, file.Path, "this file is not trusted, so only its rules and built-in policies that forbid or ask are in force, "+
			"and it starts no programs; read it, then run: trammel trust "+file.Dir)
	case trusted.Digest == digestOf(file.Data):
		file.Trust = Trusted
	default:
		if err := f.pin(rec, file.Dir, trusted); err != nil {
			return err
		}
		file.Trust = Changed
		f.note(CodeChanged, file.Path, "this file has changed since it was trusted, so the trusted copy stays in force; the new text adds "+
			"only rules and built-in policies that forbid or ask; read it, then run: trammel trust "+file.Dir)
	}
	if file.Trust != Trusted {
		f.unread(file.Dir)
	}
	f.add(file)
	return nil
}

// unread stores the signature of a directory that is not trusted.
func (f *finder) unread(dir string) {
	path := below(dir, SignatureName)
	if info, err := os.Lstat(path); err == nil {
		f.set.Unread = append(f.set.Unread, fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano()))
	}
}

// recorded adds recorded files that the directory no longer has.
func (f *finder) recorded(rec *Record, dir string, seen []string) error {
	if rec == nil {
		return nil
	}
	for _, trusted := range rec.Files {
		if slices.Contains(seen, trusted.Path) {
			continue
		}
		if err := f.pin(rec, dir, trusted); err != nil {
			return err
		}
		f.note(CodeVanished, trusted.Path, "this file was trusted and is gone, so the trusted copy stays in force; restore it, or run: trammel "+
			"trust "+dir)
	}
	for path, digest := range rec.Pins {
		if f.set.Pins == nil {
			f.set.Pins = make(map[string]string, len(rec.Pins))
		}
		f.set.Pins[path] = digest
	}
	return nil
}

// pin adds the trusted copy of a file.
func (f *finder) pin(rec *Record, dir string, trusted TrustedFile) error {
	data, err := rec.copyOf(f.dirs, dir, trusted)
	if err != nil {
		return err
	}
	f.add(File{Layer: Project, Path: trusted.Path, Dir: dir, Data: data, Trust: Trusted, Pinned: true})
	return nil
}

func (f *finder) add(file File) { f.set.Files = append(f.set.Files, file) }

func (f *finder) note(code Code, path, text string) {
	f.set.Notes = append(f.set.Notes, Note{Code: code, Path: path, Text: text})
}

func (f *finder) read(path string, guard bool) ([]byte, os.FileInfo, error) {
	data, info, err := read(path, MaxFile, guard)
	if err == nil {
		err = f.count(path, data)
	}
	return data, info, err
}

func (f *finder) count(path string, data []byte) error {
	if f.total += int64(len(data)); f.total > MaxTotal {
		return fmt.Errorf("%s: with this file the configuration has more than %d bytes", path, MaxTotal)
	}
	return nil
}

// ownsAlready reports whether a file is in force as the machine's or the
// user's, so that a session in the user's configuration directory does not
// declare everything twice.
func (f *finder) ownsAlready(info os.FileInfo) bool {
	return slices.ContainsFunc(f.owns, func(own os.FileInfo) bool { return os.SameFile(own, info) })
}

// chain lists the directories from each anchor upwards, each once, and how
// many of them belong to the first anchor. An anchor's real path is walked
// first, then the path as given, where a link makes the two differ.
func chain(anchors []string) (dirs []string, first int, err error) {
	add := func(dir string) {
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for i, anchor := range anchors {
		if anchor == "" || slices.Contains(anchors[:i], anchor) {
			continue
		}
		if !filepath.IsAbs(anchor) {
			return nil, 0, fmt.Errorf("the directory of the session is %q, expected an absolute path", anchor)
		}
		anchor = filepath.Clean(anchor)
		real := files.Real(anchor)
		upwards(real, add)
		if real != anchor {
			upwards(anchor, func(dir string) { add(files.Real(dir)) })
		}
		if first == 0 {
			first = len(dirs)
		}
	}
	return dirs, first, nil
}

func upwards(dir string, visit func(string)) {
	for {
		visit(dir)
		parent := filepath.Dir(dir)
		if parent == dir {
			return
		}
		dir = parent
	}
}

// below is filepath.Join for a clean directory, which is faster.
func below(dir, name string) string {
	if os.IsPathSeparator(dir[len(dir)-1]) {
		return dir + name
	}
	return dir + string(filepath.Separator) + name
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil || !errors.Is(err, os.ErrNotExist)
}
