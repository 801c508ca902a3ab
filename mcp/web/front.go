package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/proxy"
)

// Front lets HTTP clients reach servers that use two streams: a program, or a
// server that only supports the streams of 2024-11-05. Each session of a client
// has a proxy of its own, with its own server. Messages are only transported
// here; the proxy judges them.
type Front struct {
	// Path is where clients reach it.
	Path string
	// NewSession makes what judges a client's messages.
	NewSession func() *proxy.Session
	// Run is a proxy on two streams. It returns when in or the server has
	// ended, and leaves nothing running. header is that of the client's first
	// request.
	Run func(ctx context.Context, s *proxy.Session, header http.Header, in io.Reader, out io.Writer)
	// Max is the size of the largest message.
	Max int
	// Gate decides who may connect; nil lets in everybody on this machine.
	Gate *Gate

	mu       sync.Mutex
	sessions map[string]*dialog
	shared   []*dialog // of clients without sessions
	free     free
	base     context.Context
	running  sync.WaitGroup
}

// ours is the prefix of session ids that we made.
const ours = "trammel-"

// maxDialogs is how many clients there may be at a time: each is a process.
const maxDialogs = 64

// Serve handles requests until the context ends, and then waits until
// everything that it ran has ended.
func (f *Front) Serve(ctx context.Context, l net.Listener) error {
	defer f.running.Wait()
	ctx, end := context.WithCancel(ctx)
	defer end()
	f.base = ctx
	return serve(ctx, &http.Server{Handler: f}, l)
}

// ServeHTTP handles one request.
func (f *Front) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req = admits(w, req, f.Path, f.Gate); req != nil {
		f.carry(w, req)
	}
}

func (f *Front) carry(w http.ResponseWriter, req *http.Request) {
	switch {
	case req.Method == http.MethodPost:
		raw, err := whole(req.Body, f.Max)
		if err != nil {
			f.refuse(w, req, http.StatusRequestEntityTooLarge, err)
			return
		}
		f.post(w, req, raw)
	case req.Method == http.MethodGet, req.Method == http.MethodDelete:
		f.other(w, req)
	default:
		notAllowed(w)
	}
}

