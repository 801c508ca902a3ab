package flow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/flock"
	"github.com/trammel-dev/trammel/internal/layers"
)

// Memory is what a policy remembers of a session from one process to the next:
// one word, in a small file of our own state. Without a session to tell by,
// nothing is remembered, and in a rehearsal nothing is written.
type Memory struct {
	path      string
	rehearsal bool
}

// Remember opens the memory of a policy for the session of an event, about one
// thing.
func Remember(ev *trammel.Event, s Session, policy, about string) (Memory, error) {
	session := ev.Session.ID
	if session == "" {
		session = s.Actor
	}
	if session == "" {
		return Memory{}, nil
	}
	dirs, err := layers.System()
	if err != nil {
		return Memory{}, err
	}
	return Memory{filepath.Join(dirs.State, "flow", policy, key(ev.Host, session, s.Dir, about)), ev.Rehearsal}, nil
}

// Changed reports whether a text is another one than last time, and remembers
// it. What cannot be remembered counts as changed: to hear something twice is
// better than never.
func (m Memory) Changed(ctx context.Context, text string) bool {
	changed := true
	_ = m.update(ctx, func(old string) string {
		now := key(text)
		changed = old != now
		return now
	})
	return changed
}

// Streak counts how often the same thing has come in a row.
func (m Memory) Streak(ctx context.Context, thing string) (int, error) {
	n := 1
	err := m.update(ctx, func(old string) string {
		last, count, _ := strings.Cut(old, " ")
		if c, err := strconv.Atoi(count); err == nil && last == key(thing) && c > 0 {
			n = c + 1
		}
		return key(thing) + " " + strconv.Itoa(n)
	})
	return n, err
}

// Forget begins anew.
func (m *Memory) Forget() {
	switch {
	case m.rehearsal:
		m.path = ""
	case m.path != "":
		os.Remove(m.path)
	}
}

func (m Memory) update(ctx context.Context, change func(old string) string) error {
	if m.path == "" {
		change("")
		return nil
	}
	if m.rehearsal {
		old, _ := readFile(m.path, maxLine) // it is put in place whole, so no lock is needed to read it
		change(string(old))
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(m.path), 0o700); err != nil {
		return err
	}
	held, err := flock.Lock(ctx, m.path+".lock")
	if err != nil {
		return err
	}
	defer held.Unlock()
	old, _ := readFile(m.path, maxLine)
	next := m.path + ".next"
	if err := os.WriteFile(next, []byte(change(string(old))), 0o600); err != nil {
		return err
	}
	return os.Rename(next, m.path)
}

// key is a file name, or a digest, for texts of any length and content.
func key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
