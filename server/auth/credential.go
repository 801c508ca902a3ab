package auth

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
)

// The kinds of credentials.
const (
	Session = "session" // a person who has logged in, by a cookie
	Token   = "token"   // a program
	Link    = "link"    // opens one read-only session
)

// SystemPrefix is the prefix of the identity of a program that is part of the
// system, not an agent.
const SystemPrefix = "system:"

// Credential identifies a person or program. Only the digest of its secret is
// stored, and it counts because a server has signed it: write access to the
// store is not enough to log in.
type Credential struct {
	ID       string `json:"id"` // the digest of the secret
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	Role     Role   `json:"role"`
	Identity string `json:"identity"`
	// Account is the identity of the person whose programs have the token; "" if
	// they work for several.
	Account string    `json:"account,omitempty"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires,omitzero"`
	Proved  time.Time `json:"proved,omitzero"`
	// Used is when it was last seen, to a minute.
	Used  time.Time `json:"used"`
	Key   string    `json:"key"`
	Proof []byte    `json:"proof"`
}

// IdleLimit is how long an unused session lasts.
const IdleLimit = 8 * time.Hour

// most is the maximum number of credentials of a kind; the oldest are removed first.
const most = 1000

var bucket = trammel.Bucket{Name: "server/credentials", Keep: 400 * 24 * time.Hour}

// ErrUnknown is returned for a secret without a valid credential.
var ErrUnknown = errors.New("this session or token is unknown, or has ended")

// Credentials stores sessions and tokens where all replicas see them.
type Credentials struct {
	State  trammel.State
	Signer approvals.Signer
	// Servers are the keys whose credentials count.
	Servers map[string]ed25519.PublicKey
	Now     func() time.Time

	recent sync.Map // id to *seen: what was read a moment ago
}

// seen is a credential that was valid a moment ago.
type seen struct {
	Credential
	at time.Time
}

// moment is how long a credential is not looked up again, and so how long one
// that is revoked elsewhere still works.
const moment = time.Second

// secretPrefix makes our secrets easy to find by scanners.
const secretPrefix = "trm_"

// Create makes a credential, and returns the secret that is its only key.
func (c *Credentials) Create(ctx context.Context, made Credential) (secret string, err error) {
	secret = secretPrefix + rand.Text()
	now := c.Now().UTC().Truncate(time.Microsecond)
	made.ID, made.Created, made.Used, made.Key = idOf(secret), now, now, c.Signer.KeyID()
	made.Expires, made.Proved = made.Expires.UTC().Truncate(time.Microsecond), made.Proved.UTC().Truncate(time.Microsecond)
	if made.Proof, err = c.Signer.Sign(made.statement()); err != nil {
		return "", err
	}
	return secret, c.update(ctx, made.ID, func(index *[]string, value *[]byte) error {
		*index = append(*index, made.ID)
		if n := len(*index) - most; n > 0 {
			*index = slices.Delete(*index, 0, n)
		}
		*value, err = json.Marshal(made)
		return err
	})
}

// Find returns the credential with this secret, and stores when it was used.
func (c *Credentials) Find(ctx context.Context, secret string) (*Credential, error) {
	if !strings.HasPrefix(secret, secretPrefix) {
		return nil, ErrUnknown
	}
	id, now := idOf(secret), c.Now()
	if known, ok := c.recent.Load(id); ok {
		if age := now.Sub(known.(*seen).at); age >= 0 && age < moment { // a clock that was set back keeps nothing
			return &known.(*seen).Credential, nil
		}
	}
	found, err := c.get(ctx, id)
	if err != nil {
		c.recent.Delete(id)
		return nil, err
	}
	c.recent.Store(id, &seen{*found, now})
	if now.Sub(found.Used) > time.Minute {
		found.Used = now.UTC()
		err = c.State.Update(ctx, &bucket, []trammel.Key{{found.ID}}, func(v [][]byte) (err error) {
			if v[0] != nil { // it may have been revoked meanwhile
				v[0], err = json.Marshal(found)
			}
			return err
		})
	}
	return found, err
}

