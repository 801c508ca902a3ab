package web

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// MCP-62: who signs clients in is the server's to say. What it says reaches the
// client as it is, and nobody's credentials go there.
func TestMetadataIsRelayed(t *testing.T) {
	const document = `{"resource":"https://mcp.example.com/mcp", "authorization_servers":["https://login.example.com"],  "x":1.0}`
	s := newServer(t, func(w http.ResponseWriter, r *http.Request, _ string) {
		if !strings.HasPrefix(r.URL.Path, metadataPath) {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", jsonBody)
		w.Header().Set("Cache-Control", "max-age=60")
		io.WriteString(w, document)
	})
	origin := strings.TrimSuffix(relayTo(t, s), "/mcp")
	for path, want := range map[string]reply{
		metadataPath:                              {status: 200, body: document},
		metadataPath + "/mcp":                     {status: 200, body: document},
		metadataPath + "x":                        {status: 404},
		"/.well-known/oauth-authorization-server": {status: 404},
		"/.well-known/other":                      {status: 404},
		"/other":                                  {status: 404},
	} {
		got := ask(t, http.MethodGet, origin+path, "", map[string]string{"Authorization": "Bearer of-the-client", "Cookie": "a=b"})
		if got.status != want.status || want.body != "" && (got.body != want.body || got.header.Get("Cache-Control") != "max-age=60") {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if got := ask(t, http.MethodGet, origin+metadataPath, "", map[string]string{"Origin": "https://evil.example"}); got.status != 403 {
		t.Errorf("for another site: %+v", got)
	}
	for _, a := range s.saw("") {
		if len(a.header["Authorization"])+len(a.header["Cookie"]) > 0 {
			t.Errorf("the server got %v", a.header)
		}
	}
	if n := len(s.saw("")); n != 3 {
		t.Errorf("the server was asked %d times", n)
	}
}
