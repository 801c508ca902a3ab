package server

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/desk"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/server/auth"
)

// console test 9, issue 10 item 5: what a foreign site, a viewer, a thief or an
// agent with a shell can send decides nothing (APR-16).
func TestNobodyElseDecides(t *testing.T) {
	w := newWorld(t, gate)
	r := w.start(t, Options{})
	me, token := r.login(), r.token(auth.Agent)
	reply := r.ask(token, w.event("s", "release", map[string]any{"version": "2.0"}))
	a := me.waiting()
	path := "/v1/approvals/" + a.ID + "/decision"
	good, _ := json.Marshal(a.approve())
	d := a.approve()
	d.Secret = ""
	noProof, _ := json.Marshal(d)
	stolen := *r // has the cookie, and knows what follows from it
	stolen.cookie, stolen.csrf = me.cookie, me.csrf
	noForm := *me
	noForm.csrf = ""
	viewer, agent := r.token(auth.Viewer), token
	for name, try := range map[string]struct {
		as      *running
		method  string
		path    string
		body    []byte
		headers []string
		want    int
	}{
		"foreign Host":           {me, "POST", path, good, []string{"Host", "evil.example"}, 421},
		"foreign Host, reading":  {me, "GET", "/v1/approvals", nil, []string{"Host", "evil.example:7777"}, 421},
		"foreign Origin":         {me, "POST", path, good, []string{"Origin", "https://evil.example"}, 403},
		"cross-site":             {me, "POST", path, good, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		"no token of the form":   {&noForm, "POST", path, good, nil, 403},
		"a viewer's token":       {r, "POST", path, noProof, []string{"Authorization", "Bearer " + viewer}, 403},
		"a viewer's, and secret": {r, "POST", path, good, []string{"Authorization", "Bearer " + viewer}, 403},
		"an agent's token":       {r, "POST", path, noProof, []string{"Authorization", "Bearer " + agent}, 403},
		"a made-up token":        {r, "POST", path, good, []string{"Authorization", "Bearer trm_MADEUP"}, 401},
		"nobody":                 {r, "POST", path, good, nil, 401},
		"a stolen session":       {&stolen, "POST", path, noProof, nil, 401},
		"a link with a decision": {me, "GET", path + "?decision=approve&secret=" + url.QueryEscape(passphrase), nil, nil, 404},
		"a page's link":          {me, "GET", "/approvals/" + a.ID + "?do=approve&nonce=" + a.Nonce + "&digest=" + a.Digest, nil, nil, 200},
		"a replayed form": {&noForm, "POST", "/approvals/" + a.ID, []byte("do=approve"), []string{"Content-Type",
			"application/x-www-form-urlencoded"}, 403},
	} {
		res := try.as.send(try.method, try.path, string(try.body), try.headers...)
		res.Body.Close()
		if res.StatusCode != try.want {
			t.Errorf("%s: %s, want %d", name, res.Status, try.want)
		}
	}
	if now := me.waiting(); now.ID != a.ID || len(now.Votes) > 0 {
		t.Errorf("%+v", now)
	}
	// The agent's own user on the socket sees, and decides nothing.
	socket := w.socketClient()
	res, err := socket.Get("http://trammel/v1/approvals/" + a.ID)
	if err != nil || res.StatusCode != 200 {
		t.Fatal(res, err)
	}
	res.Body.Close()
	res, err = socket.Post("http://trammel"+path, "application/json", strings.NewReader(string(noProof)))
	if err != nil || res.StatusCode != 403 {
		t.Fatal(res.Status, err)
	}
	res.Body.Close()
	if status := me.call("POST", path, Decision{Nonce: a.Nonce, Digest: a.Digest, Decision: "reject", Comment: "no", Secret: passphrase},
		nil); status != 200 {
		t.Fatal(status)
	}
	if v := <-reply; v.Decision != "deny" || !strings.Contains(v.Reason, "local: no") {
		t.Errorf("%+v", v)
	}
}

// UI-29: guesses of the secret are counted, and so are decisions.
func TestUI29Limits(t *testing.T) {
	w := newWorld(t, gate)
	r := w.start(t, Options{})
	me := r.login()
	d := Decision{Nonce: "n", Digest: "d", Decision: "approve", Secret: "guess"}
	last := 0
	for range 6 {
		last = me.call("POST", "/v1/approvals/apr_x/decision", d, nil)
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("six guesses: %d", last)
	}
	guesses := 0
	logs, err := filepath.Glob(filepath.Join(w.dirs.State, "evidence", "*"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("%v %v", logs, err)
	}
	for _, log := range logs {
		err = errors.Join(err, evidence.List(log, evidence.Filter{}, func(row evidence.Row) error {
			if row.Event == "authority.refused" && strings.Contains(row.Summary, "127.0.0.1") {
				guesses++
			}
			return nil
		}))
	}
	if err != nil || guesses != 5 {
		t.Errorf("%d of 5 guesses are on record: %v", guesses, err)
	}
	d.Secret = ""
	for range 60 {
		last = me.call("POST", "/v1/approvals/apr_x/decision", d, nil)
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("sixty decisions: %d", last)
	}
}

// Every answer keeps browsers from loading, framing and keeping it (UI-27).
func TestUI27Headers(t *testing.T) {
	r := newWorld(t, gate).start(t, Options{})
	for _, path := range []string{"/healthz", "/login", "/v1/approvals", "/nothing"} {
		res := r.send("GET", path, "")
		res.Body.Close()
		csp := res.Header.Get("Content-Security-Policy")
		if !strings.Contains(csp, "default-src 'none'") || !strings.Contains(csp, "frame-ancestors 'none'") ||
			strings.Contains(csp, "'nonce-") == strings.HasPrefix(path, "/v1/") ||
			res.Header.Get("Cache-Control") == "" || res.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, res.Header)
		}
	}
}

