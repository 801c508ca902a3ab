package server

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trammel-dev/trammel/internal/loopback"
)

const (
	// modern is the first revision without sessions.
	modern = "2026-07-28"
	// idle is how long an unused session lasts.
	idle = 30 * time.Minute
	// maxBody bounds a request.
	maxBody = 4 << 20
)

// HTTP serves clients of all revisions at one endpoint (MCP-05): those that
// have sessions, and those that have none. A token, if there is one, has to be
// sent as a bearer token.
func (s *Server) HTTP(token string) http.Handler {
	one := func(*http.Request) *sdk.Server { return s.sdk }
	stateless := sdk.NewStreamableHTTPHandler(one, &sdk.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true,
		MaxRequestBodyBytes: maxBody})
	stateful := sdk.NewStreamableHTTPHandler(one, &sdk.StreamableHTTPOptions{SessionTimeout: idle, PropagateRequestCancellation: true,
		MaxRequestBodyBytes: maxBody})
	both := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Accel-Buffering", "no")
		switch isModern, err := modernRequest(w, r); {
		case err != nil:
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		case isModern:
			stateless.ServeHTTP(w, r)
		default:
			stateful.ServeHTTP(w, r)
		}
	})
	return bearer(token, http.NewCrossOriginProtection().Handler(both))
}

// modernRequest detects the new revisions: by the header that they require, or
// by a field that is in each of their messages.
func modernRequest(w http.ResponseWriter, r *http.Request) (bool, error) {
	if r.Header.Get("MCP-Protocol-Version") >= modern {
		return true, nil
	}
	if r.Method != http.MethodPost || r.Header.Get("Mcp-Session-Id") != "" {
		return false, nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return false, fmt.Errorf("the request cannot be read: %w", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return bytes.Contains(body, []byte(`"io.modelcontextprotocol/protocolVersion"`)), nil
}

// bearer requires the token, if there is one.
func bearer(token string, next http.Handler) http.Handler {
	if token == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "bearer") || subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="trammel"`)
			http.Error(w, "send a bearer token", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ErrOpen says that an address is open to other machines, without a token.
var ErrOpen = errors.New("this address is open to other machines: give --token-env a variable that holds a token, or use 127.0.0.1")

// Listen opens an address: one of this machine alone, or one for which a token
// is needed.
func Listen(address, token string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if token == "" && !loopback.Is(host) {
		return nil, ErrOpen
	}
	return loopback.Listen(address)
}

// Serve serves clients at an address, under /mcp, until the context ends.
func (s *Server) Serve(ctx context.Context, address, token string) error {
	l, err := Listen(address, token)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", s.HTTP(token))
	h := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go s.Follow(ctx)
	context.AfterFunc(ctx, func() {
		short, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if h.Shutdown(short) != nil {
			h.Close()
		}
	})
	fmt.Fprintf(s.log, "Listening on http://%s/mcp\n", l.Addr())
	if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
