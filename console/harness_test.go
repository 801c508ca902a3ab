package console_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/console"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/server/secure"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/store/sqlite"
)

const theSecret = "correct horse battery"

// sealed is made once: it costs a tenth of a second.
var sealed = sync.OnceValue(func() *approvals.Sealed {
	s, err := approvals.Seal(theSecret)
	if err != nil {
		panic(err)
	}
	return s
})

// site is a console as a server has it, on loopback.
type site struct {
	*httptest.Server
	approvals *approvals.Service
	auth      *auth.Auth
	key       approvals.PrivateKey

	broken atomic.Bool // the store cannot be opened

	mu    sync.Mutex
	clock time.Time
}

func (s *site) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clock.IsZero() {
		return time.Now()
	}
	return s.clock
}

func newSite(t testing.TB, change ...func(*console.Deps)) *site {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	public, private, _ := ed25519.GenerateKey(nil)
	s := &site{key: approvals.PrivateKey(private)}
	keys := approvals.Keys{Servers: approvals.Named(public), Authority: approvals.Named(sealed().Public)}
	people := map[string][]string{"al": {"oidc:al", "authority:" + approvals.KeyID(sealed().Public)}, "bo": {"oidc:bo"}, "cy": {"oidc:cy"}}
	roster := &approvals.Roster{People: people, Groups: map[string][]string{"release": {"al", "bo", "cy"}}}
	s.approvals = &approvals.Service{Store: st, Roster: roster, Keys: keys, Now: s.now}
	s.auth = (&auth.Auth{Credentials: &auth.Credentials{State: st, Signer: s.key, Servers: keys.Servers, Now: s.now},
		Roster:    func() *approvals.Roster { return roster },
		Authority: func() (*approvals.Sealed, error) { return sealed(), nil }, Server: s.key, Now: s.now,
		Wrong:   func(context.Context, string) error { return nil },
		Problem: func(w http.ResponseWriter, _ *http.Request, status int, detail string) { http.Error(w, detail, status) }}).Ready()
	d := console.Deps{Approvals: s.service, Decider: s.auth.Decider,
		Now: s.now, Edit: edit, CallPattern: callPattern}
	for _, c := range change {
		c(&d)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /login", s.auth.Login)
	mux.HandleFunc("POST /logout", s.auth.Logout)
	mux.Handle("/", console.New(d))
	s.Server = httptest.NewServer(secure.Headers(false, http.NewCrossOriginProtection().Handler(s.auth.Middleware(mux))))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close(); st.Close() })
	return s
}

func (s *site) service(context.Context) (*approvals.Service, error) {
	if s.broken.Load() {
		return nil, errors.New("disk full")
	}
	return s.approvals, nil
}

// edit stands for the guards: they deny what has "force" in it.
func edit(_ context.Context, a *store.Approval, args []byte) (*store.Edit, error) {
	e, err := approvals.NewEdit(a, args)
	if err == nil && strings.Contains(string(args), "force") {
		return nil, &approvals.Refusal{Code: approvals.RefusedGuard, Detail: "no-force denies the edited call"}
	}
	if err == nil {
		e.Answers = []string{"shell-guard: nothing against it"}
	}
	return e, err
}

// callPattern is what calls like this one have in common.
func callPattern(a *store.Approval) (approvals.CallPattern, error) {
	ev, err := approvals.EventOf(a, trammel.Shapes{"Bash": {Kind: trammel.ShellAction, Command: []string{"command"}}})
	if err != nil {
		return approvals.CallPattern{}, err
	}
	return approvals.PatternOf(ev)
}

// call is what an agent asks for.
type call struct {
	tool    string
	input   map[string]any
	session string
	n       int
	expires time.Duration
	user    string
	effects []string
	comment bool
	id      string // the host's of the call
}

