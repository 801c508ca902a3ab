package web

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// issuer is an authorization server on this machine.
type issuer struct {
	*httptest.Server
	t    *testing.T
	key  *rsa.PrivateKey
	keys string // where it says that its keys are, if not where they are
}

func newIssuer(t *testing.T) *issuer {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	as := &issuer{t: t, key: key}
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", jsonBody)
		json.NewEncoder(w).Encode(v)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		keys := as.keys
		if keys == "" {
			keys = as.URL + "/keys"
		}
		answer(w, map[string]any{"issuer": as.URL, "jwks_uri": keys, "authorization_endpoint": as.URL + "/authorize",
			"token_endpoint": as.URL + "/token", "code_challenge_methods_supported": []string{"S256"},
			"grant_types_supported": []string{"authorization_code"}, "token_endpoint_auth_methods_supported": []string{"client_secret_post"}})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "1", Algorithm: "RS256", Use: "sig"}}})
	})
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		id, _, _ := r.BasicAuth()
		if id == "" {
			id = r.FormValue("client_id")
		}
		answer(w, map[string]any{"access_token": as.token(map[string]any{"aud": r.FormValue("resource"), "sub": id}), "token_type": "Bearer",
			"expires_in": 600})
	})
	as.Server = httptest.NewServer(mux)
	t.Cleanup(as.Close)
	return as
}

// token signs claims, with what each token has.
func (as *issuer) token(claims map[string]any) string {
	return as.signed(jose.RS256, as.key, claims)
}

