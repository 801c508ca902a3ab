package approvals

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/store"
)

// A vote counts because it is signed, not because it is in the store: write
// access to the store is not enough to decide. Two kinds of keys sign: a
// person's, which the authority secret unlocks, and a server's, for answers
// from channels that it has verified.

// Signer signs votes.
type Signer interface {
	// KeyID is the id of the key.
	KeyID() string
	Sign(statement []byte) ([]byte, error)
}

// Keys are the public keys for checking votes, by their id.
type Keys struct {
	// Servers may sign for everybody that they have identified; Authority are
	// the keys of people, each of which signs only for its owner.
	Servers, Authority map[string]ed25519.PublicKey
}

// KeyID is the id of a key: the start of its digest.
func KeyID(key ed25519.PublicKey) string {
	d := sha256.Sum256(key)
	return "key_" + base64.RawURLEncoding.EncodeToString(d[:12])
}

// Named is keys by their id.
func Named(list ...ed25519.PublicKey) map[string]ed25519.PublicKey {
	out := make(map[string]ed25519.PublicKey, len(list))
	for _, k := range list {
		out[KeyID(k)] = k
	}
	return out
}

// PrivateKey is a Signer in memory.
type PrivateKey ed25519.PrivateKey

// KeyID implements Signer.
func (k PrivateKey) KeyID() string { return KeyID(ed25519.PrivateKey(k).Public().(ed25519.PublicKey)) }

// Sign implements Signer.
func (k PrivateKey) Sign(statement []byte) ([]byte, error) {
	return ed25519.Sign(ed25519.PrivateKey(k), statement), nil
}

// statement is what a vote's signature covers: the approval, what was shown,
// who voted how, when, and how many calls were waiting.
func statement(a *store.Approval, v *store.Vote) []byte {
	return array("trammel-vote-v1", a.ID, a.Nonce, a.Digest, v.Edit, v.Approver, v.Identity, v.Channel, yesNo(v.Approve), v.Comment,
		fmt.Sprint(v.At.Micros()), fmt.Sprint(v.Asks))
}

// grantStatement is the same for a grant: everything that determines what it matches.
func grantStatement(g *store.Grant) []byte {
	parts := []string{"trammel-grant-v1", g.ID, g.Scope, g.By, g.From, g.Policy, g.Digest, g.Session, g.Project, g.Host, g.Tool,
		string(g.Match),
		fmt.Sprint(g.Created.Micros()), fmt.Sprint(g.Expires.Micros()), fmt.Sprint(g.Most)}
	return array(append(parts, g.Hooks...)...)
}

func yesNo(approve bool) string {
	if approve {
		return "approve"
	}
	return "reject"
}

func array(parts ...string) []byte {
	out, _ := canonical.Append(nil, parts) // texts always have a canonical form
	return out
}

func sign(s Signer, text []byte) (key string, proof []byte, err error) {
	proof, err = s.Sign(text)
	return s.KeyID(), proof, err
}

// proved reports whether text was signed with a key that may sign for this
// person.
func (s *Service) proved(key string, text, proof []byte, person string) bool {
	if public, ok := s.Keys.Servers[key]; ok {
		return ed25519.Verify(public, text, proof)
	}
	public, ok := s.Keys.Authority[key]
	return ok && s.owns(key, person) && ed25519.Verify(public, text, proof)
}

// Person is the owner of a key that the authority secret unlocks, if the key is
// valid here.
func (s *Service) Person(key Signer) (string, error) {
	who, known := s.person("authority:" + key.KeyID())
	if _, ok := s.Keys.Authority[key.KeyID()]; !ok || !known || !s.owns(key.KeyID(), who) {
		return "", refuse(RefusedNotApprover, "%s is not the key of somebody who may decide here", key.KeyID())
	}
	return who, nil
}

// owns reports whether the key belongs to this person. If nobody is named,
// whoever knows the secret of this machine decides.
func (s *Service) owns(key, person string) bool {
	who, known := s.Roster.Who("authority:" + key)
	return known && who == person || !known && person == Local
}
