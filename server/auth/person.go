// Package auth says who is on the other side of a request: people with a
// session, programs with a token, users of this machine on the socket. A role
// says what somebody may do; deciding also needs a proof.
package auth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/approvals"
)

// Role is what somebody may do. Each role includes those before it, except that
// a viewer submits nothing.
type Role int

const (
	Nobody   Role = iota
	Agent         // submits events, and sees nothing else
	Viewer        // sees everything, changes nothing
	Approver      // decides, if the roster allows it
	Admin         // revokes sessions, tokens and grants of others
)

var roleNames = []string{"nobody", "agent", "viewer", "approver", "admin"}

func (r Role) String() string {
	if r < 0 || int(r) >= len(roleNames) { // in a credential that somebody has damaged
		return fmt.Sprintf("role(%d)", int(r))
	}
	return roleNames[r]
}

// ParseRole reads the name of a role.
func ParseRole(name string) (Role, error) {
	if i := slices.Index(roleNames, name); i > 0 {
		return Role(i), nil
	}
	return Nobody, fmt.Errorf("%q is not a role, expected agent, viewer, approver or admin", name)
}

// ParseRoles reads NAME=ROLE and @VALUE=ROLE. Each has one role: what an issuer
// says may be empty, and is not to match a name that was left out.
func ParseRoles(list []string) (map[string]Role, error) {
	out := map[string]Role{}
	for _, item := range list {
		name, word, _ := strings.Cut(item, "=")
		role, err := ParseRole(word)
		if _, twice := out[name]; err == nil && (twice || strings.Trim(name, "@ ") == "") {
			err = errors.New("expected a name, and each name once")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", item, err)
		}
		out[name] = role
	}
	return out, nil
}

// Person is who made a request.
type Person struct {
	Name     string // in the roster
	Role     Role
	Export   bool   // they may export records
	Identity string // how they are known: authority:key_…, oidc:subject, os:1000, token:…
	// Account is whose calls they submit, as an identity; "" if that is unknown.
	Account string
	// Proved is when they last proved who they are; zero if their credential is
	// not a proof, such as anything that an agent of the same user could read.
	Proved time.Time
	// Key signs their votes; nil if each decision needs the authority secret.
	Key approvals.Signer
	// CSRF must be repeated in every form and request that changes something;
	// "" if the request did not come with a cookie.
	CSRF string
	// Credential is the id of the session or token, "" on the socket.
	Credential string
}

// submits reports whether their events are judged. An event runs hooks, uses
// approvals and ends sessions: not with a credential that may only look. On the
// socket it is the agents of that user who submit events.
func (p *Person) submits() bool { return p.Role != Viewer || p.Credential == "" }

// ProofAge is how old a proof may be for a decision.
const ProofAge = 15 * time.Minute

// Fresh reports whether the person can decide without another proof.
func (p *Person) Fresh(now time.Time) bool {
	age := now.Sub(p.Proved)
	return p.Key != nil && !p.Proved.IsZero() && age <= ProofAge && age > -time.Minute // later than now is no proof: a clock was set back
}

// MayRevoke says why this person cannot take back a grant of somebody, "" if
// they can: approvers take back their own, admins all.
func (p *Person) MayRevoke(by string) string {
	switch {
	case p.Role < Approver:
		return "You are logged in as a viewer."
	case p.Role < Admin && by != p.Name:
		return "Only " + by + " or an admin can take this back."
	}
	return ""
}

// Of is the name for rate limits.
func (p *Person) Of() string {
	return cmp.Or(p.Credential, p.Identity)
}

type personKey struct{}

// With puts a person into a context.
func With(ctx context.Context, p *Person) context.Context {
	return context.WithValue(ctx, personKey{}, p)
}

// From returns who made the request; nil if unknown.
func From(ctx context.Context) *Person {
	p, _ := ctx.Value(personKey{}).(*Person)
	return p
}
