package state

import (
	"context"
	"time"

	"github.com/trammel-dev/trammel"
)

var told = trammel.Bucket{Name: "told", Keep: 30 * 24 * time.Hour, Most: 10_000, Lossy: true}

// Tell is an answer that tells the model a text, unless the session was told
// the same last. It is told always, if that is wanted, to each new turn and when
// a session begins. The key of what was told is the session with name and more.
func Tell(ctx context.Context, s trammel.State, ev *trammel.Event, text string, always bool, name string, more ...string) trammel.Answer {
	answer := trammel.Answer{Context: []string{text}}
	if always || ev.Kind == trammel.TurnStart || ev.Session.ID == "" {
		return answer
	}
	changed, err := isNews(ctx, s, ev, text, append([]string{name, ev.Host, ev.Session.ID, ev.Session.AgentID}, more...)...)
	if err != nil {
		answer.Diagnostics = []string{err.Error()}
	}
	if !changed && ev.Kind != trammel.SessionStart {
		return trammel.Answer{}
	}
	return answer
}

// News reports whether a session has not been told a text under a name, and
// remembers it. Where a host names no session, it is what runs in the same
// directory.
func News(ctx context.Context, s trammel.State, ev *trammel.Event, text, name string) bool {
	if s == nil {
		return true
	}
	news, _ := isNews(ctx, s, ev, text, name, ev.Host, Session(ev))
	return news
}

// NewsIn is News for everybody who works in a project with the same agent. Where
// nothing is remembered, it is news when a session begins.
func NewsIn(ctx context.Context, s trammel.State, ev *trammel.Event, text, name, project string) bool {
	if s == nil {
		return ev.Kind == trammel.SessionStart
	}
	news, err := isNews(ctx, s, ev, text, name, ev.Host, project)
	return news && (err == nil || ev.Kind == trammel.SessionStart)
}

// isNews remembers what a session was told last under a key, which is made of its
// parts, and reports whether the text is another one. A text is kept as its
// digest. If it cannot remember, the text counts as changed: told twice is
// better than not at all. In a rehearsal nothing is remembered.
func isNews(ctx context.Context, s trammel.State, ev *trammel.Event, text string, parts ...string) (changed bool, err error) {
	changed = true
	err = Store{s, &told, ev.Rehearsal}.Update(ctx, parts, func(old []byte) ([]byte, error) {
		now := Digest(text)
		changed = string(old) != now
		return []byte(now), nil
	})
	return changed, err
}
