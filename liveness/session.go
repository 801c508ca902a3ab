package liveness

import (
	"context"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/dialects"
)

// Session is one session of a project, with the ids of its tool calls that are
// in the evidence.
type Session struct {
	Host     *dialects.Host
	Dir      string // where the host keeps its settings and transcripts
	ID       string
	Project  string
	Recorded []string
}

// Gap compares the session's transcript with what was recorded. It is nil if
// nothing is missing, or there is no transcript to compare with.
func (s *Session) Gap(ctx context.Context, now time.Time) (*Gap, error) {
	if s.Host == nil || s.Host.Transcripts == nil || s.ID == "" {
		return nil, nil
	}
	of := *s.Host.Transcripts
	of.Mine = func(rel string) bool { // files are named for their sessions
		return s.Host.Transcripts.Mine(rel) && strings.Contains(path.Base(rel), s.ID)
	}
	list, err := find(ctx, filepath.Join(s.Dir, of.Below), time.Time{}, s.Project, &of)
	if err != nil {
		return nil, err
	}
	seen := &sessionSeen{calls: len(s.Recorded), ids: map[string]bool{}}
	for _, id := range s.Recorded {
		seen.ids[id] = true
	}
	for i := range list {
		if list[i].Session == s.ID {
			gap, _ := list[i].gap(seen, time.Time{}, now.Add(-settle))
			return gap, nil
		}
	}
	return nil, nil
}
