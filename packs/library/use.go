package library

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/files"
)

// A process goes from draft to approved_for_use: it is validated, its scenarios
// pass, a person has reviewed and signed it. The signature is for one revision,
// wherever its files are.

// useFile is the file of the approval of a revision.
func useFile(library, id, revision string) string {
	return filepath.Join(library, id, strings.TrimPrefix(revision, "sha256:")+".use.json")
}

// KeepUse stores an approval that a person has signed.
func KeepUse(library string, u *approvals.Use) error {
	data, err := json.MarshalIndent(u, "", "  ")
	if err != nil {
		return err
	}
	path := useFile(library, u.Process, u.Revision)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return files.Replace(path, data)
}

// DropUses removes all approvals of a process, and returns how many there were.
func DropUses(library, id string) (n int, err error) {
	list, err := useFiles(library, id)
	for _, path := range list {
		if err := os.Remove(path); err != nil {
			return n, err
		}
		n++
	}
	return n, err
}

// Uses are the approvals of a process, of any revision. Their signatures are
// not checked here.
func Uses(library, id string) (out []approvals.Use, err error) {
	list, err := useFiles(library, id)
	for _, path := range list {
		var u approvals.Use
		data, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(data, &u)
		}
		if err != nil {
			return nil, fmt.Errorf("%s is damaged: %w", path, err)
		}
		out = append(out, u)
	}
	return out, err
}

func useFiles(library, id string) ([]string, error) {
	if id == "" || strings.ContainsAny(id, `/\*?[`) {
		return nil, fmt.Errorf("%q is not the id of a process", id)
	}
	return filepath.Glob(filepath.Join(library, id, "*.use.json"))
}

// Find is the directory of an installed process, by its id or id@version; without
// a version it is the latest.
func Find(library, name string) (string, error) {
	id, version, _ := strings.Cut(name, "@")
	list, err := List(library)
	if err != nil {
		return "", err
	}
	var found *Installed
	for i := range list {
		p := &list[i]
		if p.ID == id && (version == "" || p.Version == version) && (found == nil || semver.Compare("v"+p.Version, "v"+found.Version) > 0) {
			found = p
		}
	}
	if found == nil {
		return "", fmt.Errorf("there is neither a directory nor an installed process %s; see: trammel pack list", name)
	}
	return found.Dir, nil
}

// Resolve is the directory of a process: of the installed one with this name,
// even if there is a directory with the same name, or the given path.
func Resolve(library, name string) (dir string, installed bool, err error) {
	if !strings.ContainsAny(name, `/\`) {
		dir, err := Find(library, name)
		if _, missing := os.Stat(name); err == nil || errors.Is(missing, os.ErrNotExist) {
			return dir, true, err
		}
	}
	if dir, err = filepath.Abs(name); err == nil {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			lib, _ := filepath.EvalSymlinks(library)
			installed = lib != "" && files.Within(lib, real)
		}
	}
	return dir, installed, err
}
