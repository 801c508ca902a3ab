// Package web is MCP over HTTP: a proxy whose server is behind a URL, and one
// that clients reach over HTTP. What is said is judged by a proxy.Session; this
// package only carries it.
package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/sse"
)

// Upstream is an MCP server behind a URL.
type Upstream struct {
	url *url.URL
	// Header are headers of our own, as credentials. They take the place of
	// the client's.
	Header http.Header
	// Max is the size of the largest message.
	Max    int
	client *http.Client
}

// NewUpstream is the server at a URL.
func NewUpstream(address string) (*Upstream, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, errors.New("the address of the server is not a URL")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, errors.New("the address of the server does not begin with http:// or https://")
	case u.User != nil:
		return nil, errors.New("the address of the server holds a password: others on this machine can read it, give it as a header")
	}
	u.Fragment = ""
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression = true // what is compressed is not flushed
	return &Upstream{url: u, Max: frame.DefaultMax, client: &http.Client{Transport: transport, CheckRedirect: sameOrigin}}, nil
}

// Path is where on its host the server is.
func (u *Upstream) Path() string {
	return cmp.Or(u.url.Path, "/")
}

// errNoAnswer is what a client is told whose request ended without a response.
var errNoAnswer = errors.New("the server has not answered this request")

// sameOrigin follows a redirect only where the request stays what it is and
// nobody else gets it: headers carry credentials, bodies what was judged for
// this server (MCP-63).
func sameOrigin(next *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > 3 || next.Method != first.Method || next.URL.Scheme != first.URL.Scheme || next.URL.Host != first.URL.Host {
		return http.ErrUseLastResponse
	}
	return nil
}

// do sends a request. A redirect that is not followed is an error: a client that
// went there itself would not be judged.
func (u *Upstream) do(ctx context.Context, method string, header http.Header, body []byte) (*http.Response, error) {
	return u.doAt(ctx, u.url, method, header, body)
}

// doAt is do at another address of the same server.
func (u *Upstream) doAt(ctx context.Context, at *url.URL, method string, header http.Header, body []byte) (*http.Response, error) {
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, at.String(), content)
	if err != nil {
		return nil, err
	}
	r.Header = header.Clone()
	for name, values := range u.Header {
		r.Header[http.CanonicalHeaderKey(name)] = values
	}
	resp, err := u.client.Do(r)
	if err != nil {
		// The URL may hold a secret, and is known to whoever reads this.
		if wrapped := new(url.Error); errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, fmt.Errorf("the server cannot be reached: %w", err)
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 && resp.StatusCode != http.StatusNotModified {
		resp.Body.Close()
		return nil, errors.New("the server redirects to another address; name that address instead, if it is to be trusted")
	}
	return resp, nil
}

// content is the media type of a response.
func content(resp *http.Response) string {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return kind
}

const (
	eventStream = "text/event-stream"
	jsonBody    = "application/json"
)

// whole reads a body within the limit.
func whole(body io.Reader, most int) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(body, int64(most)+1))
	if err == nil && len(raw) > most {
		head := raw[:min(len(raw), 4<<10)]
		raw, err = head, &frame.TooLarge{Max: most, Head: head}
	}
	return raw, err
}

// events hands over the events of a stream, and the ones that are too large as
// errors, until it ends.
func (u *Upstream) events(body io.Reader, take func(*sse.Event, error)) {
	r := sse.NewReader(body, u.Max+u.Max/8+1024)
	for {
		e, err := r.Next()
		if large := new(sse.TooLarge); err != nil && !errors.As(err, &large) {
			return
		}
		take(e, err)
	}
}

// said is the beginning of what a server says in words.
func said(status string, body []byte) string {
	text := strings.ToValidUTF8(strings.TrimSpace(string(body[:min(len(body), 300)])), "")
	if text == "" || strings.HasPrefix(text, "<") {
		return "the server answered " + status
	}
	return "the server answered " + status + ": " + text
}
