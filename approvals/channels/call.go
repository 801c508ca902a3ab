package channels

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Failure is a call to a platform that did not work.
type Failure struct {
	Detail string
	// After is how long the platform wants us to wait.
	After time.Duration
	// Code is the platform's error code, "" if there is none.
	Code string
	// Gone is true if the message was deleted, or cannot be changed.
	Gone bool
}

func (f *Failure) Error() string { return f.Detail }

// Limits of a call.
const (
	callTime    = 10 * time.Second
	maxResponse = 1 << 20
	MaxAfter    = time.Hour // the longest wait that a platform can ask for: people are waiting
)

// client does not follow redirects: they would send secrets to another address.
func (e *Env) client() *http.Client {
	if e.HTTP != nil {
		return e.HTTP
	}
	return &http.Client{Timeout: callTime, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// Response is what a platform answered.
type Response struct {
	Status int
	Body   []byte
}

// Decode reads the body as JSON.
func (r *Response) Decode(into any) error {
	if err := json.Unmarshal(r.Body, into); err != nil {
		return &Failure{Detail: fmt.Sprintf("the answer (status %d) is not the expected JSON", r.Status)}
	}
	return nil
}

// Call sends a body and returns the answer, whatever its status, except for
// "too many requests" and "service unavailable", which are a Failure. Errors do
// not contain the address: it can be a secret.
func (e *Env) Call(ctx context.Context, method, address string, header http.Header, body []byte) (*Response, error) {
	ctx, stop := context.WithTimeout(ctx, callTime)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, &Failure{Detail: "the address cannot be used"}
	}
	req.Header = header
	got, err := e.client().Do(req)
	if err != nil {
		return nil, &Failure{Detail: fmt.Sprintf("cannot reach %s: %v", req.URL.Host, bare(err))}
	}
	defer got.Body.Close()
	r := &Response{Status: got.StatusCode}
	if r.Body, err = io.ReadAll(io.LimitReader(got.Body, maxResponse+1)); err != nil || len(r.Body) > maxResponse {
		return nil, &Failure{Detail: fmt.Sprintf("%s sent too much, or the connection broke", req.URL.Host)}
	}
	if wait := e.retryAfter(got); got.StatusCode == http.StatusTooManyRequests || wait > 0 && got.StatusCode/100 == 5 {
		return r, &Failure{Detail: fmt.Sprintf("too many requests to %s (status %d)", req.URL.Host, got.StatusCode),
			After: min(max(wait, time.Second), MaxAfter)}
	}
	return r, nil
}

// retryAfter is how long a platform wants us to wait, given in seconds or as a
// date; 0 if it does not say.
func (e *Env) retryAfter(r *http.Response) time.Duration {
	text := r.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return at.Sub(e.Now())
	}
	return 0
}

func bare(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
