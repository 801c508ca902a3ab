package web

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/proxy"
)

// Relay is a proxy between clients that reach it over HTTP and a server behind
// a URL. Each request becomes one request to the server, and its response is
// the server's, including status, headers, sessions and event ids.
type Relay struct {
	Upstream *Upstream
	// NewSession makes what judges a client's messages.
	NewSession func() *proxy.Session
	// Gate decides who may use it, if the relay itself is the protected
	// resource; nil if credentials are relayed to the server.
	Gate *Gate

	// With a gate, all users share our credentials at the server: only we know
	// the owner of a task, and who has seen an event.
	tasks, events proxy.Claims

	mu       sync.Mutex
	sessions map[string]*used // by the id that the server gave them
	free     free
	old      Front // for servers that only support the streams of 2024-11-05
}

// ServeHTTP handles one request. The client cannot choose the server.
func (r *Relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if r.Gate == nil && isMetadata(req) && local(req) {
		r.metadata(w, req)
		return
	}
	if req = admits(w, req, r.Upstream.Path(), r.Gate); req == nil {
		return // it was answered
	}
	switch {
	case r.anothers(req):
		http.NotFound(w, req)
	case strings.HasPrefix(req.Header.Get(sessionHeader), ours):
		r.old.carry(w, req)
	case req.Method == http.MethodPost:
		r.post(w, req)
	case req.Method == http.MethodGet, req.Method == http.MethodDelete:
		r.other(w, req)
	default:
		notAllowed(w)
	}
}

func notAllowed(w http.ResponseWriter) {
	w.Header().Set("Allow", "GET, POST, DELETE")
	http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
}

func (r *Relay) post(w http.ResponseWriter, req *http.Request) {
	x := &exchange{relay: r, w: w, req: req, status: http.StatusOK, message: &frame.Message{}}
	body, err := whole(req.Body, r.Upstream.Max)
	if err != nil {
		x.refuse(http.StatusRequestEntityTooLarge, err)
		return
	}
	m, err := frame.Parse(body)
	if err != nil && !frame.IsBatch(body) {
		x.refuse(http.StatusBadRequest, err)
		return
	}
	if m != nil {
		x.message = m
	}
	x.body, x.session = body, r.session(req, x.message.Method == "initialize")
	if why := mismatch(req.Header, x.message, x.tool(x.message)); why != "" {
		x.refuse(http.StatusBadRequest, &frame.Refused{Code: headerMismatch, Why: why, ID: x.message.ID})
		return
	}
	if rest := x.session.Client(req.Context(), body, x.link()); rest != nil {
		rest()
	}
	x.finish()
}

// other handles a GET, which opens the stream for messages without a request,
// or a DELETE, which ends the session.
func (r *Relay) other(w http.ResponseWriter, req *http.Request) {
	if last := req.Header.Get(lastHeader); last != "" && userOf(req) != "" && !r.events.Has(userOf(req), last) {
		http.NotFound(w, req) // it belongs to another user's stream
		return
	}
	x := &exchange{relay: r, w: w, req: req, message: &frame.Message{}, session: r.session(req, false), sent: true}
	x.carry(req.Method, passed(req.Header), nil, true)
	x.finish()
	if req.Method == http.MethodDelete {
		r.mu.Lock()
		delete(r.sessions, req.Header.Get(sessionHeader))
		r.mu.Unlock()
	}
}

// anothers reports whether a request names a session that is not known to
// belong to its user. The server cannot check that: all users share our
// credentials.
func (r *Relay) anothers(req *http.Request) bool {
	id, user := req.Header.Get(sessionHeader), userOf(req)
	if user == "" || id == "" || strings.HasPrefix(id, ours) { // our own are checked where they are stored
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.sessions[id]
	return known == nil || known.user != user
}

// session finds the session that judges a request: the client's, or the one for
// all requests of its user that have none. The first request of a session
// starts a new one.
func (r *Relay) session(req *http.Request, begins bool) *proxy.Session {
	make := func() *proxy.Session {
		s := r.NewSession()
		if s.User = userOf(req); s.User != "" {
			s.Tasks = &r.tasks
		}
		return s
	}
	if begins {
		return make()
	}
	r.mu.Lock()
	known := r.sessions[req.Header.Get(sessionHeader)]
	if known != nil {
		known.last = time.Now()
	}
	r.mu.Unlock()
	if known != nil {
		return known.Session
	}
	return r.free.session(req, make) // naming an unknown session does not start a new one
}

// remember stores the session that a server has started or continued.
func (r *Relay) remember(req *http.Request, resp *http.Response, s *proxy.Session, begins bool) {
	id := resp.Header.Get(sessionHeader)
	if id == "" {
		id = req.Header.Get(sessionHeader)
	}
	if resp.StatusCode >= 300 {
		return
	}
	if id == "" {
		if begins {
			r.free.begin(req, s)
		}
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sessions[id] == nil {
		put(&r.sessions, id, &used{s, userOf(req), time.Now()})
	}
}

// Serve handles requests until the context ends.
func (r *Relay) Serve(ctx context.Context, l net.Listener) error {
	defer r.old.running.Wait()
	ctx, end := context.WithCancel(ctx)
	defer end()
	r.old = Front{Path: r.Upstream.Path(), NewSession: r.NewSession, Run: r.runOld, Max: r.Upstream.Max, base: ctx}
	return serve(ctx, &http.Server{Handler: r}, l)
}

// serve handles requests until the context ends.
func serve(ctx context.Context, server *http.Server, l net.Listener) error {
	server.ReadHeaderTimeout = 10 * time.Second
	server.BaseContext = func(net.Listener) context.Context { return ctx }
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