// post handles a message of a client.
func (f *Front) post(w http.ResponseWriter, req *http.Request, raw []byte) {
	m, err := frame.Parse(raw)
	if err != nil {
		f.refuse(w, req, http.StatusBadRequest, err)
		return
	}
	if code, why := wrongHeaders(req.Header, m); why != "" {
		f.refuse(w, req, http.StatusBadRequest, &frame.Refused{Code: code, Why: why, ID: m.ID})
		return
	}
	d, s, status := f.dialog(w, req, m)
	if d == nil {
		http.Error(w, http.StatusText(status), status)
		return
	}
	if m.Kind != frame.Request {
		d.say(m, raw)
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if s == nil {
		f.refuse(w, req, http.StatusBadRequest, &frame.Refused{Code: frame.InvalidRequest, ID: m.ID,
			Why: "a request with this id is still waiting for its response"})
		return
	}
	defer d.removeStream(s)
	d.say(m, raw)
	s.carry(w, req, m)
	if req.Context().Err() != nil && versionOf(m) >= modern { // which is how such a request is cancelled
		d.say(&frame.Message{}, proxy.Cancelled(m.ID))
	}
}

// refuse answers a message that reaches no server, and records that.
func (f *Front) refuse(w http.ResponseWriter, req *http.Request, status int, err error) {
	f.session(req).RefuseClient(err, proxy.Link{ToClient: func(raw []byte) error { return fail(w, status, raw) }})
}

// other handles a GET, which opens the stream for messages without a request,
// or a DELETE, which ends the session.
func (f *Front) other(w http.ResponseWriter, req *http.Request) {
	id := req.Header.Get(sessionHeader)
	d := f.known(req)
	switch {
	case id == "":
		notAllowed(w)
	case d == nil:
		http.NotFound(w, req)
	case req.Method == http.MethodDelete:
		f.forget(id)
		d.in.Close()
		w.WriteHeader(http.StatusNoContent)
	default:
		s, ok := d.listen()
		if !ok {
			http.Error(w, "Conflict: this session already has a stream", http.StatusConflict)
			return
		}
		defer d.removeStream(s)
		s.carry(w, req, nil)
	}
}

// dialog finds the dialog of a message and, for a request, the stream of its
// response; or the error to answer with.
func (f *Front) dialog(w http.ResponseWriter, req *http.Request, m *frame.Message) (d *dialog, s *stream, status int) {
	id := req.Header.Get(sessionHeader)
	switch {
	case id != "":
		d, status = f.known(req), http.StatusNotFound
	case m.Method == "initialize":
		id = ours + rand.Text()
		d, status = &dialog{single: true}, http.StatusServiceUnavailable
		if d = f.begin(req, d, f.session(req), func() { f.sessions[id] = d }, func() { f.forget(id) }); d != nil {
			w.Header().Set(sessionHeader, id)
		}
	case versionOf(m) >= modern || req.Header.Get(versionHeader) >= modern:
		d, s = f.anyone(req, m)
		return d, s, http.StatusServiceUnavailable
	default:
		status = http.StatusBadRequest
	}
	if d != nil {
		s = d.expect(m)
	}
	return d, s, status
}

// authorization identifies the user of a request: the one the gate has let in,
// or the one with these credentials.
func authorization(req *http.Request) string {
	return cmp.Or(userOf(req), req.Header.Get("Authorization"))
}

// known is the dialog of a client's session. No other client can use it.
func (f *Front) known(req *http.Request) *dialog {
	f.mu.Lock()
	defer f.mu.Unlock()
	d := f.sessions[req.Header.Get(sessionHeader)]
	if d == nil || d.authorization != authorization(req) {
		return nil
	}
	return d
}

// anyone is a dialog for a message without a session. For a request, no other
// request in it has the same id.
func (f *Front) anyone(req *http.Request, m *frame.Message) (*dialog, *stream) {
	f.mu.Lock()
	shared := f.shared
	f.mu.Unlock()
	for _, d := range shared {
		if d.authorization != authorization(req) {
			continue
		}
		if s := d.expect(m); s != nil || m.Kind != frame.Request {
			return d, s
		}
	}
	d := &dialog{}
	s := d.expect(m)
	session := f.free.session(req, func() *proxy.Session { return f.session(req) })
	return f.begin(req, d, session, func() { f.shared = append(slices.Clone(f.shared), d) }, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.shared = without(f.shared, d)
	}), s
}

// session is a new session of a request's user.
func (f *Front) session(req *http.Request) *proxy.Session {
	s := f.NewSession()
	s.User = userOf(req)
	return s
}

// begin begins a dialog: nil if there are too many.
func (f *Front) begin(req *http.Request, d *dialog, s *proxy.Session, add, ended func()) *dialog {
	in, to := io.Pipe()
	d.in, d.lines, d.authorization, d.last = to, frame.NewWriter(to), authorization(req), time.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sweep()
	if len(f.sessions)+len(f.shared) >= maxDialogs {
		return nil
	}
	if f.sessions == nil {
		f.sessions = map[string]*dialog{}
	}
	add()
	header := req.Header.Clone()
	f.running.Go(func() {
		defer context.AfterFunc(f.base, func() { to.Close() })()
		f.Run(f.base, s, header, in, d)
		in.CloseWithError(io.ErrClosedPipe)
		ended()
		d.end()
	})
	return d
}

// sweep ends unused sessions.
func (f *Front) sweep() {
	for _, d := range f.sessions {
		if d.idle() {
			d.in.Close() // and then it ends
		}
	}
}

func (f *Front) forget(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.sessions, id)
}
