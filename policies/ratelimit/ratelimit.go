// Package ratelimit is the policy rate-limit: it limits calls per time, counted
// across all processes (FIM-43).
package ratelimit

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/state"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("rate-limit", trammel.Guard,
		"limits how many calls are allowed in a period, by tool, connector, user, agent, session, host or project",
		options{}, build, trammel.PreToolUse)
}

type options struct {
	Limits      []limit `json:"limits,omitempty" jsonschema:"The limits; a call must keep all that match it."`
	Shared      bool    `json:"shared,omitempty" jsonschema:"Whether the counts are kept in the store of approvals.store, which several machines can share, and not in this machine's files."`
	CountDenied bool    `json:"count_denied,omitempty" jsonschema:"Whether calls that are denied here count, too, so that trying again keeps the limit shut."`
}

type limit struct {
	Match []string        `json:"match,omitempty" jsonschema:"Tools it is for, as names or patterns with * and ?; a tool of an MCP server is also known as server__tool. All if it is not set."`
	By    []string        `json:"by,omitempty" jsonschema:"What is counted apart; one count for all if it is not set. By connector, it is only for tools that belong to one." enum:"tool,connector,user,agent,session,host,project"`
	Max   int64           `json:"max,omitempty" jsonschema:"How many calls may pass."`
	Per   option.Duration `json:"per,omitempty" jsonschema:"Within which time; the window slides."`
}

type policy struct {
	options
	hook  string
	state trammel.State
}

func build(o options, spec trammel.Spec) (trammel.Handler, error) {
	p := &policy{options: o, hook: spec.Hook}
	if len(p.Limits) == 0 {
		return nil, &option.Error{Key: "limits", Message: "there are none",
			Expected: "at least one, as in [{match: \"jira__*\", by: [connector, user], max: 30, per: 1m}]"}
	}
	for i := range p.Limits {
		l := &p.Limits[i]
		key := fmt.Sprintf("limits[%d]", i)
		switch {
		case l.Max <= 0:
			return nil, &option.Error{Key: key + ".max", Message: fmt.Sprintf("found %d", l.Max), Expected: "how many calls may pass, at least 1"}
		case l.Per <= 0 || time.Duration(l.Per) >= state.Retention:
			return nil, &option.Error{Key: key + ".per", Message: "found " + l.Per.String(), Expected: "a time such as 1m or 24h, at most 30 days"}
		}
	}
	var err error
	p.state, err = state.Choose(spec, o.Shared)
	return p, err
}

// Explain says what it limits.
func (p *policy) Explain() string {
	var words []string
	for i := range p.Limits {
		words = append(words, p.Limits[i].String())
	}
	return "at most " + strings.Join(words, "; ")
}

func (l *limit) String() string {
	text := fmt.Sprintf("%d calls per %s", l.Max, l.Per)
	if len(l.Match) > 0 {
		text += " of " + strings.Join(l.Match, ", ")
	}
	if len(l.By) > 0 {
		text += " by " + strings.Join(l.By, " and ")
	}
	return text
}

// Gates makes it run after the guards: a call that a guard denies is not counted,
// and nothing rewrites a call that has been counted.
func (p *policy) Gates() bool { return true }

// Handle counts the call in all matching limits, or in none.
func (p *policy) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Tool == nil || ev.Counted(p.hook) {
		return trammel.Answer{}, nil
	}
	var claims []state.Claim
	var limits []*limit
	for i := range p.Limits {
		l := &p.Limits[i]
		if !l.matches(ev) {
			continue
		}
		claims = append(claims, state.Claim{Key: l.key(ev), N: 1, Limit: l.Max, Window: time.Duration(l.Per)})
		limits = append(limits, l)
	}
	if len(claims) == 0 {
		return trammel.Answer{}, nil
	}
	// A hook of another layer may declare the same limits, but it is only one call.
	got := ev.Memo(mark(claims), func() any {
		counts, err := p.take(ctx, ev, claims)
		return result{counts, err}
	}).(result)
	if got.err != nil {
		return trammel.Answer{}, got.err
	}
	if state.Taken(got.counts) {
		return trammel.Answer{Findings: state.Duplicates(ev, got.counts)}, nil
	}
	return denial(ev, limits, got.counts), nil
}

type memoKey string

type result struct {
	counts []state.Count
	err    error
}

// take updates the store. A denied call that counts anyway is added without a
// limit, after those that are full.
func (p *policy) take(ctx context.Context, ev *trammel.Event, claims []state.Claim) ([]state.Count, error) {
	store := state.CountersOf(p.state, ev).PerCall(ev)
	counts, err := store.Take(ctx, claims...)
	if err != nil || !p.CountDenied || state.Taken(counts) {
		return counts, err
	}
	for i := range claims {
		claims[i].Limit = 0
	}
	_, err = store.Take(ctx, claims...)
	return counts, err
}

func denial(ev *trammel.Event, limits []*limit, counts []state.Count) trammel.Answer {
	out := trammel.Answer{Decision: trammel.Deny}
	var full *limit
	var opens time.Duration
	for i, c := range counts {
		if c.Room {
			continue
		}
		out.Findings = append(out.Findings, trammel.Finding{Code: "rate_limited", Severity: "warning", Target: limits[i].target(ev)})
		if full == nil || c.Opens > opens {
			full, opens = limits[i], c.Opens
		}
	}
	wait := max(opens.Round(time.Second), time.Second)
	out.Reason = fmt.Sprintf("%s has been called too often: the limit is %s. It opens again in %s, at %s. Continue with work that does not "+
		"need it, or wait until then; trying earlier is denied again.",
		full.target(ev), full, wait, ev.Now().Add(wait).UTC().Format("15:04:05 UTC"))
	return out
}

func (l *limit) matches(ev *trammel.Event) bool {
	for _, by := range l.By {
		if by == "connector" && state.Connector(ev) == "" {
			return false
		}
	}
	if len(l.Match) == 0 {
		return true
	}
	want := trammel.Match{Tools: l.Match}
	if want.Matches(ev) {
		return true
	}
	a := &ev.Tool.Action
	return a.Server != "" && want.Matches(&trammel.Event{Tool: &trammel.ToolCall{Name: a.Server + "__" + a.Tool}})
}

// key distinguishes counts: by limit, and within a limit by what it counts by.
func (l *limit) key(ev *trammel.Event) trammel.Key {
	key := make(trammel.Key, 0, 5+len(l.Match)+2*len(l.By))
	key = append(key, "rate-limit", strconv.FormatInt(l.Max, 10), l.Per.String(), "match")
	key = append(key, l.Match...)
	key = append(key, "by")
	for _, by := range l.By {
		key = append(key, by, part(ev, by))
	}
	return key
}

func part(ev *trammel.Event, by string) string {
	switch by {
	case "tool":
		return ev.Tool.Name
	case "connector":
		return state.Connector(ev)
	case "user":
		return ev.Session.User
	case "agent":
		return state.Agent(ev)
	case "session":
		return ev.Host + "/" + state.Session(ev)
	case "host":
		return ev.Host
	default:
		return ev.Session.Place()
	}
}

// target is what has been called too often.
func (l *limit) target(ev *trammel.Event) string {
	for _, by := range l.By {
		if by == "connector" {
			return state.Connector(ev)
		}
	}
	return ev.Tool.Name
}

// mark names the claims of one call.
func mark(claims []state.Claim) memoKey {
	var b strings.Builder
	for i := range claims {
		b.WriteString(strings.Join(claims[i].Key, "\x00"))
		b.WriteByte('\n')
	}
	return memoKey(b.String())
}
