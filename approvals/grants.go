package approvals

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/store"
)

// The scopes of grants.
const (
	ScopeOnce    = "once"    // a person allows one denied call
	ScopeSession = "session" // calls like the approved one, in the same session
	ScopeRule    = "rule"    // calls like the approved one, in the same project
)

// How long grants last.
const (
	MaxGrant     = 24 * time.Hour
	DefaultGrant = time.Hour
	DefaultOnce  = 10 * time.Minute
)

// Granter is who grants, and the proof.
type Granter struct {
	Identity string
	Signer   Signer
	Reason   string
	For      time.Duration
}

// Lasts reports whether a grant can last as long as is asked for.
func (g *Granter) Lasts() bool {
	return g.For > 0 && g.For <= MaxGrant
}

func errLasts() error {
	return refuse(RefusedState, "a grant lasts %s at most", Span(MaxGrant))
}

// Grant lets calls through without asking if they are similar to an approved
// one. The granter must be able to decide alone.
func (s *Service) Grant(ctx context.Context, a *store.Approval, scope string, match CallPattern, by Granter) (*store.Grant, error) {
	who, err := s.MayGrant(a, scope, by)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(match)
	if err != nil {
		return nil, err
	}
	g := &store.Grant{Scope: scope, By: who, From: a.ID, Hooks: []string{a.Hook}, Policy: a.PolicyDigest, Project: a.Project, Host: a.Host,
		Tool: a.Tool, Match: text}
	if scope == ScopeSession {
		g.Session = a.First().Session
	}
	return g, s.put(ctx, g, by)
}

// MayGrant returns who would grant, or why this cannot be granted. Ask before
// the vote: otherwise the call is approved, and the grant is refused.
func (s *Service) MayGrant(a *store.Approval, scope string, by Granter) (who string, err error) {
	who, known := s.person(by.Identity)
	switch {
	case scope != ScopeSession && scope != ScopeRule:
		return "", refuse(RefusedState, "%q is not the scope of a grant, expected session or rule", scope)
	case scope == ScopeSession && a.First().Session == "":
		return "", refuse(RefusedState, "the agent has no session id, so nothing can be granted for its session")
	case !by.Lasts():
		return "", errLasts()
	case !known || !s.eligible(a, who, s.Now()):
		return "", refuse(RefusedNotApprover, "%s is not an approver of this: it needs %s", by.Identity, needs(a))
	case !s.enoughVotes(a, []string{who}, escalated(a, s.Now())):
		return "", refuse(RefusedNotApprover, "it needs %s, so nobody can grant it alone", needs(a))
	case a.Edit != nil:
		return "", refuse(RefusedState, "an edited call can only be approved once: the next request will have the original arguments")
	}
	return who, nil
}

// put signs and stores a grant.
func (s *Service) put(ctx context.Context, g *store.Grant, by Granter) error {
	if !by.Lasts() {
		return errLasts()
	}
	now := s.Now()
	g.ID, g.Reason, g.Created, g.Expires = newID("grn_"), by.Reason, store.At(now), store.At(now.Add(by.For))
	var err error
	if g.Key, g.Proof, err = sign(by.Signer, grantStatement(g)); err != nil {
		return err
	}
	if !s.proved(g.Key, grantStatement(g), g.Proof, g.By) {
		return refuse(RefusedNotApprover, "the key %s does not speak for %s here", g.Key, g.By)
	}
	note := s.grantNote("made", g, nil)
	if err := s.Store.PutGrant(ctx, g, note); err != nil {
		return err
	}
	_ = s.record(ctx, []store.Note{note}) // the grant is valid; its note is recorded before it is used
	return nil
}

// Granted uses a grant that answers a request. It returns nil if there is none,
// or if this exact call was approved and should use that approval.
func (s *Service) Granted(ctx context.Context, r *Request) (*store.Grant, error) {
	digest, err := Digest(r.Event, r.Policy)
	if err != nil {
		return nil, err
	}
	approved, err := s.Store.Approvals(ctx, store.Query{States: []store.State{store.Approved}, Digest: digest})
	if err != nil {
		return nil, err
	}
	for _, a := range approved {
		if s.due(a) == store.Approved && a.Unused(r.Event.Session.ID, r.Event.Session.AgentID) >= 0 {
			return nil, nil
		}
	}
	asked := &store.Approval{Needs: r.Needs, User: r.User, Account: r.Event.Session.Account, Created: store.At(s.Now())}
	return s.use(ctx, r.Event, func(g *store.Grant) bool {
		return g.Scope != ScopeOnce && slices.Equal(g.Hooks, []string{r.Hook}) && g.Policy == r.Policy &&
			(g.Scope == ScopeRule || g.Session != "" && g.Session == r.Event.Session.ID) &&
			s.eligible(asked, g.By, s.Now()) && s.enoughVotes(asked, []string{g.By}, 0) && PatternIn(g).Fits(r.Event)
	})
}

