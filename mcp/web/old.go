package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"time"

	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/proxy"
	"github.com/trammel-dev/trammel/mcp/sse"
)

// Servers of 2024-11-05 have two addresses: a stream with all of their
// messages, and an address, named on that stream, for the client's messages.

// begins is how long such a server may take to name that address.
const begins = 15 * time.Second

// mayBeOld reports whether a server that answers the first message like this
// may be one that only supports streams.
func mayBeOld(m *frame.Message, resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed:
		return m.Method == "initialize" && content(resp) != jsonBody
	}
	return false
}

// beginOld opens the stream of an old server, and remembers where it wants its
// messages.
func (b *Bridge) beginOld() (*url.URL, error) {
	resp, err := b.Upstream.do(b.base, http.MethodGet, http.Header{"Accept": {eventStream}}, nil)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK || content(resp) != eventStream {
		resp.Body.Close()
		return nil, fmt.Errorf("no stream: %s", resp.Status)
	}
	named := make(chan *url.URL, 1)
	go func() {
		defer resp.Body.Close()
		b.Upstream.events(resp.Body, func(e *sse.Event, err error) {
			switch {
			case err != nil:
				b.Session.RefuseServer(err, b.link())
			case e.Type() == "endpoint":
				if at, err := b.Upstream.url.Parse(string(e.Data())); err == nil {
					select {
					case named <- at:
					default: // it has already named one
					}
				}
			case len(e.Data()) > 0:
				b.judgeResponse(&frame.Message{}, e.Data())
			}
		})
		if b.base.Err() == nil {
			b.Session.EndServer("The server has ended its stream.", b.out.Write)
		}
	}()
	select {
	case at := <-named:
		if at.Scheme != b.Upstream.url.Scheme || at.Host != b.Upstream.url.Host {
			resp.Body.Close()
			return nil, errors.New("the server wants messages sent to another host, which is refused")
		}
		b.mu.Lock()
		b.endpoint = at
		b.mu.Unlock()
		return at, nil
	case <-time.After(begins):
		resp.Body.Close()
		return nil, errors.New("the server does not name the address for messages")
	case <-b.base.Done():
		return nil, b.base.Err()
	}
}

// postOld sends a message to an old server. Its response comes on the stream.
func (b *Bridge) postOld(ctx context.Context, at *url.URL, raw []byte, m *frame.Message) {
	resp, err := b.Upstream.doAt(ctx, at, http.MethodPost, http.Header{"Content-Type": {jsonBody}}, raw)
	if err != nil {
		b.fail(ctx, m, err.Error())
		return
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		body, _ := whole(resp.Body, b.Upstream.Max)
		b.fail(ctx, m, excerpt(resp.Status, body))
	}
}

// isOld reports whether a server that refuses the first message opens a stream
// instead.
func (r *Relay) isOld(req *http.Request) bool {
	if r.old.Run == nil { // nothing would stop what it runs
		return false
	}
	ctx, stop := context.WithTimeout(req.Context(), begins)
	defer stop()
	header := passed(req.Header)
	header.Set("Accept", eventStream)
	resp, err := r.Upstream.do(ctx, http.MethodGet, header, nil)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusOK && content(resp) == eventStream
}

// runOld is the proxy of one client in front of an old server, which gets the
// client's credentials, or ours.
func (r *Relay) runOld(ctx context.Context, s *proxy.Session, header http.Header, in io.Reader, out io.Writer) {
	up := *r.Upstream
	up.Header = http.Header{}
	if given := header.Values("Authorization"); len(given) > 0 {
		up.Header["Authorization"] = given
	}
	maps.Copy(up.Header, r.Upstream.Header)
	b := Bridge{Upstream: &up, Session: s, In: in, Out: out}
	_ = b.Run(ctx) // it only ends
}
