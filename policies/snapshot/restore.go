package snapshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// Restore makes the working tree as it was at a snapshot. It takes a snapshot of
// the current tree first, so nothing is lost, and does not touch files that are in
// no snapshot. The user's index and commits are not changed.
func (s *Store) Restore(ctx context.Context, to Snapshot) (Restored, error) {
	held, err := s.lock(ctx)
	if err != nil {
		return Restored{}, fmt.Errorf("restore: %w", err)
	}
	defer held.Unlock()
	done, err := s.restore(ctx, to)
	if err != nil {
		return done, fmt.Errorf("restore: %w", err)
	}
	return done, nil
}

func (s *Store) restore(ctx context.Context, to Snapshot) (Restored, error) {
	var done Restored
	keep := *s
	keep.Keep = 0 // do not drop the one to restore
	var err error
	if done.Before, _, err = keep.take(ctx, fmt.Sprintf("before snapshot %d was restored", to.ID), to.Session); err != nil {
		return done, err
	}
	out, err := s.git(ctx, nil, "diff-tree", "-r", "-z", "--name-status", "--no-renames", done.Before.Tree, to.Tree)
	if err != nil {
		return done, err
	}
	status := fieldsOf(out)
	var write []string
	for i := 0; i+1 < len(status); i += 2 {
		if path := status[i+1]; status[i] != "D" {
			write = append(write, path)
		} else if err := s.remove(path); err != nil {
			return done, err
		} else {
			done.Removed = append(done.Removed, path)
		}
	}
	added := map[string]bool{}
	for i := 0; i+1 < len(status); i += 2 {
		added[status[i+1]] = status[i] == "A"
	}
	for _, path := range write {
		if s.free(path, added[path]) {
			done.Written = append(done.Written, path)
		} else {
			done.Kept = append(done.Kept, path)
		}
	}
	if err := s.checkout(ctx, to.Tree, done.Written); err != nil {
		return done, err
	}
	_, _, err = keep.take(ctx, fmt.Sprintf("snapshot %d restored", to.ID), to.Session)
	return done, err
}

// checkout writes files of a tree, using a separate index.
func (s *Store) checkout(ctx context.Context, tree string, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	repo := s.repo()
	repo.Index = filepath.Join(s.dir, "restore.index")
	defer os.Remove(repo.Index)
	os.Remove(repo.Index)
	if _, _, err := repo.Output(ctx, maxOutput, nil, "read-tree", tree); err != nil {
		return err
	}
	_, _, err := repo.Output(ctx, maxOutput, []byte(strings.Join(paths, "\x00")+"\x00"), "checkout-index", "--force", "-z", "--stdin")
	return err
}

// free reports whether a file can be written without harm. A file that is not in
// the current tree but exists is in no snapshot. The directories above it must not
// be links.
func (s *Store) free(name string, added bool) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		info, err := os.Lstat(s.path(dir))
		switch {
		case err == nil && !info.IsDir():
			return false
		case err != nil && !errors.Is(err, os.ErrNotExist) && !isNotDir(err):
			return false
		}
	}
	if !added {
		return true
	}
	if info, err := os.Lstat(s.path(name)); err == nil && info.IsDir() {
		os.Remove(s.path(name)) // works only if it is empty
	}
	_, err := os.Lstat(s.path(name))
	return errors.Is(err, os.ErrNotExist) || isNotDir(err)
}

// remove removes a file, and the directories above it that become empty.
func (s *Store) remove(name string) error {
	if err := os.Remove(s.path(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if os.Remove(s.path(dir)) != nil {
			break
		}
	}
	return nil
}

func (s *Store) path(name string) string { return filepath.Join(s.Root, filepath.FromSlash(name)) }

func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// Restored says what a restore did.
type Restored struct {
	// Before is the working tree before the restore, to undo it.
	Before  Snapshot `json:"before"`
	Written []string `json:"written"`
	Removed []string `json:"removed"`
	// Kept are files that would have been removed or overwritten but are in no
	// snapshot, because they are ignored or too large. They are unchanged.
	Kept []string `json:"kept,omitempty"`
}