// use finds a matching grant and counts the use. It skips grants that are used
// up.
func (s *Service) use(ctx context.Context, ev *trammel.Event, fits func(g *store.Grant) bool) (*store.Grant, error) {
	if ev.Tool == nil {
		return nil, nil
	}
	all, err := s.grants(ctx, ev)
	if err != nil {
		return nil, err
	}
	holds := func(g *store.Grant) bool { return s.grantApplies(g, ev) && fits(g) }
	for _, g := range all {
		if !holds(g) {
			continue
		}
		use := -1
		var notes []store.Note
		got, err := s.Store.ChangeGrant(ctx, g.ID, func(g *store.Grant) ([]store.Note, error) {
			if !holds(g) {
				return nil, refuse(RefusedState, "the grant is used up")
			}
			if use = g.Uses; g.Most > 0 {
				if err := s.unspent(ctx, spentUse(g, use)); err != nil {
					return nil, err
				}
			}
			if err := s.unspent(ctx, spentUse(g, revokedUse)); err != nil {
				return nil, err
			}
			g.Uses, g.Last = g.Uses+1, store.At(s.Now())
			notes = []store.Note{s.grantNote("used", g, ev)}
			return notes, nil
		})
		var refusal *Refusal
		switch {
		case errors.As(err, &refusal):
			continue
		case err != nil:
			return nil, err
		}
		if err := s.spendOn(ctx, spentUse(got, use), ev); err != nil {
			return nil, err
		}
		if err := s.record(ctx, notes); err != nil {
			return got, err
		}
		return got, s.OnRecord(ctx, got.ID)
	}
	return s.repeatedUse(ctx, ev, holds, true)
}

// grantApplies reports whether a grant can apply to such a call.
func (s *Service) grantApplies(g *store.Grant, ev *trammel.Event) bool {
	return s.Live(g) && isAbout(g, ev)
}

func isAbout(g *store.Grant, ev *trammel.Event) bool {
	return g.Project == ev.Session.Project && g.Host == ev.Host && g.Tool == ev.Tool.Name
}

// Live reports whether a grant can be used: it is signed by somebody who may,
// it has not expired, and it is neither used up nor revoked.
func (s *Service) Live(g *store.Grant) bool {
	now := s.Now()
	return g.Revoked.IsZero() && (g.Most == 0 || g.Uses < g.Most) && now.Before(g.Expires.Time) && !now.Before(g.Created.Add(-time.Minute)) &&
		s.proved(g.Key, grantStatement(g), g.Proof, g.By)
}

// grants lists the grants for such a call. It revokes those whose time is over:
// they stay over if the clock is set back.
func (s *Service) grants(ctx context.Context, ev *trammel.Event) ([]*store.Grant, error) {
	all, err := s.Store.Grants(ctx)
	all = slices.DeleteFunc(all, func(g *store.Grant) bool { return !isAbout(g, ev) })
	for _, g := range all {
		if err == nil && g.Revoked.IsZero() && !s.Now().Before(g.Expires.Time) {
			_, err = s.Revoke(ctx, g.ID, "the end of its time")
		}
	}
	return all, err
}

// revokedUse marks the remaining uses of a revoked grant.
const revokedUse = -1

// Revoke revokes a grant.
func (s *Service) Revoke(ctx context.Context, id, who string) (*store.Grant, error) {
	var notes []store.Note
	g, err := s.Store.ChangeGrant(ctx, id, func(g *store.Grant) ([]store.Note, error) {
		if notes = nil; !g.Revoked.IsZero() {
			return nil, nil
		}
		g.Revoked, g.Revoker = store.At(s.Now()), who
		notes = []store.Note{s.grantNote("revoked", g, nil)}
		return notes, nil
	})
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, refuse(RefusedUnknown, "there is no grant %s", id)
	case err != nil:
		return nil, err
	}
	if err := s.spend(ctx, spentUse(g, revokedUse), ""); err != nil {
		return nil, err
	}
	_ = s.record(ctx, notes) // it is revoked, even if that is not recorded yet
	return g, nil
}

// endGrants revokes the grants for a session that has ended.
func (s *Service) endGrants(ctx context.Context, session string) error {
	all, err := s.Store.Grants(ctx)
	if err != nil || session == "" {
		return err
	}
	for _, g := range all {
		if g.Scope == ScopeSession && g.Session == session && s.Live(g) {
			if _, err := s.Revoke(ctx, g.ID, "the end of the session"); err != nil {
				return err
			}
		}
	}
	return nil
}

// grantNote is the note about a change of a grant, and the call that used it.
func (s *Service) grantNote(kind string, g *store.Grant, ev *trammel.Event) store.Note {
	data := map[string]any{"grant": g.ID, "scope": g.Scope, "by": g.By, "hooks": g.Hooks, "tool": g.Tool, "host": g.Host, "uses": g.Uses,
		"until": g.Expires, "key": g.Key}
	for name, text := range map[string]string{"why": g.Reason, "from": g.From, "digest": g.Digest, "match": string(g.Match),
		"session": g.Session, "revoker": g.Revoker} {
		if text != "" {
			data[name] = text
		}
	}
	what := g.Scope + ", granted by " + g.By
	if g.Revoker != "" {
		what += ", revoked by " + g.Revoker
	}
	if g.Reason != "" {
		what += ": " + g.Reason
	}
	data["what"] = what
	if ev != nil {
		data["used_by"] = map[string]string{"session": ev.Session.ID, "agent": ev.Session.AgentID, "call": ev.Tool.ID}
	}
	return s.newNote("grant."+kind, g.Project, g.ID, data)
}

// PatternIn is the pattern of a grant. One that cannot be read matches nothing.
func PatternIn(g *store.Grant) *CallPattern {
	n := &CallPattern{}
	dec := json.NewDecoder(strings.NewReader(string(g.Match)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(n); err != nil {
		return &CallPattern{}
	}
	return n
}
