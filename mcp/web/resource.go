package web

import (
	"crypto/subtle"
	"maps"
	"net/http"
	"strings"

	"github.com/trammel-dev/trammel/internal/strict"
)

// metadataPath is where a resource says how it is protected (RFC 9728).
const metadataPath = "/.well-known/oauth-protected-resource"

// isMetadata reports whether a client asks how the server is protected, or by
// whom: it asks at the address that it knows.
func isMetadata(req *http.Request) bool {
	for _, at := range []string{metadataPath, "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"} {
		if rest, ok := strings.CutPrefix(req.URL.Path, at); ok && (rest == "" || rest[0] == '/') && req.Method == http.MethodGet {
			return true
		}
	}
	return false
}

// metadata passes on what the server says about that, as it says it. It is asked
// without anybody's credentials.
func (r *Relay) metadata(w http.ResponseWriter, req *http.Request) {
	up := *r.Upstream
	up.Header = nil
	at := *up.url
	at.Path, at.RawPath, at.RawQuery = req.URL.Path, req.URL.RawPath, ""
	resp, err := up.doAt(req.Context(), &at, http.MethodGet, http.Header{"Accept": {jsonBody}}, nil)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	body, err := whole(resp.Body, maxMetadata)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	maps.Copy(w.Header(), passed(resp.Header))
	w.WriteHeader(resp.StatusCode)
	w.Write(body)
}

// maxMetadata is more than any of these documents has.
const maxMetadata = 256 << 10

// admits answers requests that may not go on: those from elsewhere, those for
// another path, and where the proxy itself is the protected resource (MCP-62)
// those without its token, which the server never sees. It reports whether the
// request goes on.
func admits(w http.ResponseWriter, req *http.Request, path, token string) bool {
	if !local(req) {
		http.Error(w, "Forbidden: only this machine may use this proxy", http.StatusForbidden)
		return false
	}
	if token != "" && !authorized(w, req, path, token) {
		return false
	}
	if req.URL.Path != path {
		http.NotFound(w, req)
		return false
	}
	return true
}

// authorized reports whether a request has our token, and answers it if not.
func authorized(w http.ResponseWriter, req *http.Request, path, token string) bool {
	about := "http://" + req.Host + metadataPath + path
	if req.URL.Path == metadataPath+path || req.URL.Path == metadataPath {
		w.Header().Set("Content-Type", jsonBody)
		var meta strict.Writer
		meta.Open()
		meta.Text("resource", "http://"+req.Host+path)
		meta.Any("bearer_methods_supported", []any{"header"})
		meta.Close()
		w.Write(meta.Bytes())
		return false
	}
	scheme, given, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") || subtle.ConstantTimeCompare([]byte(strings.TrimSpace(given)), []byte(token)) != 1 {
		w.Header().Set("WWW-Authenticate", `Bearer realm="trammel", resource_metadata="`+about+`"`)
		http.Error(w, "Unauthorized: this proxy needs its own token", http.StatusUnauthorized)
		return false
	}
	req.Header.Del("Authorization")
	return true
}
