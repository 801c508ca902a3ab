package snapshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Take saves the working tree, if it has changed since the last snapshot. It
// reports whether it has.
func (s *Store) Take(ctx context.Context, label, session string) (Snapshot, bool, error) {
	held, err := s.lock(ctx)
	if err != nil {
		return Snapshot{}, false, fmt.Errorf("snapshot: %w", err)
	}
	defer held.Unlock()
	snap, changed, err := s.take(ctx, label, session)
	if err != nil {
		return snap, changed, fmt.Errorf("snapshot: %w", err)
	}
	return snap, changed, nil
}

func (s *Store) take(ctx context.Context, label, session string) (Snapshot, bool, error) {
	list, err := s.List(ctx)
	if err != nil {
		return Snapshot{}, false, err
	}
	tree, err := s.tree(ctx)
	if err != nil {
		return Snapshot{}, false, err
	}
	id := 1
	if len(list) > 0 {
		if list[0].Tree == tree {
			return list[0], false, nil
		}
		id = list[0].ID + 1
	}
	message := oneLine(label) + "\n\n" + oneLine(session) + "\n"
	out, err := s.git(ctx, []byte(message), "commit-tree", tree)
	if err != nil {
		return Snapshot{}, false, err
	}
	if _, err := s.git(ctx, nil, "update-ref", refName(id), strings.TrimSpace(string(out)), ""); err != nil {
		return Snapshot{}, false, err
	}
	for i := s.Keep - 1; s.Keep > 0 && i < len(list); i++ {
		if _, err := s.git(ctx, nil, "update-ref", "-d", refName(list[i].ID)); err != nil {
			return Snapshot{}, false, err
		}
	}
	snap, err := s.Find(ctx, id)
	return snap, true, err
}

// tree updates the index from the working tree and writes it as a tree. It reads
// only files that have changed since the last time.
func (s *Store) tree(ctx context.Context) (string, error) {
	if err := s.update(ctx); err != nil {
		return "", err
	}
	out, err := s.git(ctx, nil, "write-tree")
	return strings.TrimSpace(string(out)), err
}

func (s *Store) update(ctx context.Context) error {
	// A lock left by a killed process would block all later snapshots. We hold
	// our own lock, so nobody is using it.
	os.Remove(filepath.Join(s.repo().Shadow, "index.lock"))
	added, err := s.git(ctx, nil, "ls-files", "-z", "--others", "--exclude-standard", "--exclude-from="+s.exclude())
	if err != nil {
		return err
	}
	changed, err := s.git(ctx, nil, "diff-files", "-z", "--name-only", "--ignore-submodules=all")
	if err != nil {
		return err
	}
	var put, drop []string
	for _, path := range append(fieldsOf(added), fieldsOf(changed)...) {
		if strings.HasSuffix(path, "/") { // a nested repository
			continue
		}
		switch keep, err := s.keeps(path); {
		case err != nil:
			return err
		case keep:
			put = append(put, path)
		default:
			drop = append(drop, path)
		}
	}
	if err := s.account(ctx, drop, "--force-remove"); err != nil {
		return err
	}
	return s.account(ctx, put, "--add", "--remove", "--replace")
}

// account updates the index for some files, in batches: if time runs out in a large
// project, completed batches need not be repeated.
func (s *Store) account(ctx context.Context, paths []string, flags ...string) error {
	args := append([]string{"update-index", "-z"}, flags...)
	for portion := range slices.Chunk(paths, 1000) {
		if _, err := s.git(ctx, []byte(strings.Join(portion, "\x00")+"\x00"), append(args, "--stdin")...); err != nil {
			return err
		}
	}
	return nil
}

// keeps reports whether a file is saved: existing files and links, not reached
// through a link, and not too large.
func (s *Store) keeps(name string) (bool, error) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if info, err := os.Lstat(s.path(dir)); err == nil && !info.IsDir() {
			return false, nil
		}
	}
	info, err := os.Lstat(s.path(name))
	switch {
	case errors.Is(err, os.ErrNotExist) || isNotDir(err):
		return false, nil
	case errors.Is(err, os.ErrPermission):
		return false, nil
	case err != nil:
		return false, err
	case info.Mode().IsRegular():
		if info.Size() > s.MaxFile {
			return false, nil
		}
		f, err := os.Open(s.path(name))
		if err != nil {
			return false, nil // the agent may have files that are not ours to read
		}
		return true, f.Close()
	}
	return info.Mode()&os.ModeSymlink != 0, nil
}

// exclude returns the file with the user's ignore rules for this repository only.
func (s *Store) exclude() string {
	path := filepath.Join(s.Root, ".git", "info", "exclude")
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		return path
	}
	return os.DevNull
}

// Tidy packs the repository and drops objects that no snapshot needs.
func (s *Store) Tidy(ctx context.Context) error {
	if _, err := os.Stat(s.repo().Shadow); err != nil {
		return nil
	}
	held, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer held.Unlock()
	out, err := s.git(ctx, nil, "count-objects")
	if err != nil {
		return err
	}
	word, _, _ := strings.Cut(string(out), " ")
	if n, _ := strconv.Atoi(word); n < manyLoose {
		return nil
	}
	_, err = s.git(ctx, nil, "gc", "--quiet", "--prune=now")
	return err
}

// manyLoose is the number of loose objects above which they are packed.
const manyLoose = 2000

// oneLine prevents names from taking more than one line.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if r := []rune(text); len(r) > 200 {
		text = string(r[:200])
	}
	return strings.TrimSpace(text)
}
