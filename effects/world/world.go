// Package world is the door between judging and the machine: the only package
// below effects and policies that looks at files and the environment.
package world

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/account"
	"github.com/trammel-dev/trammel/internal/files"
)

// Of is the world of an event: the one it brings along, or this machine.
func Of(ev *trammel.Event) trammel.World {
	if ev.World != nil {
		return ev.World
	}
	return System{}
}

// Dir is the directory in which the event's session works.
func Dir(ev *trammel.Event) string {
	if ev.Session.Dir != "" || ev.World != nil {
		return ev.Session.Dir
	}
	dir, _ := os.Getwd()
	return dir
}

// System is this machine.
type System struct{}

// Lstat implements trammel.World.
func (System) Lstat(path string) (os.FileInfo, error) { return os.Lstat(path) }

// LookupEnv implements trammel.World.
func (System) LookupEnv(name string) (string, bool) { return os.LookupEnv(name) }

// Home implements trammel.World.
func (System) Home() string {
	home, _ := os.UserHomeDir()
	return home
}

// AccountHome implements trammel.World.
func (System) AccountHome() string { return account.Recorded() }

// User implements trammel.World.
func (System) User() string { return os.Getenv("USER") }

// ReadFile implements trammel.World.
func (System) ReadFile(path string, max int) ([]byte, error) { return files.Read(path, int64(max)) }

// ReadDir implements trammel.World.
func (System) ReadDir(path string, max int) ([]os.DirEntry, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &os.PathError{Op: "read", Path: path, Err: errors.New("not a directory")}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(max)
	if errors.Is(err, io.EOF) { // an empty directory
		err = nil
	}
	return entries, err
}

// Stat is Lstat with the link at the end of a path followed.
func Stat(w trammel.World, name string) (os.FileInfo, error) {
	info, err := w.Lstat(name)
	for range 40 { // as many as a kernel follows
		if err != nil || info.Mode()&os.ModeSymlink == 0 {
			return info, err
		}
		to, err := w.Readlink(name)
		if err != nil {
			return nil, err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
		if info, err = w.Lstat(name); err != nil {
			return nil, err
		}
	}
	return nil, &os.PathError{Op: "stat", Path: name, Err: errors.New("too many links")}
}

// Getenv looks up variables in the world of an event; unknown ones are empty.
func Getenv(ev *trammel.Event) func(string) string {
	w := Of(ev)
	return func(name string) string {
		value, _ := w.LookupEnv(name)
		return value
	}
}

// Homes are the home directories that there are: $HOME, and last that of the
// account if it is another one.
func Homes(w trammel.World) []string {
	var out []string
	for _, home := range [...]string{w.Home(), w.AccountHome()} {
		if home = strings.TrimSuffix(home, "/"); home != "" && !slices.Contains(out, home) {
			out = append(out, home)
		}
	}
	return out
}

// Temp is the directory for temporary files.
func Temp(w trammel.World) string {
	if dir, ok := w.LookupEnv("TMPDIR"); ok && dir != "" {
		return dir
	}
	return "/tmp"
}

// RunnerFile is where a variable of a CI runner points to: files and a directory
// that the runner makes for a job, and throws away with it.
func RunnerFile(name string) (string, bool) {
	switch name {
	case "GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY", "RUNNER_TEMP", "AGENT_TEMPDIRECTORY":
		return "/tmp/runner/" + strings.ToLower(name), true
	}
	return "", false
}
