package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/proxy"
)

// Bridge is a proxy between a client on two streams and a server behind a URL.
type Bridge struct {
	Upstream *Upstream
	Session  *proxy.Session
	In       io.Reader
	Out      io.Writer

	base  context.Context // ends everything
	out   *frame.Writer
	open  sync.WaitGroup // requests under way, and what is judged
	renew sync.Mutex

	mu       sync.Mutex
	id       string                        // of the session with the server
	version  string                        // that initialize agreed on
	first    []byte                        // the client's initialize, for a server that has lost the session
	underway map[string]context.CancelFunc // modern requests, by the key of their id
	endpoint *url.URL                      // of a server that only supports streams, else nil
}

// grace is how long running requests may take to end after the client
// disconnects.
const grace = 2 * time.Second

// Run passes messages on until the client ends.
func (b *Bridge) Run(ctx context.Context) error {
	b.out, b.underway = frame.NewWriter(b.Out), map[string]context.CancelFunc{}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	b.base = ctx
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		b.read()
	}()
	select {
	case <-gone:
	case <-ctx.Done():
	}
	done := make(chan struct{})
	go func() { b.open.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
	case <-time.After(grace):
	}
	stop()
	b.Session.Close()
	b.endSession()
	return nil
}

// read takes the client's messages. Slow parts run concurrently with the next
// messages (MCP-14).
func (b *Bridge) read() {
	lines := frame.NewReader(b.In, b.Upstream.Max)
	for {
		raw, err := lines.Next()
		link := b.link()
		switch large := new(frame.TooLarge); {
		case errors.As(err, &large):
			b.Session.RefuseClient(err, link)
			continue
		case err != nil:
			return
		}
		b.run(b.Session.Client(b.base, raw, link))
	}
}

func (b *Bridge) link() proxy.Link { return proxy.Link{ToClient: b.out.Write, ToServer: b.send} }

func (b *Bridge) run(rest func()) {
	if rest != nil {
		b.open.Go(rest)
	}
}

// send posts a message. It returns when the server has received it, to keep the
// order, and does not wait for the response.
func (b *Bridge) send(raw []byte) error {
	m, err := frame.Parse(raw)
	if err != nil {
		m = &frame.Message{} // a batch: all of it was judged
	}
	ctx, cancel := context.WithCancel(b.base)
	b.mu.Lock()
	switch {
	case m.Method == "initialize":
		b.first, b.id, b.version = raw, "", ""
	case m.Method == "notifications/cancelled":
		// A modern request is cancelled by closing its stream.
		if end := b.underway[frame.KeyOf(m.Params["requestId"])]; end != nil {
			b.mu.Unlock()
			cancel()
			end()
			return nil
		}
	case m.Kind == frame.Request && versionOf(m) != "":
		b.underway[frame.Key(m.ID)] = cancel
	}
	b.mu.Unlock()
	written := make(chan struct{})
	b.open.Go(func() {
		defer cancel()
		b.post(ctx, raw, m, sync.OnceFunc(func() { close(written) }))
		b.mu.Lock()
		delete(b.underway, frame.Key(m.ID))
		b.mu.Unlock()
	})
	<-written
	return nil
}

// header are the headers of a request for a message.
func (b *Bridge) header(m *frame.Message) http.Header {
	h := http.Header{"Content-Type": {jsonBody}, "Accept": {jsonBody + ", " + eventStream}}
	b.mu.Lock()
	id, version := b.id, b.version
	b.mu.Unlock()
	if id != "" {
		h.Set(sessionHeader, id)
	}
	if v := versionOf(m); v != "" {
		version = v
	}
	if version != "" && m.Method != "initialize" {
		h.Set(versionHeader, version)
	}
	if version >= modern && m.Method != "" {
		var tool map[string]any
		if name, _ := nameOf(m); m.Method == "tools/call" {
			tool = b.Session.Tool(name)
		}
		repeat(h, m, tool)
	}
	return h
}

// endSession ends the session with the server.
func (b *Bridge) endSession() {
	ctx, stop := context.WithTimeout(context.Background(), grace)
	defer stop()
	h := b.header(&frame.Message{})
	if h.Get(sessionHeader) == "" {
		return
	}
	if resp, err := b.Upstream.do(ctx, http.MethodDelete, h, nil); err == nil {
		resp.Body.Close()
	}
}
