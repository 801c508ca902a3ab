package web

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/trammel-dev/trammel/internal/loopback"
	"github.com/trammel-dev/trammel/internal/post"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Gate decides who may use a proxy that is itself the protected resource
// (MCP-62): whoever has its token, or one that an authorization server has
// signed for it. The server behind the proxy never sees these tokens.
type Gate struct {
	Token string // what clients have to send, if there is no Issuer
	// Issuer is the authorization server that clients get their tokens from.
	Issuer string
	// Audience is what its tokens have to be for, if that is not the address at
	// which clients reach the proxy.
	Audience string

	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier
	failed   error // why the issuer could not be asked
	asked    time.Time
}

// issuerTime is how long an authorization server may take for an answer, and
// askAgain how long to wait after a failure.
const (
	issuerTime = 30 * time.Second
	askAgain   = 5 * time.Second
)

// algorithms are the asymmetric ones: the key that verifies is public, so it
// must not be able to sign.
var algorithms = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384, oidc.ES512,
	oidc.EdDSA}

// errToken is the error for clients: it does not say what is wrong with a
// token, because a forger could learn from that.
var errToken = errors.New("the token is not valid here: get one that is for this address, and not expired")

type userKey struct{}

// userOf is the user of a request's token, "" where no token is required.
func userOf(req *http.Request) string {
	user, _ := req.Context().Value(userKey{}).(string)
	return user
}

// admit answers requests without a valid token, and requests for metadata, and
// returns nil. It returns other requests without the token.
func (g *Gate) admit(w http.ResponseWriter, req *http.Request, path string) *http.Request {
	resource := "http://" + req.Host + path
	if req.Method == http.MethodGet && (req.URL.Path == metadataPath+path || req.URL.Path == metadataPath) {
		g.describe(w, resource)
		return nil
	}
	challenge := `Bearer realm="trammel", resource_metadata="http://` + req.Host + metadataPath + path + `"`
	scheme, given, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	given = strings.TrimSpace(given)
	if !strings.EqualFold(scheme, "bearer") || given == "" {
		w.Header().Set("WWW-Authenticate", challenge)
		http.Error(w, "Unauthorized: this proxy needs a token of its own", http.StatusUnauthorized)
		return nil
	}
	user, err := g.check(req, given, resource)
	if err != nil {
		status := http.StatusServiceUnavailable
		if errors.Is(err, errToken) {
			status = http.StatusUnauthorized
			w.Header().Set("WWW-Authenticate", challenge+`, error="invalid_token"`)
		}
		http.Error(w, http.StatusText(status)+": "+err.Error(), status)
		return nil
	}
	req = req.WithContext(context.WithValue(req.Context(), userKey{}, user))
	req.Header = req.Header.Clone()
	req.Header.Del("Authorization")
	return req
}

// describe says how the proxy is protected (RFC 9728).
func (g *Gate) describe(w http.ResponseWriter, resource string) {
	w.Header().Set("Content-Type", jsonBody)
	var meta strict.Writer
	meta.Open()
	meta.Text("resource", resource)
	if g.Issuer != "" {
		meta.List("authorization_servers", []string{g.Issuer})
	}
	meta.Any("bearer_methods_supported", []any{"header"})
	meta.Close()
	w.Write(meta.Bytes())
}

// check returns the user of a token.
func (g *Gate) check(req *http.Request, given, resource string) (user string, err error) {
	if g.Issuer == "" {
		if subtle.ConstantTimeCompare([]byte(given), []byte(g.Token)) != 1 {
			return "", errToken
		}
		return "the token", nil
	}
	verifier, err := g.keys()
	if err != nil {
		return "", err
	}
	ctx, stop := context.WithTimeout(req.Context(), issuerTime)
	defer stop()
	token, err := verifier.Verify(ctx, given)
	if err != nil {
		return "", errToken
	}
	audience := g.Audience
	if audience == "" && atOurPort(req) {
		audience = resource
	}
	if audience == "" || !oauthex.MatchesResource(token.Audience, audience) || token.Subject == "" {
		return "", errToken
	}
	return token.Issuer + " " + token.Subject, nil
}

// atOurPort reports whether the port in a client's Host header is ours. With
// another port, a token for another service of this machine would be accepted.
func atOurPort(req *http.Request) bool {
	at, ok := req.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	_, ours, err := net.SplitHostPort(at.String())
	_, theirs, err2 := net.SplitHostPort(req.Host)
	return err == nil && err2 == nil && ours == theirs
}

// keys asks the authorization server where its keys are, once.
func (g *Gate) keys() (*oidc.IDTokenVerifier, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.verifier != nil || g.failed != nil && time.Since(g.asked) < askAgain {
		return g.verifier, g.failed
	}
	g.verifier, g.failed = g.ask()
	g.asked = time.Now()
	return g.verifier, g.failed
}

func (g *Gate) ask() (*oidc.IDTokenVerifier, error) {
	ctx, stop := context.WithTimeout(context.Background(), issuerTime)
	defer stop()
	meta, err := auth.GetAuthServerMetadata(ctx, g.Issuer, client(nil))
	if err == nil && (meta == nil || meta.JWKSURI == "") {
		err = errors.New("it does not say where its keys are")
	}
	var at, issuer *url.URL
	if err == nil {
		at, err = url.Parse(meta.JWKSURI)
	}
	if err == nil {
		issuer, err = url.Parse(g.Issuer)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot ask the authorization server %s: %w", g.Issuer, err)
	}
	dial := post.DialPublic // it must not send us to other services of this machine or network (MCP-63)
	if at.Scheme == issuer.Scheme && at.Host == issuer.Host {
		dial = nil
	}
	keys := oidc.NewRemoteKeySet(oidc.ClientContext(context.Background(), client(dial)), meta.JWKSURI)
	return oidc.NewVerifier(g.Issuer, keys, &oidc.Config{SkipClientIDCheck: true, SupportedSigningAlgs: algorithms}), nil
}

// client is used only for authorization servers.
func client(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Client {
	if dial == nil {
		dial = (&net.Dialer{Timeout: issuerTime}).DialContext
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = dial
	return &http.Client{Transport: transport, Timeout: issuerTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// newIssuerGate is the gate for tokens of an authorization server.
func newIssuerGate(issuer, audience string) (*Gate, error) {
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		u.Scheme != "https" && (u.Scheme != "http" || !loopback.Is(u.Hostname())) {
		return nil, errors.New("`authorization_server` is not an https address")
	}
	return &Gate{Issuer: issuer, Audience: audience}, nil
}
