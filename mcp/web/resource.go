package web

import (
	"maps"
	"net/http"
	"path"
	"strings"
)

// metadataPath is where a resource says how it is protected (RFC 9728).
const metadataPath = "/.well-known/oauth-protected-resource"

// isMetadata reports whether a client asks how the server is protected, or by
// whom.
func isMetadata(req *http.Request) bool {
	if path.Clean(req.URL.Path) != req.URL.Path {
		return false // it would lead to another address
	}
	for _, at := range []string{metadataPath, "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"} {
		if rest, ok := strings.CutPrefix(req.URL.Path, at); ok && (rest == "" || rest[0] == '/') && req.Method == http.MethodGet {
			return true
		}
	}
	return false
}

// metadata passes on the server's answer unchanged. The request has no
// credentials.
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

// maxMetadata is larger than any of these documents.
const maxMetadata = 256 << 10

// admits answers requests that are refused: from other machines, for another
// path, or stopped by the gate. It returns the request to handle, or nil.
func admits(w http.ResponseWriter, req *http.Request, path string, gate *Gate) *http.Request {
	if !local(req) {
		http.Error(w, "Forbidden: only this machine may use this proxy", http.StatusForbidden)
		return nil
	}
	if name := doubled(req.Header); name != "" {
		http.Error(w, "Bad Request: found this header twice: "+name, http.StatusBadRequest)
		return nil
	}
	if gate != nil {
		if req = gate.admit(w, req, path); req == nil {
			return nil
		}
	}
	if req.URL.Path != path {
		http.NotFound(w, req)
		return nil
	}
	return req
}