func (as *issuer) signed(algorithm jose.SignatureAlgorithm, key any, claims map[string]any) string {
	all := map[string]any{"iss": as.URL, "sub": "ann", "exp": time.Now().Add(time.Hour).Unix()}
	for name, value := range claims {
		all[name] = value
	}
	body, err := json.Marshal(all)
	if err != nil {
		as.t.Fatal(err)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", "1"))
	if err != nil {
		as.t.Fatal(err)
	}
	jws, err := signer.Sign(body)
	if err != nil {
		as.t.Fatal(err)
	}
	text, err := jws.CompactSerialize()
	if err != nil {
		as.t.Fatal(err)
	}
	return text
}

// guarded starts a relay behind a gate, and returns its address.
func guarded(t *testing.T, upstream string, g *Gate) string {
	up, err := NewUpstream(upstream)
	if err != nil {
		t.Fatal(err)
	}
	up.Header = http.Header{"Authorization": {"Bearer of-the-proxy"}}
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	r := &Relay{Upstream: up, NewSession: newSession, Gate: g}
	go r.Serve(ctx, l)
	return "http://" + l.Addr().String() + up.Path()
}

// MCP-62: a client of the official SDK finds the authorization server by what the
// proxy says, gets a token for the proxy, and calls a tool. The server behind it
// sees the proxy's credentials only.
func TestSDKSignsIn(t *testing.T) {
	as := newIssuer(t)
	server := sdk.NewServer(&sdk.Implementation{Name: "s", Version: "1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "fine"}, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "done"}}}, nil, nil
	})
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil)
	var mu sync.Mutex
	seen := map[string]int{}
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen[r.Header.Get("Authorization")]++
		mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(behind.Close)
	gate, err := newIssuerGate(as.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	oauth, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{RedirectURL: "http://localhost:1/back",
		PreregisteredClient: &oauthex.ClientCredentials{ClientID: "ann", ClientSecretAuth: &oauthex.ClientSecretAuth{ClientSecret: "x"}},
		AuthorizationCodeFetcher: func(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) { // the browser
			u, err := url.Parse(args.URL)
			return &auth.AuthorizationResult{Code: "code", State: u.Query().Get("state")}, err
		}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	client := sdk.NewClient(&sdk.Implementation{Name: "c", Version: "1"}, nil)
	at := guarded(t, behind.URL+"/mcp", gate)
	session, err := client.Connect(ctx, &sdk.StreamableClientTransport{Endpoint: at, OAuthHandler: oauth}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	got, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "fine", Arguments: map[string]any{}})
	if err != nil || got.IsError {
		t.Errorf("%+v, %v", got, err)
	}
	mu.Lock()
	defer mu.Unlock()
	if seen["Bearer of-the-proxy"] == 0 || len(seen) != 1 {
		t.Errorf("the server saw %v", seen)
	}
}

// MCP-62: only tokens count that the authorization server has signed for this
// address, and a session is its user's only.
func TestTokensOfAnIssuer(t *testing.T) {
	as, other := newIssuer(t), newIssuer(t)
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Content-Type", jsonBody)
		w.Header().Set(sessionHeader, "of-ann")
		w.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`))
	})
	gate, err := newIssuerGate(as.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	at := guarded(t, s.URL+"/mcp", gate)
	named, err := newIssuerGate(as.URL, "urn:tickets")
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := guarded(t, s.URL+"/mcp", named)
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`
	for name, c := range map[string]struct {
		token, url, host string
		status           int
	}{
		"ours":                   {as.token(map[string]any{"aud": at}), at, "", 200},
		"ours among others":      {as.token(map[string]any{"aud": []string{"x", at}}), at, "", 200},
		"by name":                {as.token(map[string]any{"aud": "urn:tickets"}), elsewhere, "", 200},
		"by address, not name":   {as.token(map[string]any{"aud": elsewhere}), elsewhere, "", 401},
		"for another":            {as.token(map[string]any{"aud": "https://other.example/mcp"}), at, "", 401},
		"for nobody":             {as.token(nil), at, "", 401},
		"for another port":       {as.token(map[string]any{"aud": "http://localhost:1/mcp"}), at, "localhost:1", 401},
		"of nobody":              {as.token(map[string]any{"aud": at, "sub": ""}), at, "", 401},
		"expired":                {as.token(map[string]any{"aud": at, "exp": time.Now().Add(-time.Minute).Unix()}), at, "", 401},
		"without an end":         {as.token(map[string]any{"aud": at, "exp": nil}), at, "", 401},
		"not yet":                {as.token(map[string]any{"aud": at, "nbf": time.Now().Add(time.Hour).Unix()}), at, "", 401},
		"another's name":         {as.token(map[string]any{"aud": at, "iss": other.URL}), at, "", 401},
		"another's key":          {as.signed(jose.RS256, other.key, map[string]any{"aud": at}), at, "", 401},
		"signed by a secret":     {as.signed(jose.HS256, []byte(strings.Repeat("k", 32)), map[string]any{"aud": at}), at, "", 401},
		"not signed":             {"eyJhbGciOiJub25lIn0." + strings.Split(as.token(map[string]any{"aud": at}), ".")[1] + ".", at, "", 401},
		"no token of an issuer":  {"sesame", at, "", 401},
		"the proxy's own header": {"of-the-proxy", at, "", 401},
		"none":                   {"", at, "", 401},
	} {
		t.Run(name, func(t *testing.T) {
			before := len(s.saw(""))
			header := map[string]string{"Authorization": "Bearer " + c.token, "Host": c.host}
			got := ask(t, "POST", c.url, hello, header)
			if got.status != c.status || (len(s.saw("")) > before) != (c.status == 200) {
				t.Errorf("%+v", got)
			}
			if challenge := got.header.Get("WWW-Authenticate"); c.status == 401 && !strings.Contains(challenge, "resource_metadata=") {
				t.Errorf("challenged by %q", challenge)
			}
		})
	}
	for _, a := range s.saw("") {
		if a.header.Get("Authorization") != "Bearer of-the-proxy" {
			t.Errorf("the server got %v", a.header)
		}
	}
	for user, status := range map[string]int{"ann": 200, "bob": 404} {
		header := map[string]string{"Authorization": "Bearer " + as.token(map[string]any{"aud": at, "sub": user}), sessionHeader: "of-ann"}
		if got := ask(t, "POST", at, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, header); got.status != status {
			t.Errorf("%s in the session of ann: %+v", user, got)
		}
	}
}

// MCP-63: an authorization server cannot have keys fetched from elsewhere on this
// machine, and one that cannot be asked lets nobody in.
func TestIssuerSendsUsElsewhere(t *testing.T) {
	as, other := newIssuer(t), newIssuer(t)
	as.keys = other.URL + "/keys"
	for name, issuer := range map[string]string{"keys of another": as.URL, "nobody there": "http://127.0.0.1:1",
		"not its name": other.URL + "/x"} {
		gate, err := newIssuerGate(issuer, "urn:x")
		if err != nil {
			t.Fatal(err)
		}
		s := newServer(t, func(w http.ResponseWriter, _ *http.Request, _ string) {})
		at := guarded(t, s.URL+"/mcp", gate)
		token := as.signed(jose.RS256, other.key, map[string]any{"aud": "urn:x"})
		got := ask(t, "POST", at, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, map[string]string{"Authorization": "Bearer " + token})
		if got.status != 401 && got.status != 503 || len(s.saw("")) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, bad := range []string{"", "login.example.com", "http://login.example.com", "https://a:b@login.example.com", "https://x?y"} {
		if _, err := newIssuerGate(bad, ""); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
