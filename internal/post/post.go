// Package post sends a body with HTTP POST and returns the answer, with limits
// on time, size and destination. It is for the programs that link HTTP; a call
// leaves neither a connection nor a goroutine behind.
package post

import (
	"bytes"
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/trammel-dev/trammel"
)

// Client says how calls are made. The zero Client makes one attempt, to any
// URL.
type Client struct {
	// Connect limits the time to connect to the server: name, connection, TLS.
	Connect time.Duration
	// MaxResponse is the largest body that is taken. Zero means DefaultResponse.
	MaxResponse int64
	// Retries is how often a call is repeated that the server did not accept:
	// no connection, 429, 502, 503, 504. Only calls that may be made twice
	// should be.
	Retries int
	// RetryErrors lets 500 count among them.
	RetryErrors bool
	// Public refuses addresses of this machine and of private networks.
	Public bool

	roots *x509.CertPool // certificate authorities; nil means the system's
}

// The defaults of a Client.
const (
	DefaultConnect  = 5 * time.Second
	DefaultResponse = 1 << 20
)

// Response is what came back.
type Response struct {
	Status   int
	Header   http.Header
	Body     []byte
	Attempts int
}

// Post sends body to a URL: http, https or unix, which is a socket and, after
// a colon, the path on its server.
//
// The error is a Failure: CodeTimeout or CodeCanceled if ctx ended it,
// CodeUnavailable if the server could not be reached or is overloaded,
// CodeOversized if the answer is too large. Any other status is in the response and
// is not an error.
func (c *Client) Post(ctx context.Context, url string, header http.Header, body []byte) (Response, error) {
	at, err := Parse(url)
	if err != nil {
		return Response{}, err
	}
	for attempt := 1; ; attempt++ {
		resp, err := c.once(ctx, at, header, body)
		resp.Attempts = attempt
		pause, again := c.again(&resp, err, attempt)
		if !again {
			return resp, c.failure(ctx, at, &resp, err)
		}
		if !wait(ctx, pause) {
			if ctx.Err() == nil { // the server wants us to wait longer than we can
				return resp, c.failure(ctx, at, &resp, err)
			}
			return resp, ended(ctx, at)
		}
	}
}

func (c *Client) once(ctx context.Context, at *Address, header http.Header, body []byte) (Response, error) {
	transport := c.transport(ctx, at)
	defer transport.CloseIdleConnections()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, at.url.String(), bytes.NewReader(body))
	if err != nil {
		return Response{}, err
	}
	req.Header = header.Clone()
	client := http.Client{Transport: transport, CheckRedirect: sameHost}
	got, err := client.Do(req)
	if err != nil {
		return Response{}, err
	}
	defer got.Body.Close()
	most := cmp.Or(c.MaxResponse, DefaultResponse)
	resp := Response{Status: got.StatusCode, Header: got.Header}
	resp.Body, err = io.ReadAll(io.LimitReader(got.Body, most+1))
	if int64(len(resp.Body)) > most {
		return Response{Status: got.StatusCode}, trammel.Fail(trammel.CodeOversized, "%s answered with more than %d bytes", at, most)
	}
	return resp, err
}

// sameHost follows redirects on the same server that keep the body. The event
// is never sent to another server: only this one is declared.
func sameHost(req *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case len(via) > 3:
		return errors.New("redirected more than three times")
	case req.Method != http.MethodPost:
		return errors.New("redirected in a way that would drop the body")
	case req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host:
		return fmt.Errorf("redirected to another server, %s://%s", req.URL.Scheme, req.URL.Host)
	}
	return nil
}

// failure is the error of the last attempt.
func (c *Client) failure(ctx context.Context, at *Address, resp *Response, err error) error {
	var f *trammel.Failure
	switch {
	case err == nil && c.busy(resp.Status):
		return trammel.Fail(trammel.CodeUnavailable, "%s answered with status %d (attempt %d)", at, resp.Status, resp.Attempts)
	case err == nil || errors.As(err, &f):
		return err
	case ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) && outOfTime(ctx):
		return ended(ctx, at)
	}
	return trammel.Fail(trammel.CodeUnavailable, "cannot reach %s: %w", at, hidden{err})
}

func outOfTime(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ok && !time.Now().Before(deadline)
}

// hidden hides the context's own error from the engine, which would treat it as
// a failure without a code.
type hidden struct{ err error }

func (h hidden) Error() string { return h.err.Error() }

func ended(ctx context.Context, at *Address) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return trammel.Fail(trammel.CodeCanceled, "the call of %s was canceled", at)
	}
	return trammel.Fail(trammel.CodeTimeout, "%s did not answer in time", at)
}
