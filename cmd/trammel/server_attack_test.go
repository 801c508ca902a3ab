//go:build unix

package main

import (
	"bufio"
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An agent on the machine of a running server, with what it can send there:
// links, forms, decisions without proof, webhooks that it has signed itself or
// has not, cannot approve its own request (issue 10, must show 5; APR-16).
func TestAnAgentAgainstTheServer(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.write(filepath.Join(d.home, ".config/trammel/trammel.yaml"), strings.Replace(gatedPayments, "hooks:", `approvals:
  people: {al: "webhook:al"}
  channels: {desk: {type: webhook, url: "http://127.0.0.1:1/desk", secret_env: DESK_OUT, decision_secret_env: DESK_IN}}
hooks:`, 1))
	d.setSecret()
	d.call("pay", payment)
	id := d.pending()
	address, link := d.serve("DESK_OUT=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "DESK_IN=whsec_QUFBQUFBQUFBQUFBQUFBQUFBQUE=")
	now := strconv.FormatInt(time.Now().Unix(), 10)
	click := `{"type":"approval.decision","data":{"approval_id":"` + id + `","decision":"approve","decider":{"id":"al"}}}`
	decision := `{"decision":"approve","secret":"guess"}`
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	for _, c := range []struct {
		name, method, path, body string
		header                   []string
	}{
		{"a link", "GET", "/approvals/" + id + "?do=approve&decision=approve", "", nil},
		{"a link to the interface", "GET", "/v1/approvals/" + id + "/decision?decision=approve", "", nil},
		{"the link that it could have printed itself", "GET", link, "", nil},
		{"a form", "POST", "/approvals/" + id, "do=approve", form},
		{"a decision", "POST", "/v1/approvals/" + id + "/decision", decision, nil},
		{"a decision with a token that it made up", "POST", "/v1/approvals/" + id + "/decision", decision,
			[]string{"Authorization", "Bearer trm_AAAAAAAAAAAAAAAAAAAAAAAAAA"}},
		{"a webhook without a signature", "POST", "/v1/channels/desk/callback", click, nil},
		{"a webhook with one that it made up", "POST", "/v1/channels/desk/callback", click,
			[]string{"webhook-id", "x", "webhook-timestamp", now, "webhook-signature", "v1,AAAA"}},
		{"a webhook signed with an empty key", "POST", "/v1/channels/desk/callback", click,
			[]string{"webhook-id", "x", "webhook-timestamp", now, "webhook-signature", "v1,"}},
		{"a webhook as a link", "GET", "/v1/channels/desk/callback?approval_id=" + id + "&decision=approve", "", nil},
		{"another channel", "POST", "/v1/channels/other/callback", click, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), c.method, address+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i+1 < len(c.header); i += 2 {
				req.Header.Set(c.header[i], c.header[i+1])
			}
			res, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			said, _ := io.ReadAll(res.Body)
			res.Body.Close()
			if c.method == "POST" && res.StatusCode/100 == 2 {
				t.Errorf("%s %.200s", res.Status, said)
			}
			if out := d.call("pay", payment); !strings.Contains(out, refusal) {
				t.Errorf("the call passes: %s", out)
			}
		})
	}
	if d.pending() != id {
		t.Error("the request is not there any more")
	}
}

// serve runs trammel serve until the test ends, and returns where it listens
// and the link that it prints.
func (d *testDesk) serve(env ...string) (address, link string) { return d.serveWith(nil, env...) }

// serveWith is serve with more flags.
func (d *testDesk) serveWith(flags []string, env ...string) (address, link string) {
	d.t.Helper()
	cmd := d.command(append([]string{"trammel", "serve", "--listen", "127.0.0.1:0"}, flags...)...)
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if at, ok := strings.CutPrefix(lines.Text(), "Listening on "); ok {
			address = at
		}
		if _, at, ok := strings.Cut(lines.Text(), address+"/login?link="); ok {
			return address, "/login?link=" + at
		}
	}
	d.t.Fatal("the server does not start")
	return "", ""
}
