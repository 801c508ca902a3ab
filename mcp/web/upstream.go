// Package web is MCP over HTTP: a proxy whose server is behind a URL, and one
// that clients reach over HTTP. A proxy.Session judges the messages; this
// package only transports them.
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
	// Header is our own headers, such as credentials. They replace the
	// client's.
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
		return nil, errors.New("the address of the server holds a password: others on this machine can read it; pass it as a header instead")
	}
	u.Fragment = ""
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression = true // compressed data is not flushed
	return &Upstream{url: u, Max: frame.DefaultMax, client: &http.Client{Transport: transport, CheckRedirect: sameOrigin}}, nil
}

// Path is where on its host the server is.
func (u *Upstream) Path() string {
	return cmp.Or(u.url.Path, "/")
}

// errNoAnswer is the error for a request that ended without a response.
var errNoAnswer = errors.New("the server did not answer this request")

// sameOrigin follows a redirect only if the request stays the same and goes to
// the same server: its headers carry credentials, and its body was judged for
// this server (MCP-63).
func sameOrigin(next *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > 3 || next.Method != first.Method || next.URL.Scheme != first.URL.Scheme || next.URL.Host != first.URL.Host {
		return http.ErrUseLastResponse
	}
	return nil
}

// do sends a request. A redirect that is not followed is an error: a client
// that followed it would not be judged.
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
		// Leave out the URL: it may hold a secret, and the reader knows it.
		if wrapped := new(url.Error); errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, fmt.Errorf("the server cannot be reached: %w", err)
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 && resp.StatusCode != http.StatusNotModified {
		resp.Body.Close()
		return nil, errors.New("the server redirects to another address; use that address instead if you trust it")
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

// events passes the events of a stream to a function until it ends; those that
// are too large as errors.
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

// excerpt is the beginning of a server's text.
func excerpt(status string, body []byte) string {
	text := strings.ToValidUTF8(strings.TrimSpace(string(body[:min(len(body), 300)])), "")
	if text == "" || strings.HasPrefix(text, "<") {
		return "the server answered " + status
	}
	return "the server answered " + status + ": " + text
}
