package standin

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// Issuer stands in for an OpenID provider: discovery, keys, and the
// authorization code flow with PKCE. It is strict about what a client sends.
// Tamper and Forge make it issue tokens that no real provider would.
type Issuer struct {
	*httptest.Server
	Client, Secret, Redirect string
	// Tamper, if set, changes a token before it is signed.
	Tamper func(header, claims map[string]any)
	// Forge, if set, changes a token after it was signed.
	Forge func(token string) string

	t     testing.TB
	mu    sync.Mutex
	keys  []*ecdsa.PrivateKey // the last one signs
	codes map[string]url.Values
}

// NewIssuer starts an issuer that ends with the test.
func NewIssuer(t testing.TB, client, secret, redirect string) *Issuer {
	i := &Issuer{Client: client, Secret: secret, Redirect: redirect, t: t, codes: map[string]url.Values{}}
	i.Rotate()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", i.discovery)
	mux.HandleFunc("GET /keys", i.published)
	mux.HandleFunc("GET /authorize", i.authorize)
	mux.HandleFunc("POST /token", i.token)
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

// Rotate replaces the key.
func (i *Issuer) Rotate() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		i.t.Fatal(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = append(i.keys, key)
}

func (i *Issuer) discovery(w http.ResponseWriter, _ *http.Request) {
	reply(w, http.StatusOK, map[string]any{"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token",
		"jwks_uri": i.URL + "/keys", "response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
		"id_token_signing_alg_values_supported": []string{"ES256"}, "code_challenge_methods_supported": []string{"S256"}})
}

// published has only the key that signs now.
func (i *Issuer) published(w http.ResponseWriter, _ *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	point, err := i.keys[len(i.keys)-1].PublicKey.Bytes() // 4, x, y
	if err != nil {
		i.t.Error(err)
		return
	}
	reply(w, http.StatusOK, map[string]any{"keys": []any{map[string]any{"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256",
		"kid": fmt.Sprint("k", len(i.keys)), "x": encode64(point[1:33]), "y": encode64(point[33:])}}})
}

// authorize is the page at which people log in: alice always does.
func (i *Issuer) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	for name, want := range map[string]string{"response_type": "code", "client_id": i.Client, "redirect_uri": i.Redirect,
		"code_challenge_method": "S256", "prompt": "login", "max_age": "900"} {
		if q.Get(name) != want {
			i.t.Errorf("authorize: %s is %q, want %q", name, q.Get(name), want)
		}
	}
	for name, least := range map[string]int{"state": 16, "nonce": 16, "code_challenge": 43} {
		if len(q.Get(name)) < least {
			i.t.Errorf("authorize: %s is %q, which can be guessed", name, q.Get(name))
		}
	}
	if !strings.Contains(" "+q.Get("scope")+" ", " openid ") {
		i.t.Errorf("authorize: the scope is %q", q.Get("scope"))
	}
	code := rand.Text()
	i.mu.Lock()
	i.codes[code] = q
	i.mu.Unlock()
	http.Redirect(w, r, i.Redirect+"?"+url.Values{"code": {code}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
}

// token gives a token for a code, once, to the client that began.
func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	began, known := i.codes[r.PostFormValue("code")]
	delete(i.codes, r.PostFormValue("code"))
	i.mu.Unlock()
	id, secret, _ := r.BasicAuth() // both escaped (RFC 6749, 2.3.1)
	secret, _ = url.QueryUnescape(secret)
	challenge := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !known || id != i.Client || secret != i.Secret || r.PostFormValue("grant_type") != "authorization_code" ||
		r.PostFormValue("redirect_uri") != i.Redirect || began.Get("code_challenge") != encode64(challenge[:]) {
		reply(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	now := time.Now()
	claims := map[string]any{"iss": i.URL, "sub": "alice", "aud": i.Client, "nonce": began.Get("nonce"), "iat": now.Unix(),
		"exp": now.Add(5 * time.Minute).Unix(), "auth_time": now.Unix()}
	reply(w, http.StatusOK, map[string]any{"access_token": rand.Text(), "token_type": "Bearer", "expires_in": 300, "id_token": i.sign(claims)})
}

func (i *Issuer) sign(claims map[string]any) string {
	i.mu.Lock()
	key, header := i.keys[len(i.keys)-1], map[string]any{"alg": "ES256", "typ": "JWT", "kid": fmt.Sprint("k", len(i.keys))}
	i.mu.Unlock()
	if i.Tamper != nil {
		i.Tamper(header, claims)
	}
	head, _ := json.Marshal(header) // texts and numbers
	body, _ := json.Marshal(claims)
	text := encode64(head) + "." + encode64(body)
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
	if err != nil {
		i.t.Error(err)
		return ""
	}
	var signature [64]byte
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	token := text + "." + encode64(signature[:])
	if i.Forge != nil {
		token = i.Forge(token)
	}
	return token
}

func encode64(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }
