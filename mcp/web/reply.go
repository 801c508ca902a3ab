package web

import (
	"cmp"
	"maps"
	"net/http"
	"strings"

	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/proxy"
	"github.com/trammel-dev/trammel/mcp/sse"
)

// begin writes the headers of the response, once: the server's, if it has
// answered.
func (x *exchange) begin(resp *http.Response, stream bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.beginLocked(resp, stream)
}

func (x *exchange) beginLocked(resp *http.Response, stream bool) {
	if x.begun {
		return
	}
	x.begun, x.stream = true, stream
	h := x.w.Header()
	if resp != nil {
		maps.Copy(h, passed(resp.Header))
		x.status = resp.StatusCode
	}
	h.Set("X-Content-Type-Options", "nosniff")
	if stream {
		h.Set("Content-Type", eventStream)
		h.Set("Cache-Control", "no-store")
		h.Set("X-Accel-Buffering", "no")
	}
	x.w.WriteHeader(x.status)
	if stream {
		http.NewResponseController(x.w).Flush()
	}
}

// toClient writes a message that comes from no event: to the stream, if there
// is one; as the whole response, if the client is waiting for it; else it
// starts a stream.
func (x *exchange) toClient(raw []byte) error {
	x.write(nil, raw)
	return nil
}

// write writes a message; resp is the response that it came in, if any.
func (x *exchange) write(resp *http.Response, raw []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.begun {
		ours := resp != nil || x.message == nil || x.status != http.StatusOK || frame.IsBatch(raw) || isResponse(raw, x.message.ID)
		switch {
		case ours:
			if resp == nil {
				x.w.Header().Set("Content-Type", jsonBody)
			}
			x.beginLocked(resp, false)
			x.w.Write(raw)
			return
		case !strings.Contains(x.req.Header.Get("Accept"), eventStream):
			return // the client does not accept a stream
		}
		x.beginLocked(nil, true)
	}
	if x.stream {
		x.w.Write(sse.Append(nil, raw))
		http.NewResponseController(x.w).Flush()
	}
}

func isResponse(raw []byte, id string) bool {
	m, err := frame.Parse(raw)
	return err == nil && m.Kind == frame.Response && (m.ID == id || m.ID == "null")
}

// put writes bytes of a stream.
func (x *exchange) put(raw []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.beginLocked(nil, true)
	if x.stream {
		x.w.Write(raw)
		http.NewResponseController(x.w).Flush()
	}
}

// refuse answers a message that cannot be read.
func (x *exchange) refuse(status int, err error) {
	x.status = status
	x.relay.session(x.req, false).RefuseClient(err, x.link())
}

// lost answers a request that did not reach the server.
func (x *exchange) lost(err error) {
	x.mu.Lock()
	x.status = http.StatusBadGateway
	x.mu.Unlock()
	id := x.message.ID
	id = cmp.Or(id, "null")
	x.toClient(proxy.Failure(id, frame.ServerGone, err.Error()))
}

// finish waits for everything that belongs to the response. A request without a
// response is over, unless the client can ask for it again.
func (x *exchange) finish() {
	x.open.Wait()
	x.mu.Lock()
	begun, resumable := x.begun, x.resumable && x.req.Header.Get(sessionHeader) != ""
	x.mu.Unlock()
	if x.message.Kind == frame.Request && !resumable {
		x.session.Forget(x.message.ID)
	}
	switch {
	case begun:
	case x.message.Kind == frame.Request:
		x.lost(errNoAnswer)
	default:
		x.w.WriteHeader(http.StatusAccepted)
	}
}
