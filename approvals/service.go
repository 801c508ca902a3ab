// Package approvals lets people decide about calls of agents. A request is
// stored before anybody is asked, bound to the digest of exactly one call, used
// once, and checked again right before the call runs.
//
// The states and who may change them are in this package; how people are
// reached is in approvals/channels.
package approvals

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/store"
)

// Service is the state machine over a store. It is safe for concurrent use, and
// any number of processes can have one over the same store.
type Service struct {
	Store  store.Store
	Roster *Roster
	Keys   Keys
	// Spent stores used approvals a second time, outside of the store; it may
	// be nil.
	Spent trammel.State
	// Now is the clock.
	Now func() time.Time
	// Record records a note. A note with Again may be recorded already under
	// its ID, and must not be recorded twice.
	Record func(ctx context.Context, n store.Note) error
}

// newID is a prefix and 128 random bits.
func newID(prefix string) string {
	var b [16]byte
	rand.Read(b[:])
	return prefix + base64.RawURLEncoding.EncodeToString(b[:])
}

// change is the only way to change an approval: the change and its note are one
// write; then the note is recorded. If it cannot be recorded now, it waits in
// the store: the change is valid.
func (s *Service) change(ctx context.Context, id string, change func(a *store.Approval) (note string, err error)) (*store.Approval, error) {
	a, notes, err := s.write(ctx, id, change)
	if err == nil {
		_ = s.record(ctx, notes)
	}
	return a, err
}

func (s *Service) write(ctx context.Context, id string, change func(a *store.Approval) (note string, err error)) (
	a *store.Approval, notes []store.Note, err error) {
	a, err = s.Store.Change(ctx, id, func(a *store.Approval) ([]store.Note, error) {
		kind, err := change(a)
		if notes = nil; err == nil && kind != "" {
			notes = []store.Note{s.note(kind, a)}
		}
		return notes, err
	})
	if errors.Is(err, store.ErrNotFound) {
		err = refuse(RefusedUnknown, "there is no approval %s", id)
	}
	return a, notes, err
}

// note is the note about a change of an approval. It has no arguments: it has
// their digest, and the record of the event has them redacted.
func (s *Service) note(kind string, a *store.Approval) store.Note {
	summary, _ := secret.Redact(a.Summary)
	data := map[string]any{"approval": a.ID, "state": a.State, "tool": a.Tool, "digest": a.Digest, "hook": a.Hook, "host": a.Host,
		"agent": a.Agent, "user": a.User, "votes": voters(a), "what": tell(kind, a), "summary": summary, "session": a.First().Session,
		"dir": a.Dir}
	if a.Why != "" {
		data["why"] = a.Why
	}
	if a.Edit != nil {
		data["edited"] = a.Edit.Digest
	}
	return s.newNote("approval."+kind, a.Project, a.ID, data)
}

// newNote takes data of plain texts and numbers only.
func (s *Service) newNote(kind, project, subject string, data map[string]any) store.Note {
	text, _ := json.Marshal(data)
	return store.Note{ID: newID("not_"), At: store.At(s.Now()), Held: s.held(), Kind: kind, Project: project, Subject: subject, Data: text}
}

type voter struct {
	Approver string     `json:"approver"`
	Identity string     `json:"identity"`
	Channel  string     `json:"channel"`
	Decision string     `json:"decision"`
	Comment  string     `json:"comment,omitempty"`
	At       store.Time `json:"at"`
}

func voters(a *store.Approval) []voter {
	out := make([]voter, len(a.Votes))
	for i, v := range a.Votes {
		out[i] = voter{v.Approver, v.Identity, v.Channel, yesNo(v.Approve), v.Comment, v.At}
	}
	return out
}
