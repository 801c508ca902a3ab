package snapshot

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/flock"
	"github.com/trammel-dev/trammel/internal/git"
)

// Store has the snapshots of one working tree, in a separate repository in
// Trammel's state directory. It never touches the user's repository, its index or
// its references.
type Store struct {
	Root string // of the working tree
	// MaxFile is the size of the largest file that is saved.
	MaxFile int64
	// Keep is the maximum number of snapshots; the oldest are dropped first.
	Keep int
	dir  string
}

// The defaults.
const (
	DefaultMaxFile = 2 << 20
	DefaultKeep    = 200
)

// ErrNoRepository is returned by Open for a directory in no repository.
var ErrNoRepository = errors.New("there is no git repository here or in a directory above")

// Open returns the store for the working tree that contains dir, below the state
// directory. It creates nothing yet.
func Open(state, dir string) (*Store, error) {
	root := git.Root(dir)
	if root == "" {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoRepository)
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	if state == "" {
		return nil, errors.New("there is no state directory to keep snapshots in")
	}
	sum := sha256.Sum256([]byte(root))
	return &Store{Root: root, MaxFile: DefaultMaxFile, Keep: DefaultKeep, dir: filepath.Join(state, "snapshots",
		hex.EncodeToString(sum[:16]))}, nil
}

// Snapshot is the working tree at one moment.
type Snapshot struct {
	ID      int       `json:"id"`
	Time    time.Time `json:"time"`
	Label   string    `json:"label"` // what was about to happen, or had happened
	Session string    `json:"session,omitempty"`
	Tree    string    `json:"tree"`
}

// refs is the prefix of the snapshots' references; their commits have tree and label.
const refs = "refs/snapshots/"

func (s *Store) repo() git.Repo { return git.Repo{Dir: s.Root, Shadow: filepath.Join(s.dir, "git")} }

// maxOutput is more than git prints about a tree of a few million files.
const maxOutput = 256 << 20

func (s *Store) git(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	out, truncated, err := s.repo().Output(ctx, maxOutput, stdin, args...)
	if truncated {
		return nil, fmt.Errorf("git %s says more than %d bytes", args[0], maxOutput)
	}
	return out, err
}

// lock locks the repository, and creates it if there is none.
func (s *Store) lock(ctx context.Context) (*flock.Held, error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	held, err := flock.Lock(ctx, filepath.Join(s.dir, "lock"))
	if err != nil {
		return nil, err
	}
	if err := s.init(ctx); err != nil {
		held.Unlock()
		return nil, err
	}
	return held, nil
}

func (s *Store) init(ctx context.Context) error {
	shadow := s.repo().Shadow
	ready := filepath.Join(shadow, "info", "attributes")
	if _, err := os.Stat(ready); err == nil {
		return nil
	}
	if _, _, err := (git.Repo{Dir: s.dir, Shadow: shadow}).Output(ctx, 1<<10, nil, "init", "--quiet", "--template="); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(ready), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.dir, "root"), []byte(s.Root+"\n"), 0o600); err != nil {
		return err
	}
	// Files are saved byte by byte, whatever the project's attributes say.
	return os.WriteFile(ready, []byte("* -text -eol -ident -filter -working-tree-encoding\n"), 0o600)
}

// List returns the snapshots, newest first.
func (s *Store) List(ctx context.Context) ([]Snapshot, error) {
	if _, err := os.Stat(s.repo().Shadow); err != nil {
		return nil, nil
	}
	out, err := s.git(ctx, nil, "for-each-ref", "--sort=-refname",
		"--format=%(refname:lstrip=2)%00%(tree)%00%(committerdate:unix)%00%(contents:subject)%00%(contents:body)%01", refs)
	if err != nil {
		return nil, err
	}
	var list []Snapshot
	for entry := range strings.SplitSeq(string(out), "\x01") {
		part := strings.Split(strings.TrimPrefix(entry, "\n"), "\x00")
		if len(part) != 5 {
			continue
		}
		id, err := strconv.Atoi(part[0])
		at, err2 := strconv.ParseInt(part[2], 10, 64)
		if err != nil || err2 != nil {
			continue
		}
		list = append(list, Snapshot{ID: id, Tree: part[1], Time: time.Unix(at, 0), Label: part[3], Session: strings.TrimSpace(part[4])})
	}
	return list, nil
}

// Find returns a snapshot by its number.
func (s *Store) Find(ctx context.Context, id int) (Snapshot, error) {
	list, err := s.List(ctx)
	if err != nil {
		return Snapshot{}, err
	}
	for _, snap := range list {
		if snap.ID == id {
			return snap, nil
		}
	}
	return Snapshot{}, fmt.Errorf("there is no snapshot %d of %s; trammel snapshot list shows them", id, s.Root)
}

// Diff returns the changes up to a later snapshot as a patch. If to is nil, that is
// the current working tree.
func (s *Store) Diff(ctx context.Context, from Snapshot, to *Snapshot) ([]byte, error) {
	var tree string
	if to != nil {
		tree = to.Tree
	} else {
		held, err := s.lock(ctx)
		if err != nil {
			return nil, err
		}
		defer held.Unlock()
		if tree, err = s.tree(ctx); err != nil {
			return nil, err
		}
	}
	return s.git(ctx, nil, "diff-tree", "--patch", "-r", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames", from.Tree, tree)
}

// refName is the reference of a snapshot. Leading zeros let them sort.
func refName(id int) string { return fmt.Sprintf("%s%09d", refs, id) }

// fieldsOf splits what git prints with -z.
func fieldsOf(out []byte) []string {
	out = bytes.TrimSuffix(out, []byte{0})
	if len(out) == 0 {
		return nil
	}
	return strings.Split(string(out), "\x00")
}
