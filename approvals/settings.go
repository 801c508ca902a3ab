package approvals

import (
	"cmp"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/store"
)

// Settings are the settings of the machine and the user for approvals, as
// stored in the plan.
type Settings struct {
	// Store is a postgres:// address, or a file. Empty is a file in the state
	// directory.
	Store  string              `json:"store,omitempty"`
	People map[string][]string `json:"people,omitempty"`
	Groups map[string][]string `json:"groups,omitempty"`
	// Trust are public keys of servers whose votes count, as ed25519:base64.
	Trust []string `json:"trust,omitempty"`
	// Authority are the keys of people at this machine that count, by their id.
	// Then no other key in the key file counts, neither a person's nor a
	// server's.
	Authority []string `json:"authority,omitempty"`
	// Keep is how long approvals that have ended, and the index of events, stay
	// in the store; 0 is DefaultKeep.
	Keep time.Duration `json:"keep,omitempty"`
	// Ask is true if a question becomes a request when the agent cannot ask it.
	Ask bool `json:"ask,omitempty"`
	// Terms are the terms of such requests, and the defaults for hooks.
	Terms Terms `json:"terms,omitzero"`
	// Channels say how people are reached, by name; each kind reads its own.
	Channels map[string]json.RawMessage `json:"channels,omitempty"`
}

// Terms say how a hook asks.
type Terms struct {
	Approvers []string       `json:"approvers,omitempty"`
	Quorum    int            `json:"quorum,omitempty"`
	Factors   []store.Factor `json:"factors,omitempty"` // instead of the two above
	DenyAt    int            `json:"deny_threshold,omitempty"`
	Requester bool           `json:"allow_requester,omitempty"`
	Comment   bool           `json:"comment_required,omitempty"`
	Expires   time.Duration  `json:"expires,omitempty"`
	Window    time.Duration  `json:"window,omitempty"`
	Mode      string         `json:"mode,omitempty"` // block, park, auto
	Hold      time.Duration  `json:"hold,omitempty"` // how long auto waits before it parks
	OnTimeout string         `json:"on_timeout,omitempty"`
	Remind    []Moment       `json:"remind,omitempty"`
	Escalate  [][]string     `json:"escalate,omitempty"`
	Every     time.Duration  `json:"escalate_every,omitempty"`
	Channels  []string       `json:"channels,omitempty"`
}

// Moment is a time after a request was made: a span, or a part of the time in
// which people can decide.
type Moment struct {
	After   time.Duration `json:"after,omitempty"`
	Percent int           `json:"percent,omitempty"`
}

// reminders are the moments of terms, in order.
func (t *Terms) reminders() (out []time.Duration) {
	for _, m := range t.Remind {
		out = append(out, m.After+t.Expires/100*time.Duration(m.Percent))
	}
	slices.Sort(out)
	return out
}

// Defaults of approvals.
const (
	DefaultExpires = 10 * time.Minute
	DefaultWindow  = 5 * time.Minute
	DefaultHold    = 45 * time.Second
	DefaultKeep    = 400 * 24 * time.Hour
)

// Kept is Keep, or the default.
func (s *Settings) Kept() time.Duration { return cmp.Or(s.Keep, DefaultKeep) }

// Needs is what is needed for a decision: the hook's terms, or the settings',
// or the defaults.
func (s *Settings) Needs(t *Terms) (store.Needs, error) {
	n := store.Needs{Factors: t.Factors, DenyAt: cmp.Or(t.DenyAt, 1), Requester: t.Requester, Comment: t.Comment, Escalate: t.Escalate,
		Every: t.Every, Reminders: t.reminders(), Channels: t.Channels, OnTime: t.OnTimeout}
	if len(n.Factors) == 0 {
		who := t.Approvers
		if len(who) == 0 {
			who = []string{Local}
		}
		n.Factors = []store.Factor{{Approvers: who, N: cmp.Or(t.Quorum, 1)}}
	}
	roster := s.Roster()
	return n, roster.Check(&n)
}

// Roster is who may decide.
func (s *Settings) Roster() *Roster {
	return &Roster{People: s.People, Groups: s.Groups}
}