func (s *site) ask(t testing.TB, c call) *store.Approval {
	t.Helper()
	if c.session == "" {
		c.session = "a91f"
	}
	ev := &trammel.Event{Kind: trammel.PreToolUse, Host: "codex", Session: trammel.Session{ID: c.session, Project: "/home/bo/api",
		Agent:   "reviewer",
		Parents: []string{"main"}}, Tool: &trammel.ToolCall{ID: c.id, Name: c.tool, Input: c.input}}
	if text, ok := c.input["command"].(string); ok {
		ev.Tool.Action = trammel.Action{Kind: trammel.ShellAction, Command: text}
	}
	if c.expires == 0 {
		c.expires = 10 * time.Minute
	}
	a, err := s.approvals.Ask(t.Context(), &approvals.Request{Event: ev, Hook: "release-gate", Source: "trammel.yaml:14", Policy: "p1",
		Reason: "This publishes a release", Expires: c.expires, Window: 5 * time.Minute, User: c.user, Effects: c.effects,
		Needs: store.Needs{Factors: []store.Factor{{Approvers: []string{"group:release"}, N: max(c.n, 1)}}, DenyAt: 1, Comment: c.comment}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (s *site) state(t testing.TB, id string) *store.Approval {
	t.Helper()
	a, err := s.approvals.Store.Approval(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// visitor is a browser without script.
type visitor struct {
	t    testing.TB
	site *site
	http.Client
	cookie string
}

// as is somebody who is logged in at an issuer a moment ago.
func (s *site) as(t testing.TB, name string, role auth.Role) *visitor {
	t.Helper()
	return s.with(t, auth.Credential{Kind: auth.Session, Name: name, Identity: "oidc:" + name, Role: role, Proved: s.now()})
}

func (s *site) with(t testing.TB, c auth.Credential) *visitor {
	t.Helper()
	secret, err := s.auth.Credentials.Create(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	v := s.nobody(t)
	u, _ := url.Parse(s.URL)
	v.Jar.SetCookies(u, []*http.Cookie{{Name: "trammel", Value: secret, Path: "/"}})
	v.cookie = secret
	return v
}

func (s *site) nobody(t testing.TB) *visitor {
	jar, _ := cookiejar.New(nil)
	return &visitor{t: t, site: s, Client: http.Client{Jar: jar}}
}

// get loads a page.
func (v *visitor) get(path string) (int, string) {
	v.t.Helper()
	r, _ := http.NewRequest(http.MethodGet, v.site.URL+path, nil)
	r.Header.Set("Accept", "text/html")
	res, err := v.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([a-z]+)" value="([^"]*)">`)

// form is what a page's form carries along; what comes last counts.
func form(body string) url.Values {
	out := url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(body, -1) {
		out.Set(m[1], m[2])
	}
	return out
}

// post sends a form.
func (v *visitor) post(path string, f url.Values) (int, string) {
	v.t.Helper()
	res, err := v.PostForm(v.site.URL+path, f)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(body)
}

// decide opens a card and sends its form with something changed.
func (v *visitor) decide(id string, change url.Values) (int, string) {
	v.t.Helper()
	status, body := v.get("/approvals/" + id)
	if status != 200 {
		v.t.Fatalf("%d %s", status, body)
	}
	f := form(body)
	for k, values := range change {
		f[k] = values
	}
	return v.post("/approvals/"+id, f)
}

var tags = regexp.MustCompile(`<[^>]*>`)

// has checks that a page says something, in its text or its markup.
func has(t testing.TB, body string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(html.UnescapeString(body), text) && !strings.Contains(html.UnescapeString(tags.ReplaceAllString(body, "")), text) {
			t.Errorf("%q is not on the page:\n%.3000s", text, main(body))
		}
	}
}

func hasNot(t testing.TB, body string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(body, text) {
			t.Errorf("%q is on the page", text)
		}
	}
}

// main is the part of a page that differs.
func main(body string) string {
	if _, rest, ok := strings.Cut(body, "<main"); ok {
		body, _, _ = strings.Cut(rest, "</main>")
	}
	return body
}
