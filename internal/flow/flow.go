// Package flow reads what Flow Agents keeps in a project: which task an agent
// is on, what its sidecars say of it, and the log of the commands that were
// really run. Both layouts are read: `.flow-agents/<task>/` of the published
// contract and `.kontourai/flow-agents/<task>/` of version 6.3.
//
// Everything here was written by agents. It is read with bounds, garbage is a
// typed problem and never a crash, and what goes from it into a text for the
// model is cleaned first.
package flow

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/files"
)

// layouts are where tasks are kept below a project's root, newest first.
var layouts = [...]string{".kontourai/flow-agents", ".flow-agents"}

// Session is the task that an agent is on.
type Session struct {
	Root  string // the project
	Dir   string // what is kept of the task
	Slug  string // its name
	Actor string // who is on it, "" if the agent could not be distinguished from others
	// Published is true for the layout of the published contract, in which the
	// documents of a task carry what 6.3 keeps in sidecars.
	Published bool

	base string // the directory of tasks
}

// Workspace is where an event happens: the project's root, and whether tasks
// are kept in it at all.
type Workspace struct {
	Root string
	base string // the directory of tasks, "" if there is none
}

// Open finds the project of an event, from its directory upwards to the root
// of the repository. In a linked worktree the tasks may be kept in the main one.
func Open(ev *trammel.Event) Workspace {
	dir := ev.Session.Dir
	if !filepath.IsAbs(dir) {
		dir = ev.Session.Project
	}
	if !filepath.IsAbs(dir) {
		return Workspace{}
	}
	roots := rootsOf(filepath.Clean(dir))
	for _, root := range roots {
		for _, layout := range layouts {
			if base := filepath.Join(root, filepath.FromSlash(layout)); files.IsDir(base) {
				return Workspace{Root: root, base: base}
			}
		}
	}
	return Workspace{Root: roots[len(roots)-1]}
}

// rootsOf lists where tasks may be kept, nearest first. Without a repository
// that is the nearest directory with an AGENTS.md, or the directory itself.
func rootsOf(dir string) []string {
	var roots []string
	agents := ""
	for at := dir; ; at = filepath.Dir(at) {
		roots = append(roots, at)
		if git := filepath.Join(at, ".git"); exists(git) {
			if main := mainWorktree(git); main != "" && main != at {
				roots = append(roots, main)
			}
			return roots
		}
		if agents == "" && exists(filepath.Join(at, "AGENTS.md")) {
			agents = at
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if agents != "" {
		return []string{agents}
	}
	return []string{dir}
}

// Has reports whether tasks are kept in the project.
func (w Workspace) Has() bool { return w.base != "" }

// Session finds the task that the agent of an event is on. An agent that can be
// distinguished from others gets the task that it has claimed and never
// another's. One that cannot, or that works where there are no claims, gets the
// task that was touched last.
func (w Workspace) Session(ev *trammel.Event, getenv func(string) string) (Session, bool) {
	if w.base == "" {
		return Session{}, false
	}
	known := actors(ev, getenv)
	for _, actor := range known {
		if slug, ok := pointer(filepath.Join(w.base, "current", pointerName(actor))); ok {
			return w.session(slug, actor)
		}
	}
	if len(known) > 0 && claimed(filepath.Join(w.base, "current")) {
		return Session{}, false
	}
	if slug, ok := pointer(filepath.Join(w.base, "current.json")); ok {
		return w.session(slug, "")
	}
	if slug := w.newest(); slug != "" {
		return w.session(slug, "")
	}
	return Session{}, false
}

func (w Workspace) session(slug, actor string) (Session, bool) {
	dir := filepath.Join(w.base, slug)
	return Session{Root: w.Root, Dir: dir, Slug: Clean(filepath.Base(slug)), Actor: actor, Published: filepath.Base(w.base) == layouts[1],
			base: w.base},
		files.IsDir(dir)
}

// pointer reads which task a claim names.
func pointer(file string) (slug string, ok bool) {
	obj, err := readObject(file)
	if err != nil {
		return "", false
	}
	for _, key := range [...]string{"artifact_dir", "active_slug"} {
		if s, _ := obj[key].(string); s != "" {
			s = filepath.FromSlash(s)
			return s, filepath.IsLocal(s) && !strings.HasPrefix(s, ".")
		}
	}
	return "", false
}

// claimed reports whether anybody has claimed a task.
func claimed(dir string) bool {
	return slices.ContainsFunc(entries(dir), func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), ".json") })
}

// newest is the task whose state, or else whose artifact, was written last.
func (w Workspace) newest() string {
	var slug string
	var last int64
	for _, e := range entries(w.base) {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		switch e.Name() {
		case "archive", "narrative", "current", "config", "runtime", "liveness":
			continue
		}
		dir := filepath.Join(w.base, e.Name())
		at := modified(filepath.Join(dir, StateFile))
		if at == 0 {
			for _, a := range Artifacts(dir) {
				at = max(at, a.modified)
			}
		}
		if at > last {
			slug, last = e.Name(), at
		}
	}
	return slug
}

// maxEntries bounds what is looked at in one directory.
const maxEntries = 1000

// entries lists a directory, as far as it can be.
func entries(dir string) []os.DirEntry {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	list, _ := f.ReadDir(maxEntries)
	return list
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func modified(path string) int64 {
	fi, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return fi.ModTime().UnixNano()
}
