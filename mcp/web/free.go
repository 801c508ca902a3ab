package web

import (
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/mcp/proxy"
)

// free holds a session for each user whose client has none: everything that a
// user sends belongs together, whatever the connection. Earlier questions,
// lists, counts and events affect later requests.
type free struct {
	mu    sync.Mutex
	users map[string]*used
}

// used is a session, its owner, and when it was last used.
type used struct {
	*proxy.Session
	user string
	last time.Time
}

const (
	// idle is how long an unused session is remembered. A client that comes
	// back later is judged without its history.
	idle = time.Hour
	// maxSessions is how many sessions are remembered at a time.
	maxSessions = 1000
)

// session is that of a request's user, for this request alone.
func (f *free) session(req *http.Request, make func() *proxy.Session) *proxy.Session {
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.users[authorization(req)]
	if known == nil {
		return f.remember(req, make()).Beside()
	}
	known.last = time.Now()
	return known.Beside()
}

// begin assigns a session to the user of a request.
func (f *free) begin(req *http.Request, s *proxy.Session) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.remember(req, s)
}

func (f *free) remember(req *http.Request, s *proxy.Session) *proxy.Session {
	put(&f.users, authorization(req), &used{Session: s, last: time.Now()})
	return s
}

// put remembers a session, and forgets unused ones. If there are too many, it
// forgets the least recently used.
func put(all *map[string]*used, key string, s *used) {
	if *all == nil {
		*all = map[string]*used{}
	}
	maps.DeleteFunc(*all, func(_ string, known *used) bool { return time.Since(known.last) > idle })
	if len(*all) >= maxSessions {
		delete(*all, slices.MinFunc(slices.Collect(maps.Keys(*all)), func(a, b string) int { return (*all)[a].last.Compare((*all)[b].last) }))
	}
	(*all)[key] = s
}