// On an address that others reach there is TLS, and a way to be known.
func TestRefusesToBeOpen(t *testing.T) {
	w := newWorld(t, gate)
	for _, o := range []Options{{Listen: "0.0.0.0:0"}, {Listen: ":0"}, {Listen: "192.0.2.1:7777", TLSCert: "c"},
		{Listen: "0.0.0.0:0", TLSCert: "c", TLSKey: "k"}, {Listen: "127.0.0.1:0", Issuer: "https://id.example"}} {
		o.Log = quiet
		if _, err := Open(t.Context(), w.dirs, &o); err == nil {
			t.Errorf("%+v is taken", o)
		} else if !strings.Contains(err.Error(), "--") {
			t.Errorf("%v does not say what to do", err)
		}
	}
}

// The key is private, and stays the same.
func TestServerKey(t *testing.T) {
	w := newWorld(t, gate)
	first, err := OpenKey(t.Context(), w.dirs.State)
	if err != nil {
		t.Fatal(err)
	}
	again, err := OpenKey(t.Context(), w.dirs.State)
	ring, _ := approvals.LoadKeyring(w.dirs.State)
	if err != nil || again.KeyID() != first.KeyID() || len(ring.Servers) != 1 || ring.Authority == nil {
		t.Errorf("%v, %d servers", err, len(ring.Servers))
	}
	if info, _ := os.Stat(KeyFile(w.dirs.State)); info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
	os.Chmod(KeyFile(w.dirs.State), 0o644)
	if _, err := OpenKey(t.Context(), w.dirs.State); err == nil {
		t.Error("a key that others can read is taken")
	}
}

// Whoever can write to the store cannot let themselves in.
func TestSessionInTheStore(t *testing.T) {
	w := newWorld(t, gate)
	r := w.start(t, Options{})
	st, err := desk.OpenStore(t.Context(), w.dirs.State, "")
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	me := r.login()
	list, err := r.Auth.Credentials.List(t.Context(), auth.Session)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	b := trammel.Bucket{Name: "server/credentials", Keep: time.Hour}
	err = st.Update(t.Context(), &b, []trammel.Key{{list[0].ID}}, func(v [][]byte) error {
		v[0] = []byte(strings.Replace(string(v[0]), `"identity":"`, `"identity":"oidc:boss`, 1))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if status := me.call("GET", "/v1/approvals", nil, nil); status != 401 {
		t.Errorf("a session that was changed in the store: %d", status)
	}
}

// A stream begins where it was left; after a restart it says so.
func TestStream(t *testing.T) {
	w := newWorld(t, gate)
	r := w.start(t, Options{})
	me, token := r.login(), r.token(auth.Agent)
	listen := func(r *running, cursor string) (*bufio.Scanner, io.Closer) {
		res := r.send("GET", "/v1/stream", "", "Last-Event-ID", cursor)
		return bufio.NewScanner(res.Body), res.Body
	}
	until := func(s *bufio.Scanner, prefix string) string {
		for s.Scan() {
			if strings.HasPrefix(s.Text(), prefix) {
				return s.Text()
			}
		}
		t.Fatalf("no %q: %v", prefix, s.Err())
		return ""
	}
	s, end := listen(me, "")
	until(s, "id: ")
	<-r.ask(token, w.event("s", "shell", map[string]any{"command": "ls"}))
	cursor := strings.TrimPrefix(until(s, "id: "), "id: ")
	until(s, "event: record")
	end.Close()
	<-r.ask(token, w.event("s", "shell", map[string]any{"command": "git push --force"}))
	s, end = listen(me, cursor)
	until(s, "event: record")
	if data := until(s, "data: "); !strings.Contains(data, "deny") {
		t.Error(data)
	}
	end.Close()
	r.stop()
	next := w.start(t, Options{})
	again := *next
	again.cookie, again.csrf = me.cookie, me.csrf
	s, end = listen(&again, cursor)
	defer end.Close()
	until(s, "event: reset")
}
