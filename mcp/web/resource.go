package web

import (
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/trammel-dev/trammel/internal/strict"
)

// metadataPath is where a resource says how it is protected (RFC 9728).
const metadataPath = "/.well-known/oauth-protected-resource"

// admits answers requests that may not go on where the relay itself is the
// protected resource (MCP-62): a client needs our token, and the server never
// sees it. It reports whether the request goes on.
func (r *Relay) admits(w http.ResponseWriter, req *http.Request) bool {
	if r.Token == "" {
		return true
	}
	about := "http://" + req.Host + metadataPath + r.Upstream.Path()
	if req.URL.Path == metadataPath+r.Upstream.Path() || req.URL.Path == metadataPath {
		w.Header().Set("Content-Type", jsonBody)
		var meta strict.Writer
		meta.Open()
		meta.Text("resource", "http://"+req.Host+r.Upstream.Path())
		meta.Any("bearer_methods_supported", []any{"header"})
		meta.Close()
		w.Write(meta.Bytes())
		return false
	}
	scheme, given, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") || subtle.ConstantTimeCompare([]byte(strings.TrimSpace(given)), []byte(r.Token)) != 1 {
		w.Header().Set("WWW-Authenticate", `Bearer realm="trammel", resource_metadata="`+about+`"`)
		http.Error(w, "Unauthorized: this proxy needs a token of its own", http.StatusUnauthorized)
		return false
	}
	req.Header.Del("Authorization")
	return true
}
