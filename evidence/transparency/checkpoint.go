package transparency

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/trammel-dev/trammel/internal/files"
)

// Checkpoint is a signed statement about a log.
type Checkpoint struct {
	Origin string
	Size   int64
	Root   tlog.Hash
	Note   []byte // the note with its signature
}

const (
	filePrefix = "checkpoint-"
	fileSuffix = ".note"
)

func fileName(size int64) string { return fmt.Sprintf("%s%012d%s", filePrefix, size, fileSuffix) }

// Sign makes a checkpoint of the log in dir and stores it there, and in each of
// the directories in copies: best one that the agent cannot write to. It does
// not sign a log that is broken, or that contradicts an earlier checkpoint.
// keys are those of Verify.
func Sign(dir string, key *Key, keys []string, copies ...string) (Checkpoint, error) {
	report, err := Verify(dir, keys)
	if err != nil {
		return Checkpoint{}, err
	}
	if report.Broken != nil {
		return Checkpoint{}, fmt.Errorf("the log is broken and will not be signed: %w", report.Broken)
	}
	if report.Records == 0 {
		return Checkpoint{}, errors.New("the log has no records to sign")
	}
	t, gone, err := readTree(dir, keys, nil)
	if err != nil {
		return Checkpoint{}, err
	}
	if _, err := check(dir, key.Verifier, t, gone); err != nil {
		return Checkpoint{}, fmt.Errorf("the log will not be signed: %w", err)
	}
	root, err := t.root(t.size)
	if err != nil {
		return Checkpoint{}, err
	}
	c := Checkpoint{Origin: key.signer.Name(), Size: t.size, Root: root}
	if c.Note, err = note.Sign(&note.Note{Text: c.text()}, key.signer); err != nil {
		return Checkpoint{}, err
	}
	for _, place := range append([]string{dir}, copies...) {
		if err := keep(place, &c); err != nil {
			return Checkpoint{}, fmt.Errorf("store the checkpoint: %w", err)
		}
	}
	return c, nil
}

func (c *Checkpoint) text() string { return fmt.Sprintf("%s\n%d\n%s\n", c.Origin, c.Size, c.Root) }

// keep writes the note. An existing one of that size stays, if it is the same.
func keep(dir string, c *Checkpoint) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	path := filepath.Join(dir, fileName(c.Size))
	err := files.Create(path, c.Note, 0o600)
	if !errors.Is(err, os.ErrExist) {
		return err
	}
	old, err := os.ReadFile(path)
	if err == nil && !bytes.Equal(old, c.Note) {
		err = fmt.Errorf("%s holds another checkpoint of the same size", path)
	}
	return err
}

// Newest returns the size of the newest checkpoint in dir, and when it was
// written. Size 0 means that there is none. It verifies nothing.
func Newest(dir string) (size int64, at time.Time, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, filePrefix+"*"+fileSuffix))
	if err != nil || len(paths) == 0 {
		return 0, at, err
	}
	path := slices.Max(paths) // sizes are written with leading zeros
	info, err := os.Stat(path)
	if err != nil {
		return 0, at, err
	}
	size, err = strconv.ParseInt(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), filePrefix), fileSuffix), 10, 64)
	return size, info.ModTime(), err
}

// errVerifier says that a text is not a verifier key.
func errVerifier(found string) error {
	return fmt.Errorf("%q is not a verifier key; trammel evidence checkpoint prints the key of a log", found)
}

// open checks a note's signature and reads it.
func open(data []byte, verifierKey string) (Checkpoint, error) {
	verifier, err := note.NewVerifier(verifierKey)
	if err != nil {
		return Checkpoint{}, errVerifier(verifierKey)
	}
	n, err := note.Open(data, note.VerifierList(verifier))
	if err != nil {
		return Checkpoint{}, err
	}
	for _, sig := range n.Sigs {
		if _, err := base64.StdEncoding.Strict().DecodeString(sig.Base64); err != nil {
			return Checkpoint{}, fmt.Errorf("the note's signature is not in canonical form: %w", err)
		}
	}
	lines := strings.Split(n.Text, "\n")
	if len(lines) != 4 {
		return Checkpoint{}, fmt.Errorf("the note has %d lines, expected origin, size and root", len(lines)-1)
	}
	c := Checkpoint{Origin: lines[0], Note: data}
	if c.Size, err = strconv.ParseInt(lines[1], 10, 64); err != nil || c.Size <= 0 {
		return Checkpoint{}, fmt.Errorf("the note's size is %q, expected a number", lines[1])
	}
	if c.Root, err = tlog.ParseHash(lines[2]); err != nil {
		return Checkpoint{}, fmt.Errorf("the note's root: %w", err)
	}
	if c.Origin != verifier.Name() || c.text() != n.Text {
		return Checkpoint{}, fmt.Errorf("the note is from %q, expected %q", c.Origin, verifier.Name())
	}
	return c, nil
}

// VerifyCheckpoints checks every checkpoint in dir against the log there: its
// signature, and that the log still begins, or began before it was pruned, with
// the records that were signed. That fails for a log that was cut off or
// rebuilt. Other directories may hold copies.
func VerifyCheckpoints(dir, verifierKey string, keys []string, copies ...string) ([]Checkpoint, error) {
	t, gone, err := readTree(dir, keys, nil)
	if err != nil {
		return nil, err
	}
	if _, err := note.NewVerifier(verifierKey); err != nil {
		return nil, errVerifier(verifierKey)
	}
	var all []Checkpoint
	for i, place := range append([]string{dir}, copies...) {
		list, err := stored(place, verifierKey)
		if err == nil && len(list) == 0 && i > 0 { // a copy is named because it proves something
			err = fmt.Errorf("%s has no checkpoint; trammel evidence checkpoint --copy DIR writes one", place)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, reproduce(t, gone, all)
}

func check(dir, verifierKey string, t *tree, gone *past) ([]Checkpoint, error) {
	list, err := stored(dir, verifierKey)
	if err != nil {
		return nil, err
	}
	return list, reproduce(t, gone, list)
}

func reproduce(t *tree, gone *past, list []Checkpoint) error {
	for _, c := range list {
		if c.Size < int64(gone.before().Seq) {
			if err := gone.covers(&c); err != nil {
				return fmt.Errorf("checkpoint of %d records: %w", c.Size, err)
			}
			continue
		}
		root, err := t.root(c.Size)
		if err != nil {
			return fmt.Errorf("checkpoint of %d records: %w", c.Size, err)
		}
		if root != c.Root {
			return fmt.Errorf("checkpoint of %d records: the log's root is %v, but %v was signed: the log was rebuilt", c.Size, root, c.Root)
		}
	}
	return nil
}

// stored reads the checkpoints in dir, smallest first. Each must match the name
// of its file.
func stored(dir, verifierKey string) ([]Checkpoint, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []Checkpoint
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), filePrefix) || !strings.HasSuffix(e.Name(), fileSuffix) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		c, err := open(data, verifierKey)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		if fileName(c.Size) != e.Name() {
			return nil, fmt.Errorf("%s covers %d records, but its name says otherwise", e.Name(), c.Size)
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Checkpoint) int { return int(a.Size - b.Size) })
	return out, nil
}
