package server

import (
	"net/http"
	"sync"

	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/server/stream"
)

// streamCount limits the streams of one session.
type streamCount struct {
	most int
	mu   sync.Mutex
	open map[string]int
	all  int
}

func (c *streamCount) enter(who string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[who] >= c.most {
		return false
	}
	c.open[who]++
	c.all++
	return true
}

func (c *streamCount) leave(who string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all--
	if c.open[who]--; c.open[who] == 0 {
		delete(c.open, who)
	}
}

func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	s.Stream(w, r, func(events []stream.Event) [][2]string {
		out := make([][2]string, len(events))
		for i, e := range events {
			out[i] = [2]string{e.Type, string(e.Data)}
		}
		return out
	})
}

// Stream serves events to one listener, each frame as render writes it. Pages
// and the API use it.
func (s *Server) Stream(w http.ResponseWriter, r *http.Request, render func([]stream.Event) [][2]string) {
	who := auth.From(r.Context()).Of()
	if !s.streams.enter(who) {
		s.problem(w, r, http.StatusTooManyRequests, "this session already has eight streams: close one")
		return
	}
	defer s.streams.leave(who)
	s.Hub.Serve(w, r, s.ending, render)
}
