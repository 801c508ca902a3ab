package web

import (
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/mcp/proxy"
)

// free are the sessions of clients that have none: all that one user sends belongs
// together, on whatever connection it comes. What was asked, listed, counted or
// seen before counts for what follows.
type free struct {
	mu    sync.Mutex
	users map[string]*used
}

// used is a session, whose it is, and when a client was last heard of.
type used struct {
	*proxy.Session
	user string
	last time.Time
}

const (
	// idle is how long a session is remembered that nobody uses. A client that
	// comes back later is judged as one whose beginning was not seen.
	idle = time.Hour
	// maxFree is how many users without a session are remembered at a time.
	maxFree = 1000
)

// session is that of a request's user, for this request alone.
func (f *free) session(req *http.Request, make func() *proxy.Session) *proxy.Session {
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.users[authorization(req)]
	if known == nil {
		return f.keep(req, make()).Beside()
	}
	known.last = time.Now()
	return known.Beside()
}

// begin makes a session that of a request's user from now on.
func (f *free) begin(req *http.Request, s *proxy.Session) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keep(req, s)
}

func (f *free) keep(req *http.Request, s *proxy.Session) *proxy.Session {
	sweep(&f.users)
	if len(f.users) < maxFree {
		f.users[authorization(req)] = &used{Session: s, last: time.Now()}
	}
	return s
}

// sweep forgets sessions that nobody uses.
func sweep(all *map[string]*used) {
	if *all == nil {
		*all = map[string]*used{}
	}
	maps.DeleteFunc(*all, func(_ string, known *used) bool { return time.Since(known.last) > idle })
}
