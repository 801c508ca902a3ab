package flow

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
)

// How agents know of each other: each says in one file of the project that it
// is on a task (claim), that it still is (heartbeat), and that it no longer is
// (release).
const (
	livenessFile  = "liveness/events.jsonl"
	livenessTail  = 256 << 10 // what is read of its end
	claimHolds    = 30 * time.Minute
	heartbeatGap  = time.Minute
	claimEvent    = "claim"
	heartbeat     = "heartbeat"
	releasedEvent = "release"
)

// Holder is an agent that is on a task.
type Holder struct {
	Actor string
	Last  time.Time // when it was heard of last

	claimed, released bool
	holds             time.Duration
}

// Others are the other agents that are on this task at a time, by name.
func (s Session) Others(now time.Time) []Holder {
	var out []Holder
	for _, h := range s.holders() {
		if h.Actor != s.Actor && !h.released && now.Sub(h.Last) < h.holds {
			out = append(out, h)
		}
	}
	slices.SortFunc(out, func(a, b Holder) int { return strings.Compare(a.Actor, b.Actor) })
	return out
}

// holders are all agents that the end of the file tells of.
func (s Session) holders() map[string]Holder {
	out := map[string]Holder{}
	for line := range bytes.Lines(readTail(s.liveness(), livenessTail)) {
		e, err := strict.Object(bytes.TrimSpace(line), strict.Limits{})
		if err != nil || text(e, "subjectId") != s.Slug {
			continue
		}
		at, err := time.Parse(time.RFC3339, text(e, "at"))
		actor := text(e, "actor")
		if err != nil || actor == "" {
			continue
		}
		h, known := out[actor]
		if !known {
			h = Holder{Actor: actor, holds: claimHolds}
		}
		if at.After(h.Last) {
			h.Last = at
		}
		switch text(e, "type") {
		case claimEvent:
			h.claimed, h.released = true, false
			if n, ok := e["ttlSeconds"].(int64); ok && n > 0 {
				h.holds = time.Duration(min(n, int64(claimHolds/time.Second)*48)) * time.Second
			}
		case heartbeat:
			h.released = false
		case releasedEvent:
			h.released = true
		}
		out[actor] = h
	}
	return out
}

// Beat says that the agent of a session is still on its task, at most once a
// minute, or with end that it no longer is. Only who has claimed the task says
// so: a heartbeat alone is no claim.
func (s Session) Beat(ctx context.Context, stateDir string, now time.Time, end bool, getenv func(string) string) error {
	if s.Actor == "" || !livenessOn(getenv("FLOW_AGENTS_LIVENESS")) {
		return nil
	}
	h := s.holders()[s.Actor]
	gap := heartbeatGap
	if n, err := strconv.Atoi(getenv("FLOW_AGENTS_LIVENESS_HEARTBEAT_THROTTLE_SECONDS")); err == nil && n > 0 {
		gap = time.Duration(n) * time.Second
	}
	if !h.claimed || h.released || !end && now.Sub(h.Last) < gap {
		return nil
	}
	kind, source := heartbeat, "tool-activity"
	if end {
		kind, source = releasedEvent, "session-end"
	}
	line, err := canonical.Append(nil, map[string]any{"type": kind, "subjectId": s.Slug, "actor": s.Actor,
		"at": now.UTC().Format("2006-01-02T15:04:05.000Z"), "source": source})
	if err != nil {
		return err
	}
	held, err := lockOn(ctx, stateDir, s.liveness())
	if err != nil {
		return err
	}
	defer held.Unlock()
	f, err := os.OpenFile(s.liveness(), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(append(line, '\n'))
	return err
}

func (s Session) liveness() string { return filepath.Join(s.base, filepath.FromSlash(livenessFile)) }

func livenessOn(word string) bool {
	return !slices.Contains([]string{"off", "0", "false", "no", "disabled"}, strings.ToLower(Clean(word)))
}

// readTail reads the end of a regular file, from the beginning of a line on.
func readTail(path string, most int64) []byte {
	fi, err := os.Lstat(path)
	if err != nil || !fi.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	from := max(0, fi.Size()-most)
	data := make([]byte, fi.Size()-from)
	n, err := f.ReadAt(data, from)
	if err != nil && err != io.EOF {
		return nil
	}
	data = data[:n]
	if from > 0 {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	return data
}
