package web

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"time"

	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/proxy"
	"github.com/trammel-dev/trammel/mcp/sse"
)

// post sends a message and passes on what comes back. written is called when
// the server has received it, or sending has failed.
func (b *Bridge) post(ctx context.Context, raw []byte, m *frame.Message, written func()) {
	defer written()
	b.mu.Lock()
	old := b.endpoint
	b.mu.Unlock()
	if old != nil {
		b.postOld(ctx, old, raw, m)
		return
	}
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { written() }})
	header := b.header(m)
	resp, err := b.Upstream.do(traced, http.MethodPost, header, raw)
	if err == nil && resp.StatusCode == http.StatusNotFound && header.Get(sessionHeader) != "" {
		resp.Body.Close()
		if err = b.again(header.Get(sessionHeader)); err == nil {
			resp, err = b.Upstream.do(ctx, http.MethodPost, b.header(m), raw)
		}
	}
	if err != nil {
		b.fail(ctx, m, err.Error())
		return
	}
	defer resp.Body.Close()
	if mayBeOld(m, resp) {
		if at, err := b.beginOld(); err == nil {
			b.postOld(ctx, at, raw, m)
			return
		}
	}
	b.began(m, resp)
	if content(resp) == eventStream && resp.StatusCode < 300 {
		b.follow(ctx, resp, m)
		return
	}
	body, err := whole(resp.Body, b.Upstream.Max)
	switch {
	case err != nil:
		b.Session.RefuseServer(err, b.link())
	case content(resp) == jsonBody && isMessage(body) && (resp.StatusCode < 300 || frame.PeekID(body) == m.ID):
		b.judgeResponse(m, body)
	case resp.StatusCode >= 300:
		b.fail(ctx, m, excerpt(resp.Status, body))
	}
	if b.waits(m) {
		b.fail(ctx, m, errNoAnswer.Error())
	}
	if m.Method == "notifications/initialized" && resp.StatusCode < 300 {
		go b.listen()
	}
}

// waits reports whether the client is still waiting for the response to a message.
func (b *Bridge) waits(m *frame.Message) bool {
	return m.Kind == frame.Request && b.Session.Waits(m.ID)
}

// judgeResponse judges a message of the server that came with the response to m.
func (b *Bridge) judgeResponse(m *frame.Message, data []byte) {
	if m.Method == "initialize" {
		b.agreed(data)
	}
	b.run(b.Session.Server(b.base, data, b.link()))
}

// fail answers a request that the server did not answer.
func (b *Bridge) fail(ctx context.Context, m *frame.Message, why string) {
	if m.Kind == frame.Request && ctx.Err() == nil {
		b.judgeResponse(&frame.Message{}, proxy.Failure(m.ID, frame.ServerGone, why))
	}
}

// began stores the session that the server has started.
func (b *Bridge) began(m *frame.Message, resp *http.Response) {
	if m.Method == "initialize" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.id = resp.Header.Get(sessionHeader)
	}
}

// agreed stores the negotiated revision.
func (b *Bridge) agreed(data []byte) {
	if m, err := frame.Parse(data); err == nil && m.Result != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.version, _ = m.Result["protocolVersion"].(string)
	}
}

// again starts a new session with a server that has lost the one with this id,
// with the client's initialize and without telling the client (MCP-63).
func (b *Bridge) again(id string) error {
	b.renew.Lock()
	defer b.renew.Unlock()
	b.mu.Lock()
	first, done := b.first, b.id != id
	if !done {
		b.id, b.version = "", ""
	}
	b.mu.Unlock()
	if done {
		return nil
	}
	ctx, stop := context.WithTimeout(b.base, renewal)
	defer stop()
	m, err := frame.Parse(first)
	if err != nil {
		return err
	}
	resp, err := b.Upstream.do(ctx, http.MethodPost, b.header(m), first)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	b.began(m, resp)
	if content(resp) == eventStream {
		b.Upstream.events(resp.Body, func(e *sse.Event, err error) {
			if err == nil {
				b.agreed(e.Data())
			}
		})
	} else if body, err := whole(resp.Body, b.Upstream.Max); err == nil {
		b.agreed(body)
	}
	ready, err := frame.Parse([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	if err != nil {
		return err
	}
	resp, err = b.Upstream.do(ctx, http.MethodPost, b.header(ready), ready.Raw)
	if err != nil {
		return err
	}
	go b.listen()
	return resp.Body.Close()
}

// renewal is how long a server may take to start a session again.
const renewal = 15 * time.Second