// Check refuses settings that could never work.
func (s *Settings) Check(t *Terms) error {
	for name, members := range s.Groups {
		for _, m := range members {
			if _, there := s.People[m]; !there {
				return fmt.Errorf("the group %q names %q, who is not in people", name, m)
			}
		}
	}
	seen := map[string]string{}
	for name, identities := range s.People {
		if name == Local || strings.HasPrefix(name, "group:") {
			return fmt.Errorf("%q cannot be the name of a person: it is reserved", name)
		}
		if name == "" || len(identities) == 0 {
			return fmt.Errorf("%q in people has no name or no identity, so nobody could answer as them", name)
		}
		for _, id := range identities {
			if kind, who, _ := strings.Cut(id, ":"); kind == "" || who == "" || strings.TrimSpace(id) != id {
				return fmt.Errorf("%s has the identity %q, expected one such as slack:T1/U1 or os:1000", name, id)
			}
			if other, twice := seen[id]; twice {
				return fmt.Errorf("%s and %s have the same identity %s; give each person their own", other, name, id)
			}
			seen[id] = name
		}
	}
	if _, err := s.serverKeys(); err != nil {
		return err
	}
	for _, id := range s.Authority {
		if !strings.HasPrefix(id, "key_") {
			return fmt.Errorf("authority is %q, expected key_…, as trammel approvals unlock prints it", id)
		}
	}
	for _, c := range t.Channels {
		if _, there := s.Channels[c]; !there {
			return fmt.Errorf("there is no channel %q: declare it in approvals.channels", c)
		}
	}
	if err := t.Check(); err != nil {
		return err
	}
	_, err := s.Needs(t)
	return err
}

// Check refuses empty lists: they name nobody, and would
// count as if they had been left out.
func (t *Terms) Check() error {
	if t.Approvers != nil && len(t.Approvers) == 0 || t.Factors != nil && len(t.Factors) == 0 ||
		slices.ContainsFunc(t.Factors, func(f store.Factor) bool { return len(f.Approvers) == 0 }) ||
		slices.ContainsFunc(t.Escalate, func(step []string) bool { return len(step) == 0 }) {
		return errors.New("a list of approvers is empty: name somebody, or leave it out")
	}
	return nil
}

// serverKeys are the keys of the servers that are trusted.
func (s *Settings) serverKeys() ([]ed25519.PublicKey, error) {
	var out []ed25519.PublicKey
	for _, text := range s.Trust {
		key, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.TrimPrefix(text, "ed25519:"), "="))
		if err != nil || len(key) != ed25519.PublicKeySize {
			return nil, fmt.Errorf("%q is not a public key, expected ed25519: and 32 bytes in base64", text)
		}
		out = append(out, key)
	}
	return out, nil
}

// Keys are those whose votes count: of this machine's file and of trusted
// servers; if the settings name keys, only those.
func (s *Settings) Keys(ring *Keyring) (Keys, error) {
	keys := ring.Keys()
	trusted, err := s.serverKeys()
	if len(trusted) > 0 || len(s.Authority) > 0 {
		keys.Servers = Named(trusted...)
	}
	if len(s.Authority) > 0 {
		maps.DeleteFunc(keys.Authority, func(id string, _ ed25519.PublicKey) bool { return !slices.Contains(s.Authority, id) })
	}
	return keys, err
}

// Merged is a hook's terms, completed with the settings' and the defaults. The
// approvers are never mixed.
func (s *Settings) Merged(t *Terms) Terms {
	d, out := &s.Terms, *t
	if len(t.Factors) == 0 {
		if len(t.Approvers) == 0 {
			out.Approvers = d.Approvers
		}
		if len(t.Approvers) == 0 && t.Quorum == 0 {
			out.Factors = d.Factors
		}
	}
	out.Quorum = cmp.Or(t.Quorum, d.Quorum)
	out.DenyAt = cmp.Or(t.DenyAt, d.DenyAt)
	out.Requester = t.Requester || d.Requester
	out.Comment = t.Comment || d.Comment
	out.Expires = cmp.Or(t.Expires, d.Expires, DefaultExpires)
	out.Window = cmp.Or(t.Window, d.Window, DefaultWindow)
	out.Mode = cmp.Or(t.Mode, d.Mode, "auto")
	out.Hold = cmp.Or(t.Hold, d.Hold, DefaultHold)
	out.OnTimeout = cmp.Or(t.OnTimeout, d.OnTimeout)
	out.Every = cmp.Or(t.Every, d.Every)
	if len(t.Remind) == 0 {
		out.Remind = d.Remind
	}
	if len(t.Escalate) == 0 {
		out.Escalate = d.Escalate
	}
	if len(t.Channels) == 0 {
		out.Channels = d.Channels
	}
	return out
}
