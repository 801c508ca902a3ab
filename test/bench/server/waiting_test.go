//go:build unix

package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/server"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/test/people"
)

// crowd is a server with many who wait, and how long it takes them.
type crowd struct {
	testing.TB
	address, project    string
	agent, viewer       string
	person              *http.Cookie // of whoever decides
	client              *http.Client
	heard               atomic.Int64 // how much the streams have told, in bytes
	pages, votes, wakes []time.Duration
}

// login begins a session of the person who decides.
func (c *crowd) login() {
	leave := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := leave.PostForm(c.address+"/login", url.Values{"secret": {people.Secret}})
	if err != nil {
		c.Fatal(err)
	}
	defer res.Body.Close()
	if len(res.Cookies()) != 1 {
		c.Fatal(res.Status)
	}
	c.person = res.Cookies()[0]
}

// do makes a request with a token, or as the person if that is empty.
func (c *crowd) do(method, path, token string, body []byte) (int, []byte) {
	req, err := http.NewRequestWithContext(c.Context(), method, c.address+path, bytes.NewReader(body))
	if err != nil {
		c.Fatal(err)
	}
	if token == "" {
		req.AddCookie(c.person)
		req.Header.Set(auth.CSRFHeader, auth.CSRF(c.person.Value))
	} else {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	req.Header.Set("Prefer", "wait=3600")
	res, err := c.client.Do(req)
	if err != nil {
		return 0, []byte(err.Error())
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	return res.StatusCode, text
}

// waiting has streams open, hooks wait and requests pend, and measures a page and
// decisions meanwhile.
func waiting(tb testing.TB, streams, hooks, pending, decisions int) *crowd {
	s, address, project := run(tb)
	c := &crowd{TB: tb, address: address, project: project, agent: tokenOf(tb, s, auth.Agent, 0), viewer: tokenOf(tb, s, auth.Viewer, 1),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	c.login()
	for i := range streams {
		c.listen(tokenOf(tb, s, auth.Viewer, 2+i/8))
	}
	for i := range pending - hooks {
		if status, text := c.do("POST", "/v1/events", c.agent, request(project, "later", i)); status != 200 {
			tb.Fatalf("%d %s", status, text)
		}
	}
	var all sync.WaitGroup
	tb.Cleanup(all.Wait)                 // they end with the test
	woken := make([]atomic.Int64, hooks) // when each went on
	for i := range hooks {
		all.Go(func() {
			status, text := c.do("POST", "/v1/events", c.agent, request(project, "release", i))
			if now := time.Now().UnixNano(); status == 200 && bytes.Contains(text, []byte(`"allow"`)) {
				woken[i].Store(now)
			} else if c.Context().Err() == nil {
				tb.Errorf("call %d: %d %s", i, status, text)
			}
		})
	}
	list := c.requests(hooks)
	for i := range decisions {
		a := list[i]
		began := time.Now()
		if status, text := c.do("GET", "/v1/approvals?q=state:pending", c.viewer, nil); status != 200 {
			tb.Errorf("%d %s", status, text)
		}
		c.pages = append(c.pages, time.Since(began))
		began = time.Now()
		body, _ := json.Marshal(server.Decision{Nonce: a.Nonce, Digest: a.Digest, Decision: "approve", Secret: people.Secret})
		if status, text := c.do("POST", "/v1/approvals/"+a.ID+"/decision", "", body); status != 200 {
			tb.Fatalf("%d %s", status, text)
		}
		decided := time.Now()
		c.votes = append(c.votes, decided.Sub(began))
		var n int
		fmt.Sscanf(a.Arguments[strings.Index(a.Arguments, "version"):], "version\": %d", &n)
		for woken[n].Load() == 0 {
			if time.Since(decided) > time.Minute {
				tb.Fatalf("call %d was approved, and does not go on", n)
			}
			time.Sleep(time.Millisecond)
		}
		c.wakes = append(c.wakes, max(0, time.Duration(woken[n].Load()-decided.UnixNano())))
	}
	c.client.CloseIdleConnections()
	return c
}

// listen opens a stream and counts what comes.
func (c *crowd) listen(token string) {
	req, err := http.NewRequestWithContext(c.Context(), "GET", c.address+"/v1/stream", nil)
	if err != nil {
		c.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := c.client.Do(req)
	if err != nil || res.StatusCode != 200 {
		c.Fatalf("%v: %v", err, res)
	}
	go func() {
		defer res.Body.Close()
		buf := make([]byte, 32<<10)
		for {
			n, err := res.Body.Read(buf)
			if c.heard.Add(int64(n)); err != nil {
				return
			}
		}
	}()
}

// requests are those that hooks wait for.
func (c *crowd) requests(want int) (out []server.Approval) {
	for begin := time.Now(); time.Since(begin) < 4*time.Minute; time.Sleep(50 * time.Millisecond) {
		out = nil
		for before := int64(0); ; {
			var list server.ApprovalList
			status, text := c.do("GET", fmt.Sprintf("/v1/approvals?q=state:pending+tool:release&before=%d", before), c.viewer, nil)
			if err := json.Unmarshal(text, &list); status != 200 || err != nil {
				c.Fatalf("%d %s", status, text)
			}
			for _, a := range list.Approvals {
				out = append(out, *a)
			}
			if before = list.Next; before == 0 {
				break
			}
		}
		if len(out) >= want {
			return out
		}
	}
	c.Fatalf("%d of %d wait", len(out), want)
	return nil
}

func p95(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)*95/100]
}

// Many streams, hooks that wait and requests leave the server responsive
// (issue 10, item 4); BenchmarkWaiting has the numbers that are asked for.
func TestWaiting(t *testing.T) {
	c := waiting(t, 16, 20, 60, 5)
	for what, took := range map[string]time.Duration{"a page": p95(c.pages), "to wake up": p95(c.wakes)} {
		if took > 30*time.Second { // on a busy machine
			t.Errorf("%s: %s", what, took)
		}
	}
	if c.heard.Load() == 0 {
		t.Error("the streams are silent")
	}
}

// BenchmarkWaiting is for 200 streams, 200 hooks that wait and 1,000 requests.
func BenchmarkWaiting(b *testing.B) {
	for b.Loop() {
		c := waiting(b, 200, 200, 1000, 40)
		b.ReportMetric(float64(p95(c.pages).Milliseconds()), "page-p95-ms")
		b.ReportMetric(float64(p95(c.votes).Milliseconds()), "vote-p95-ms")
		b.ReportMetric(float64(p95(c.wakes).Milliseconds()), "wake-p95-ms")
		b.ReportMetric(0, "ns/op")
	}
}
