// Package secure keeps other sites away from a server that browsers reach: the
// Host allow-list, the cross-origin check, and the headers of every response
// (UI-27, UI-28).
package secure

import (
	"context"
	"crypto/rand"
	"net"
	"net/http"
	"slices"
	"strings"
)

// MaxBody bounds what is read of a request.
const MaxBody = 17 << 20

type nonceKey struct{}

// Nonce is what scripts of this response have to carry.
func Nonce(ctx context.Context) string {
	n, _ := ctx.Value(nonceKey{}).(string)
	return n
}

// Headers sets the headers that keep a page from loading, sending and being
// embedded elsewhere, and bounds the request's body.
func Headers(tls bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		nonce := rand.Text()
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self' 'nonce-"+nonce+"'; style-src 'self'; img-src 'self'; "+
			"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "+
			"require-trusted-types-for 'script'; trusted-types htmx")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if tls {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		r.Body = http.MaxBytesReader(w, r.Body, MaxBody)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), nonceKey{}, nonce)))
	})
}

// Hosts lets only requests through that name the server as it is known: a page
// elsewhere cannot reach it by a name that it lets point here (DNS rebinding).
func Hosts(allowed []string, refuse, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		host = strings.ToLower(strings.Trim(host, "[]"))
		if slices.Contains(allowed, host) {
			next.ServeHTTP(w, r)
		} else {
			refuse.ServeHTTP(w, r)
		}
	})
}
