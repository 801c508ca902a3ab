// Package http answers events by asking a server: the event is sent as a POST
// in the server's dialect, and the response is the answer. Both sides are
// authenticated: the server by TLS, the event by a signature.
package http

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"mime"
	"net/http"
	"os"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/post"
	"github.com/trammel-dev/trammel/internal/version"
)

// New returns the factory of the kind "http". dialect finds the dialect of the
// server.
func New(dialect func(name string) (trammel.HookDialect, bool)) trammel.Factory {
	return func(spec trammel.Spec) (trammel.Handler, error) {
		cfg := Defaults()
		if err := option.Read(spec.Config, &cfg); err != nil {
			return nil, err
		}
		at, err := cfg.check()
		if err != nil {
			return nil, err
		}
		d, ok := dialect(cfg.Dialect)
		if !ok {
			return nil, &option.Error{Key: "dialect", Message: fmt.Sprintf("unknown dialect %q", cfg.Dialect)}
		}
		var options []byte
		if cfg.Speak != "" {
			options = []byte(cfg.Speak)
		}
		if d, err = dialects.Configure(d, spec.Hook, options); err != nil {
			return nil, err
		}
		h := &handler{Config: cfg, dialect: d, at: at}
		h.client = post.Client{Connect: time.Duration(cfg.Connect), MaxResponse: int64(cfg.MaxOutput)}
		if cfg.Idempotent {
			h.client.Retries = retries
		}
		return h, nil
	}
}

// retries is how often a call that may be made twice is repeated.
const retries = 3

type handler struct {
	Config
	client  post.Client
	dialect trammel.HookDialect
	at      *post.Address
}

// Waits returns true: a server needs time.
func (h *handler) Waits() bool { return true }

// Explain says which server would be asked.
func (h *handler) Explain() string { return fmt.Sprintf("asks %s (%s)", h.at, h.dialect.Name()) }

// Handle asks the server and reads its answer.
func (h *handler) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	body, err := h.dialect.EncodeEvent(ev)
	if err != nil {
		return trammel.Answer{}, fmt.Errorf("encoding the event in the dialect %s: %w", h.dialect.Name(), err)
	}
	header, err := h.header(ev, body)
	if err != nil {
		return trammel.Answer{}, err
	}
	trace := &trammel.Trace{Input: canonical.Digest(body)}
	resp, err := h.client.Post(ctx, h.URL, header, body)
	if resp.Status != 0 {
		trace.Output = canonical.Digest(resp.Body)
	}
	var answer trammel.Answer
	if err == nil {
		answer, err = h.read(ev, &resp)
	}
	if err != nil {
		return trammel.Answer{}, trammel.Traced(err, trace)
	}
	answer.Trace = trace
	return answer, nil
}

// header identifies the caller and the request: a repeated call has the same
// request id.
func (h *handler) header(ev *trammel.Event, body []byte) (http.Header, error) {
	header := http.Header{
		"Content-Type":    {"application/json"},
		"Accept":          {"application/json"},
		"User-Agent":      {"trammel/" + version.Version},
		"Trammel-Request": {rand.Text()},
		"Trammel-Event":   {ev.Kind.String()},
		"Trammel-Dialect": {h.dialect.Name()},
	}
	for name, value := range h.Headers {
		header.Set(name, value)
	}
	for name, variable := range h.HeadersEnv {
		value := os.Getenv(variable)
		if value == "" {
			return nil, trammel.Fail(trammel.CodeConfig, "the variable %s, which holds the header %s, is not set", variable, name)
		}
		if !validValue(value) {
			return nil, trammel.Fail(trammel.CodeConfig, "the variable %s, which holds the header %s, has a line break or another control "+
				"character in it", variable, name)
		}
		header.Set(name, value)
	}
	if h.SecretEnv != "" {
		secret := os.Getenv(h.SecretEnv)
		if secret == "" {
			return nil, trammel.Fail(trammel.CodeConfig, "the variable %s, which holds the secret to sign with, is not set", h.SecretEnv)
		}
		header.Set(SignatureHeader, Sign([]byte(secret), time.Now(), body))
	}
	return header, nil
}

// read reads the answer from a response. It must be JSON: the text of a gateway
// or a login page must not reach the model.
func (h *handler) read(ev *trammel.Event, resp *post.Response) (trammel.Answer, error) {
	switch {
	case resp.Status == http.StatusNoContent:
		return h.dialect.DecodeAnswer(ev, trammel.Output{})
	case resp.Status != http.StatusOK:
		return trammel.Answer{}, trammel.Fail(trammel.CodeError, "%s answered with status %d, expected 200 or 204", h.at, resp.Status)
	case len(bytes.TrimSpace(resp.Body)) == 0:
		return trammel.Answer{}, trammel.Fail(trammel.CodeMalformed, "%s answered with nothing, expected a JSON object, or status 204", h.at)
	}
	if kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return trammel.Answer{}, trammel.Fail(trammel.CodeMalformed, "%s answered with the content type %.60q, expected application/json", h.at,
			resp.Header.Get("Content-Type"))
	}
	if bytes.TrimSpace(resp.Body)[0] != '{' {
		return trammel.Answer{}, trammel.Fail(trammel.CodeMalformed, "%s did not answer with a JSON object", h.at)
	}
	return h.dialect.DecodeAnswer(ev, trammel.Output{Stdout: resp.Body})
}
