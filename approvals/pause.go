package approvals

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/overrule"
)

// Pause is a person's order that hooks only record what they would have
// answered, for a fixed time (TEAM-28). Like a vote it counts because it is
// signed, with the key that the authority secret unlocks.
type Pause struct {
	Start   time.Time `json:"start"`
	Seconds int64     `json:"seconds"`
	By      string    `json:"by"`
	Reason  string    `json:"reason"`
	Key     string    `json:"key"`
	Proof   []byte    `json:"proof"`
}

// MaxPause is the maximum length of a pause.
const MaxPause = time.Hour

// Until is when the pause ends.
func (p *Pause) Until() time.Time { return p.Start.Add(time.Duration(p.Seconds) * time.Second) }

func (p *Pause) statement() []byte {
	return array("trammel-pause-v1", fmt.Sprint(p.Start.UnixMicro()), fmt.Sprint(p.Seconds), p.By, p.Reason)
}

// Pause starts a pause, and stores it where hooks look for it.
func (s *Service) Pause(state string, by Granter) (*Pause, error) {
	who, known := s.person(by.Identity)
	switch {
	case !known:
		return nil, refuse(RefusedNotApprover, "%s is not a known approver", by.Identity)
	case strings.TrimSpace(by.Reason) == "":
		return nil, refuse(RefusedComment, "give a reason: it is recorded")
	case by.For < time.Second || by.For > MaxPause:
		return nil, refuse(RefusedState, "a pause lasts %s at most, and a second at least", Span(MaxPause))
	}
	p := &Pause{Start: s.Now().UTC().Truncate(time.Microsecond), Seconds: int64(by.For / time.Second), By: who, Reason: by.Reason}
	var err error
	if p.Key, p.Proof, err = sign(by.Signer, p.statement()); err != nil {
		return nil, err
	}
	if err := s.holdsPause(p); err != nil {
		return nil, err
	}
	data, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	path := overrule.PauseFile(state)
	if err := files.Replace(path, data); err != nil {
		return nil, err
	}
	return p, os.Chtimes(path, p.Until(), p.Until())
}

// maxPauseFile is the maximum size of its file.
const maxPauseFile = 8 << 10

// Paused reads the current pause. If anything is wrong with it, there is none,
// and the error says why.
func (s *Service) Paused(state string) (*Pause, error) {
	path := overrule.PauseFile(state)
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxPauseFile {
		return nil, fmt.Errorf("%s is not a small regular file", path)
	}
	data, err := files.ReadInside(filepath.Dir(path), filepath.Base(path), maxPauseFile)
	if err != nil {
		return nil, err
	}
	p := &Pause{}
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", path, err)
	}
	return p, s.holdsPause(p)
}

func (s *Service) holdsPause(p *Pause) error {
	now := s.Now()
	public, ok := s.Keys.Authority[p.Key]
	switch {
	case p.Seconds < 1 || p.Seconds > int64(MaxPause/time.Second):
		return refuse(RefusedState, "the pause would last %d seconds", p.Seconds)
	case p.Start.After(now):
		return refuse(RefusedClock, "the pause begins in the future")
	case !now.Before(p.Until()):
		return refuse(RefusedState, "the pause has ended")
	case !ok || !s.owns(p.Key, p.By) || !ed25519.Verify(public, p.statement(), p.Proof):
		return refuse(RefusedNotApprover, "the pause is not signed by somebody who may decide here")
	}
	return nil
}