// List returns the valid credentials of a kind.
func (c *Credentials) List(ctx context.Context, kind string) (list []*Credential, err error) {
	var ids []string
	err = c.State.View(ctx, &bucket, []trammel.Key{indexKey}, func(v [][]byte) error { ids, err = readIndex(v[0]); return err })
	for _, id := range ids {
		found, getErr := c.get(ctx, id)
		switch {
		case getErr == nil && found.Kind == kind:
			list = append(list, found)
		case getErr != nil && !errors.Is(getErr, ErrUnknown):
			return nil, getErr
		}
	}
	return list, err
}

// Revoke ends a credential. It reports whether there was one.
func (c *Credentials) Revoke(ctx context.Context, id string) (there bool, err error) {
	defer c.recent.Delete(id)
	err = c.update(ctx, id, func(index *[]string, value *[]byte) error {
		there, *value = *value != nil, nil
		*index = slices.DeleteFunc(*index, func(s string) bool { return s == id })
		return nil
	})
	return there, err
}

func (c *Credentials) get(ctx context.Context, id string) (*Credential, error) {
	var found Credential
	err := c.State.View(ctx, &bucket, []trammel.Key{{id}}, func(v [][]byte) error {
		if v[0] == nil || json.Unmarshal(v[0], &found) != nil {
			return ErrUnknown
		}
		return nil
	})
	switch public, ok := c.Servers[found.Key]; {
	case err != nil:
	case found.ID != id || !ok || !ed25519.Verify(public, found.statement(), found.Proof):
		err = ErrUnknown
	case c.over(&found):
		if err = ErrUnknown; found.Kind != Token { // people log in again; a session stays over if the clock is set back
			_, _ = c.Revoke(ctx, id)
		}
	}
	return &found, err
}

// over reports whether a credential has expired, or a session has been idle too long.
func (c *Credentials) over(k *Credential) bool {
	now := c.Now()
	return !k.Expires.IsZero() && !now.Before(k.Expires) || k.Kind == Session && now.Sub(k.Used) > IdleLimit
}

// statement is what the signature covers: everything except when it was used.
func (k *Credential) statement() []byte {
	parts := []string{"trammel-credential-v1", k.ID, k.Kind, k.Name, k.Role.String(), k.Identity,
		fmt.Sprint(k.Created.UnixMicro()), fmt.Sprint(k.Expires.UnixMicro()), fmt.Sprint(k.Proved.UnixMicro())}
	if k.Account != "" {
		parts = append(parts, k.Account)
	}
	text, _ := json.Marshal(parts)
	return text
}

var indexKey = trammel.Key{"all", "index"}

func readIndex(text []byte) (ids []string, err error) {
	if text != nil {
		err = json.Unmarshal(text, &ids)
	}
	return ids, err
}

// update changes one credential and the index together.
func (c *Credentials) update(ctx context.Context, id string, change func(index *[]string, value *[]byte) error) error {
	return c.State.Update(ctx, &bucket, []trammel.Key{indexKey, {id}}, func(v [][]byte) error {
		index, err := readIndex(v[0])
		if err != nil {
			return err
		}
		if err := change(&index, &v[1]); err != nil {
			return err
		}
		v[0], err = json.Marshal(index)
		return err
	})
}

// idOf begins with a letter, as it is given to commands, which read options before anything else.
func idOf(secret string) string { return "cred_" + digest("id", secret) }

// CSRF is the token for a session's forms. It is derived from the secret, which
// only the cookie has.
func CSRF(secret string) string { return digest("csrf", secret) }

func digest(what, secret string) string {
	d := sha256.Sum256([]byte("trammel-" + what + "\x00" + secret))
	return base64.RawURLEncoding.EncodeToString(d[:18])
}
