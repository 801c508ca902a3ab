package web

import (
	"bytes"
	"net/http"
	"strings"
	"sync"

	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/proxy"
	"github.com/trammel-dev/trammel/mcp/sse"
)

// exchange is one request of a client over HTTP, and its response.
type exchange struct {
	relay   *Relay
	session *proxy.Session
	req     *http.Request
	body    []byte
	message *frame.Message

	open sync.WaitGroup // writers that are still running

	mu        sync.Mutex
	w         http.ResponseWriter
	status    int
	sent      bool // the client's message was passed on
	begun     bool // the response's headers are written
	stream    bool // it is a stream of events
	resumable bool // the client can ask for the rest of it
}

// link is where judged messages go: to the server as requests of their own, and
// to the client on this response.
func (x *exchange) link() proxy.Link {
	return proxy.Link{ToServer: x.toServer, ToClient: x.toClient}
}

// tool is what is known about the tool that a message calls.
func (x *exchange) tool(m *frame.Message) map[string]any {
	if name, _ := nameOf(m); m.Method == "tools/call" {
		return x.session.Tool(name)
	}
	return nil
}

// toServer sends a message on. It does not wait for the response. The response
// to the client's own message becomes our response; other messages are the
// session's own questions and answers.
func (x *exchange) toServer(raw []byte) error {
	x.mu.Lock()
	own := !x.sent && (frame.IsBatch(raw) || frame.PeekID(raw) == x.message.ID)
	x.sent = x.sent || own
	x.mu.Unlock()
	header := passed(x.req.Header)
	header.Del(lastHeader)
	header.Set("Content-Type", jsonBody)
	if !own || !bytes.Equal(raw, x.body) {
		if m, err := frame.Parse(raw); err == nil && (header.Get(versionHeader) >= modern || header.Get(methodHeader) != "") {
			repeat(header, m, x.tool(m))
		}
	}
	x.open.Go(func() { x.carry(http.MethodPost, header, raw, own) })
	return nil
}

// carry sends a request to the server, and judges and passes on what comes back.
// If it is the client's own, its response becomes our response.
func (x *exchange) carry(method string, header http.Header, raw []byte, own bool) {
	up := x.relay.Upstream
	resp, err := up.do(x.req.Context(), method, header, raw)
	if err != nil {
		if own {
			x.lost(err)
		}
		return
	}
	defer resp.Body.Close()
	if own && mayBeOld(x.message, resp) && x.relay.isOld(x.req) {
		x.mu.Lock()
		x.begun = true
		x.mu.Unlock()
		x.relay.old.post(x.w, x.req, x.body)
		return
	}
	if own {
		x.relay.remember(x.req, resp, x.session, x.message.Method == "initialize")
	}
	if content(resp) == eventStream && resp.StatusCode < 300 {
		if own {
			x.begin(resp, true)
		}
		up.events(resp.Body, x.event)
		return
	}
	body, err := whole(resp.Body, up.Max)
	switch {
	case err != nil:
		x.answered(resp, nil, err)
	case content(resp) == jsonBody && len(body) > 0 && isMessage(body):
		x.answered(resp, body, nil)
	case own && (resp.StatusCode >= 400 || len(bytes.TrimSpace(body)) == 0):
		x.words(resp, body[:min(len(body), 64<<10)])
	case own:
		x.answered(resp, nil, &frame.Refused{Code: frame.InternalError, Why: "it is neither JSON nor a stream of events", ID: x.message.ID})
	}
}

func isMessage(body []byte) bool {
	_, err := frame.Parse(body)
	return err == nil || frame.IsBatch(body)
}

// answered judges a response that is one message.
func (x *exchange) answered(resp *http.Response, body []byte, err error) {
	head := x.link()
	head.ToClient = func(raw []byte) error {
		x.write(resp, raw)
		return nil
	}
	if err != nil {
		x.session.RefuseServer(err, head)
		return
	}
	x.run(x.session.Server(x.req.Context(), body, head))
}

// event judges one event of a stream.
func (x *exchange) event(e *sse.Event, err error) {
	if err != nil {
		x.session.RefuseServer(err, x.link())
		return
	}
	if id, ok := e.ID(); ok {
		if user := userOf(x.req); user != "" {
			x.relay.events.Claim(user, id)
		}
		x.mu.Lock()
		x.resumable = true
		x.mu.Unlock()
	}
	data := bytes.TrimSpace(e.Data())
	if len(data) == 0 {
		x.put(e.Raw())
		return
	}
	l, used := x.link(), false
	l.ToClient = func(raw []byte) error {
		x.mu.Lock()
		mine := !used
		used = true
		x.mu.Unlock()
		switch {
		case !mine:
			return x.toClient(raw)
		case bytes.Equal(raw, data):
			x.put(e.Raw())
		default:
			x.put(e.With(raw))
		}
		return nil
	}
	if rest := x.session.Server(x.req.Context(), data, l); rest != nil {
		x.run(rest)
		return
	}
	x.mu.Lock()
	gone := !used
	x.mu.Unlock()
	if _, ok := e.ID(); gone && ok {
		x.put(e.With(nil)) // it counts as seen, even without data
	}
}

// run runs a slow part concurrently.
func (x *exchange) run(rest func()) {
	if rest != nil {
		x.open.Go(rest)
	}
}

// words passes on text from the server that is not a message. As the answer to
// a request it is judged like an error with this text.
func (x *exchange) words(resp *http.Response, body []byte) {
	text := strings.ToValidUTF8(string(body), "\uFFFD")
	if x.message.Kind != frame.Request || strings.TrimSpace(text) == "" {
		x.begin(resp, false)
		x.w.Write(body)
		return
	}
	failure := proxy.Failure(x.message.ID, frame.ServerGone, text)
	l := x.link()
	l.ToClient = func(raw []byte) error {
		if bytes.Equal(raw, failure) {
			x.begin(resp, false)
			x.w.Write(body)
			return nil
		}
		resp.Header.Set("Content-Type", jsonBody)
		x.write(resp, raw)
		return nil
	}
	x.run(x.session.Server(x.req.Context(), failure, l))
}
