package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"strings"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/server/secure"
)

// Problem is the body of every refusal (RFC 9457).
type Problem struct {
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	Code   string `json:"code,omitempty"`
}

// problem refuses a request: browsers get a page, others JSON.
func (s *Server) problem(w http.ResponseWriter, r *http.Request, status int, detail string) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		s.refuse(w, status, "", detail)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	title := http.StatusText(status)
	fmt.Fprintf(w, "<!doctype html><html lang=en><title>%s</title><h1>%s</h1><p>%s</p><p><a href=/login>Log in</a></p></html>\n", title, title,
		html.EscapeString(detail))
}

func (s *Server) refuse(w http.ResponseWriter, status int, code, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(Problem{http.StatusText(status), status, detail, code})
}

// failed answers an error: a refusal with its reason, anything else as an
// internal error whose details are only in the log.
func (s *Server) failed(w http.ResponseWriter, r *http.Request, err error) {
	var refusal *approvals.Refusal
	var bad *badRequest
	switch {
	case errors.As(err, &refusal):
		s.refuse(w, refusal.Status(), string(refusal.Code), refusal.Detail)
	case errors.As(err, &bad):
		s.refuse(w, bad.status, "", bad.detail)
	case errors.Is(err, auth.ErrProof), errors.Is(err, approvals.ErrSecret):
		s.refuse(w, http.StatusUnauthorized, "proof", err.Error())
	case errors.Is(err, auth.ErrToken):
		s.refuse(w, http.StatusForbidden, "", err.Error())
	case errors.Is(err, auth.ErrTooMany):
		s.refuse(w, http.StatusTooManyRequests, "", err.Error())
	default:
		s.Log.Error("request failed", "method", r.Method, "path", r.URL.Path, "error", err)
		s.refuse(w, http.StatusServiceUnavailable, "", "this does not work right now; see the server's log")
	}
}

// badRequest is a request that cannot be read.
type badRequest struct {
	status int
	detail string
}

func (b *badRequest) Error() string { return b.detail }

func malformed(detail string) error { return &badRequest{http.StatusUnprocessableEntity, detail} }

// gives makes a handler from a function that returns the answer.
func (s *Server) gives(answer func(http.ResponseWriter, *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := answer(w, r)
		if err != nil {
			s.failed(w, r, err)
			return
		}
		s.answer(w, v)
	}
}

func (s *Server) answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.Encode(v)
}

// body reads all of a request. Its time and size are limited for all routes.
func body(r *http.Request) ([]byte, error) {
	size := r.ContentLength
	if size < 0 || size > secure.MaxBody {
		size = 4 << 10
	}
	data := make([]byte, 0, size+1)
	for {
		n, err := r.Body.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		var large *http.MaxBytesError
		switch {
		case errors.Is(err, io.EOF):
			return data, nil
		case errors.As(err, &large):
			return nil, &badRequest{http.StatusRequestEntityTooLarge, "the request is too large"}
		case err != nil:
			return nil, &badRequest{http.StatusBadRequest, "the request was cut off"}
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

// read decodes the request's body as JSON.
func read(r *http.Request, v any) error {
	data, err := body(r)
	if err != nil {
		return err
	}
	return decode(data, v)
}
