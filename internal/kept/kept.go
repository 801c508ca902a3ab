// Package kept keeps texts that are too long for a model in files, so that it
// can be given a part and told where the whole is. Each session has a directory
// of its own; a text's file is named by its digest, so that the same text is
// kept once and a name never means another text.
//
// Files are written whole or not at all. Other users can read neither them nor
// their names.
package kept

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel/internal/flock"
	"github.com/trammel-dev/trammel/internal/layers"
)

// Folder is the directory below the state in which all of it is. An agent has
// to be able to read there.
const Folder = "outputs"

// Store is where the texts of one session are.
type Store struct {
	// Rehearsal is set to learn where a text would be kept: nothing is written
	// or removed.
	Rehearsal bool
	dir       string
	max       int64
}

// forgotten is when the directory of a session that never ended goes.
const forgotten = 7 * 24 * time.Hour

// Open names the store of a session, without making it. Those who keep texts
// for different purposes have stores of their own. max is how many bytes it may
// hold.
func Open(purpose, host, session string, max int64) (*Store, error) {
	dirs, err := layers.System()
	if err != nil {
		return nil, fmt.Errorf("keep a text: %w", err)
	}
	sum := sha256.Sum256([]byte(host + "\x00" + session))
	return &Store{dir: filepath.Join(dirs.State, Folder, purpose, hex.EncodeToString(sum[:12])), max: max}, nil
}

// Keep writes a text and returns the path of its file. Where the store would
// become too large, the oldest texts make room; a text that is larger than the
// store is refused.
func (s *Store) Keep(ctx context.Context, text string) (string, error) {
	path, err := s.keep(ctx, text)
	if err != nil {
		return "", fmt.Errorf("keep a text: %w", err)
	}
	return path, nil
}

func (s *Store) keep(ctx context.Context, text string) (string, error) {
	if int64(len(text)) > s.max {
		return "", fmt.Errorf("it has %d bytes, and %d are the most", len(text), s.max)
	}
	sum := sha256.Sum256([]byte(text))
	path := filepath.Join(s.dir, hex.EncodeToString(sum[:16])+".txt")
	if s.Rehearsal {
		return path, nil
	}
	if err := s.open(); err != nil {
		return "", err
	}
	held, err := flock.Lock(ctx, s.dir+".lock")
	if err != nil {
		return "", err
	}
	defer held.Unlock()
	if fi, err := os.Lstat(path); err == nil && fi.Mode().IsRegular() && fi.Size() == int64(len(text)) {
		now := time.Now()
		return path, os.Chtimes(path, now, now)
	}
	if err := s.makeRoom(int64(len(text))); err != nil {
		return "", err
	}
	return path, s.write(path, text)
}

// open makes the directory. The first text of a session is the moment to look
// for what others left behind.
func (s *Store) open() error {
	above := filepath.Dir(s.dir)
	if err := os.MkdirAll(above, 0o700); err != nil {
		return err
	}
	switch err := os.Mkdir(s.dir, 0o700); {
	case err == nil:
		sweep(above, time.Now().Add(-forgotten))
	case !errors.Is(err, fs.ErrExist):
		return err
	}
	return nil
}

// write has a name of its own for what is unfinished: the lock is about room,
// and a session that ends takes it away.
func (s *Store) write(path, text string) error {
	f, err := os.CreateTemp(s.dir, "next-*")
	if errors.Is(err, fs.ErrNotExist) { // the session ended meanwhile
		if err = os.MkdirAll(s.dir, 0o700); err == nil {
			f, err = os.CreateTemp(s.dir, "next-*")
		}
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Remove deletes the store of a session that has ended.
func (s *Store) Remove(ctx context.Context) error {
	if _, err := os.Lstat(s.dir); errors.Is(err, fs.ErrNotExist) || s.Rehearsal {
		return nil
	}
	held, err := flock.Lock(ctx, s.dir+".lock")
	if err != nil {
		return fmt.Errorf("remove kept texts: %w", err)
	}
	defer held.Unlock()
	if err := os.RemoveAll(s.dir); err != nil {
		return fmt.Errorf("remove kept texts: %w", err)
	}
	os.Remove(s.dir + ".lock")
	return nil
}
