package web

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/trammel-dev/trammel/internal/pause"
	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/sse"
)

// place is our position in a stream, and how long the server wants us to wait
// before we reconnect.
type place struct {
	last string
	wait time.Duration
}

// How long we wait before we reconnect to a stream: the default, and the
// maximum.
const (
	defaultWait = time.Second
	maxWait     = 30 * time.Second
)

// events passes on a stream. It returns when the stream ends.
func (b *Bridge) events(resp *http.Response, m *frame.Message, at *place) {
	b.Upstream.events(resp.Body, func(e *sse.Event, err error) {
		if err != nil {
			b.Session.RefuseServer(err, b.link())
			return
		}
		if id, ok := e.ID(); ok {
			at.last = id
		}
		if ms, err := strconv.ParseUint(e.Retry(), 10, 31); err == nil {
			at.wait = min(time.Duration(ms)*time.Millisecond, maxWait)
		}
		if data := e.Data(); len(data) > 0 {
			b.judgeResponse(m, data)
		}
	})
}

// follow passes on the stream of a request. If it ends before the response, it
// is resumed, if the server supports that.
func (b *Bridge) follow(ctx context.Context, resp *http.Response, m *frame.Message) {
	at := place{wait: defaultWait}
	b.events(resp, m, &at)
	for at.last != "" && b.waits(m) && pause.For(ctx, at.wait) {
		before := at.last
		if err := b.get(ctx, m, &at); err != nil || at.last == before {
			break
		}
	}
	if b.waits(m) {
		b.fail(ctx, m, errNoAnswer.Error())
	}
}

// listen passes on messages without a request, as long as the server offers that.
func (b *Bridge) listen() {
	at := place{wait: defaultWait}
	for b.get(b.base, &frame.Message{}, &at) == nil && pause.For(b.base, at.wait) {
	}
}

// get resumes a stream. The error says why there is none.
func (b *Bridge) get(ctx context.Context, m *frame.Message, at *place) error {
	header := b.header(&frame.Message{})
	header.Del("Content-Type")
	header.Set("Accept", eventStream)
	if at.last != "" {
		header.Set(lastHeader, at.last)
	}
	resp, err := b.Upstream.do(ctx, http.MethodGet, header, nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || content(resp) != eventStream {
		return fmt.Errorf("no stream: %s", resp.Status)
	}
	b.events(resp, m, at)
	return nil
}
