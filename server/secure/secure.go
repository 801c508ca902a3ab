// Package secure protects a server against other web sites: the
// Host allow-list, the cross-origin check, and the headers of every response
// (UI-27, UI-28).
package secure

import (
	"context"
	"crypto/rand"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
)

// MaxBody is the maximum size of a request body.
const MaxBody = 17 << 20

type nonceKey struct{}

// Nonce is the nonce for scripts of this response.
func Nonce(ctx context.Context) string {
	n, _ := ctx.Value(nonceKey{}).(string)
	return n
}

// fixed are the headers of every response, in the form that net/http stores:
// they are needed thousands of times a second, and not built each time.
var fixed = map[string][]string{
	"X-Content-Type-Options":       {"nosniff"},
	"Referrer-Policy":              {"no-referrer"},
	"Cross-Origin-Opener-Policy":   {"same-origin"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Cache-Control":                {"no-store"},
	"Content-Security-Policy":      {"default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"},
}

// Headers sets the headers that keep a page from loading, sending and being
// embedded elsewhere, and limits the request's body. Responses that are not
// pages may load nothing at all.
func Headers(tls bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		maps.Copy(h, fixed)
		if tls {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if !strings.HasPrefix(r.URL.Path, "/v1/") {
			nonce := rand.Text()
			h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self' 'nonce-"+nonce+"'; style-src 'self'; img-src 'self'; "+
				"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "+
				"require-trusted-types-for 'script'; trusted-types htmx")
			r = r.WithContext(context.WithValue(r.Context(), nonceKey{}, nonce))
		}
		r.Body = limited(w, r)
		next.ServeHTTP(w, r)
	})
}

// Hosts lets only requests through that use a known name of the server: another
// site cannot use its own name for it (DNS rebinding).
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
