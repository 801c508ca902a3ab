package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

func (s *Server) turns(part int) []Turn {
	if part == 0 {
		return s.script.Turns
	}
	return s.script.Agents[part-1].Turns
}

// play records a request and returns the turn that answers it, its calls with
// their ids. An error is a violation, and has been recorded as one.
func (s *Server) play(r Request, idPrefix string) (Turn, error) {
	if len(r.Tools) == 0 {
		r.Side = true
		s.record(r)
		return Say(`{"title":"a scripted conversation"}`), nil
	}
	part, err := s.partOf(&r)
	if err != nil {
		return Turn{}, s.violate("%s: %w", r.Path, err)
	}
	r.Part, r.Turn = part, r.turn()
	where := fmt.Sprintf("%s: part %d turn %d", r.Path, r.Part, r.Turn)
	if err := s.checkHistory(&r, idPrefix); err != nil {
		return Turn{}, s.violate("%s: %w", where, err)
	}
	if r.Turn >= len(s.turns(part)) {
		return Turn{}, s.violate("%s: the script has only %d turns; last message: %s", where, len(s.turns(part)), brief(r.Last().Text))
	}
	if !s.record(r) {
		return Turn{}, s.violate("%s: asked for twice", where)
	}
	return s.turn(part, r.Turn, idPrefix), nil
}

// turn is a turn of the script, its calls with their ids.
func (s *Server) turn(part, n int, idPrefix string) Turn {
	t := s.turns(part)[n]
	t.Calls = slices.Clone(t.Calls)
	for i := range t.Calls {
		t.Calls[i].ID = fmt.Sprintf("%s%d_%d_%d", idPrefix, part, n, i)
	}
	return t
}

// record keeps a request. It reports false if its turn was played before.
func (s *Server) record(r Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	if r.Side {
		return true
	}
	key := [2]int{r.Part, r.Turn}
	before := s.played[key]
	s.played[key] = true
	return !before
}

// partOf finds the conversation that a request belongs to.
func (s *Server) partOf(r *Request) (int, error) {
	if len(r.Messages) == 0 {
		return 0, errors.New("no messages")
	}
	part := 0
	for i, a := range s.script.Agents {
		if !strings.Contains(r.System+r.Messages[0].Text, a.When) {
			continue
		}
		if part != 0 {
			return 0, fmt.Errorf("the first message could be agent %d's and agent %d's", part, i+1)
		}
		part = i + 1
	}
	return part, nil
}

// checkHistory checks that the conversation holds what the script said, and
// a result for each of its calls. The arguments of a call are not compared:
// a hook may have rewritten them.
func (s *Server) checkHistory(r *Request, idPrefix string) error {
	var open []string // ids of the calls that wait for their result
	n := 0
	for i, m := range r.Messages {
		var got []string
		for _, res := range m.Results {
			got = append(got, res.ID)
		}
		slices.Sort(got)
		slices.Sort(open)
		if !slices.Equal(got, open) {
			return fmt.Errorf("message %d has results for the calls %q, expected for %q", i, got, open)
		}
		open = nil
		if m.Role != "assistant" {
			continue
		}
		if n >= len(s.turns(r.Part)) {
			return fmt.Errorf("message %d: the script has only %d turns", i, n)
		}
		said := s.turn(r.Part, n, idPrefix)
		if m.Text != said.Text {
			return fmt.Errorf("message %d says %s, the script said %s", i, brief(m.Text), brief(said.Text))
		}
		if !slices.Equal(names(m.Calls), names(said.Calls)) {
			return fmt.Errorf("message %d has the calls %q, the script made %q", i, names(m.Calls), names(said.Calls))
		}
		for _, c := range m.Calls {
			open = append(open, c.ID)
		}
		n++
	}
	return nil
}

func names(calls []Call) []string {
	var out []string
	for _, c := range calls {
		out = append(out, c.Name+" "+c.ID)
	}
	return out
}

func brief(s string) string {
	const most = 200
	if len(s) > most {
		return fmt.Sprintf("%q… (%d bytes)", s[:most], len(s))
	}
	return fmt.Sprintf("%q", s)
}
