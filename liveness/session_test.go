package liveness

import (
	"fmt"
	"testing"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/claudecode"
)

// UI-15: what the transcript of one session has, and the evidence has not.
func TestSessionGap(t *testing.T) {
	w := newWorld(t)
	w.claude()
	one := func(change func(s *Session)) string {
		s := &Session{Host: &claudecode.Host, Dir: w.in.HostDir(&claudecode.Host), ID: claudeSession, Project: w.in.Project,
			Recorded: []string{"toolu_0_0_0", "toolu_0_0_1"}}
		change(s)
		g, err := s.Gap(t.Context(), now)
		if err != nil {
			t.Fatal(err)
		}
		if g == nil {
			return "none"
		}
		return fmt.Sprint(g.Recorded, " of ", g.Calls, g.Missing)
	}
	for want, got := range map[string]string{
		"1 of 2 [toolu_0_0_1]":             one(func(s *Session) { s.Recorded = []string{"toolu_0_0_0"} }),
		"0 of 2 [toolu_0_0_0 toolu_0_0_1]": one(func(s *Session) { s.Recorded = nil }),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for what, got := range map[string]string{
		"all is there":                         one(func(*Session) {}),
		"another session":                      one(func(s *Session) { s.ID, s.Recorded = "a91f", nil }),
		"another project":                      one(func(s *Session) { s.Project, s.Recorded = "/elsewhere", nil }),
		"a host whose transcripts are unknown": one(func(s *Session) { s.Host, s.Recorded = &dialects.Host{}, nil }),
	} {
		if got != "none" {
			t.Errorf("%s: %s", what, got)
		}
	}
}
