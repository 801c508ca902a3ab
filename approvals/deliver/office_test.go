package deliver_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/approvals/channels/standard"
	"github.com/trammel-dev/trammel/approvals/deliver"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/store/sqlite"
	"github.com/trammel-dev/trammel/test/standin"
)

// office is a server with its channels, and the platforms on the other side.
type office struct {
	t *testing.T
	*approvals.Service
	key         approvals.PrivateKey
	clock       atomic.Int64
	there       *standin.Server
	env         map[string]string
	declared    map[string]json.RawMessage
	opens       *channels.Env
	public      string
	callPattern func(a *store.Approval) (approvals.CallPattern, error)
	timeout     time.Duration // of calls to platforms
	intake      *channels.Intake
	worker      *deliver.Worker
	callback    *httptest.Server
	asked       int
	args        map[string]any
	terms       func(*store.Needs)
}

// openStore opens the store that the tests run on: SQLite, or what
// TestOnPostgres chooses.
var openStore = func(t *testing.T) (store.Store, error) {
	return sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
}

func newOffice(t *testing.T, kinds ...string) *office {
	t.Helper()
	st, err := openStore(t)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	public, private, _ := ed25519.GenerateKey(nil)
	o := &office{t: t, key: approvals.PrivateKey(private), timeout: 10 * time.Second, args: map[string]any{"amount": int64(60000)}}
	o.clock.Store(1_700_000_000)
	people := map[string][]string{}
	for _, name := range []string{"al", "bo", "cy"} {
		people[name] = []string{"slack:T1/" + name, "feishu:" + name, "webhook:" + name}
	}
	o.Service = &approvals.Service{Store: st, Keys: approvals.Keys{Servers: approvals.Named(public)}, Now: o.now,
		Roster: &approvals.Roster{People: people, Groups: map[string][]string{"finance": {"al", "bo", "cy"}}}}
	o.there = standin.New(t, o.now)
	o.there.Feishu.Verification = "vtok"
	f, s, w := &o.there.Feishu, &o.there.Slack, &o.there.Webhook
	o.env = map[string]string{"FEISHU_SECRET": f.AppSecret, "FEISHU_TOKEN": f.Verification, "FEISHU_KEY": "ek-123", "SLACK_TOKEN": s.Token,
		"SLACK_APP": s.AppToken, "SLACK_SECRET": s.Secret, "HOOK": w.Secret, "HOOK_IN": w.Decisions}
	o.declared = map[string]json.RawMessage{}
	for _, kind := range kinds {
		o.declared[kind] = o.options(kind)
	}
	o.callback = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mux := http.NewServeMux()
		mux.Handle("/v1/channels/{name}/callback", channels.Handler(o.intake))
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(o.callback.Close)
	o.restart()
	return o
}

func (o *office) now() time.Time { return time.Unix(o.clock.Load(), 0) }

func (o *office) later(d time.Duration) { o.clock.Add(int64(d / time.Second)) }

// options declare a channel; its name says what sort.
func (o *office) options(kind string) json.RawMessage {
	feishu := fmt.Sprintf(`"type":"feishu","base_url":%q,"app_id":"cli_x","chat":"oc_group","app_secret_env":"FEISHU_SECRET",`+
		`"verification_token_env":"FEISHU_TOKEN"`, o.there.URL)
	slack := fmt.Sprintf(`"type":"slack","base_url":%q,"channel":"C1","team":"T1","app_id":"A1","token_env":"SLACK_TOKEN"`, o.there.URL)
	url := func(p *string) { *p = "/v1/channels/" + kind + "/callback" }
	switch kind {
	case "feishu", "feishu-legacy", "feishu-text":
		url(&o.there.Feishu.Callback)
		return json.RawMessage("{" + feishu + "}")
	case "feishu-encrypted":
		url(&o.there.Feishu.Callback)
		o.there.Feishu.EncryptKey = "ek-123"
		return json.RawMessage("{" + feishu + `,"encrypt_key_env":"FEISHU_KEY"}`)
	case "slack":
		url(&o.there.Slack.Callback)
		return json.RawMessage("{" + slack + `,"signing_secret_env":"SLACK_SECRET"}`)
	case "slack-socket":
		return json.RawMessage("{" + slack + `,"app_token_env":"SLACK_APP"}`)
	case "webhook":
		url(&o.there.Webhook.Callback)
		return json.RawMessage(fmt.Sprintf(`{"type":"webhook","url":%q,"secret_env":"HOOK","decision_secret_env":"HOOK_IN"}`, o.there.URL+
			"/hook"))
	}
	o.t.Fatal(kind)
	return nil
}

// restart makes everything again that is not in the store.
func (o *office) restart() {
	o.t.Helper()
	o.opens = &channels.Env{Now: o.now, Getenv: func(name string) string { return o.env[name] },
		Public: o.public, CallPattern: o.callPattern,
		HTTP: &http.Client{Timeout: o.timeout}}
	opened, err := standard.Open(o.declared, o.opens)
	if err != nil {
		o.t.Fatal(err)
	}
	o.intake = &channels.Intake{Service: o.Service, Signer: o.key, Channels: opened, CallPattern: o.callPattern}
	o.worker = &deliver.Worker{Service: o.Service, Channels: opened, Intake: o.intake}
	for _, p := range []*string{&o.there.Feishu.Callback, &o.there.Slack.Callback, &o.there.Webhook.Callback} {
		if *p != "" && (*p)[0] == '/' {
			*p = o.callback.URL + *p
		}
	}
}

// ask makes a request that is unlike any before it.
func (o *office) ask() *store.Approval {
	o.t.Helper()
	o.asked++
	args := maps.Clone(o.args)
	args["n"] = int64(o.asked)
	needs := store.Needs{Factors: []store.Factor{{Approvers: []string{"group:finance"}, N: 1}}, DenyAt: 1}
	if o.terms != nil {
		o.terms(&needs)
	}
	ev := &trammel.Event{Kind: trammel.PreToolUse, Host: "fim", Session: trammel.Session{ID: fmt.Sprint("s", o.asked), Project: "/p"},
		Tool: &trammel.ToolCall{Name: "pay", Input: args}}
	a, err := o.Ask(o.t.Context(), &approvals.Request{Event: ev, Hook: "payments", Policy: "p1", Expires: 10 * time.Minute,
		Window: 5 * time.Minute, User: "slack:T1/cy", Reason: "payments over 50k", Needs: needs})
	if err != nil {
		o.t.Fatal(err)
	}
	return a
}

// round delivers what is due, and does not mind failures.
func (o *office) round() error { return o.worker.Round(context.Background()) }

func (o *office) rounds(n int) {
	o.t.Helper()
	for range n {
		if err := o.round(); err != nil {
			o.t.Fatal(err)
		}
	}
}

func (o *office) get(id string) *store.Approval {
	o.t.Helper()
	a, err := o.Store.Approval(o.t.Context(), id)
	if err != nil {
		o.t.Fatal(err)
	}
	return a
}

func (o *office) delivery(id, channel string) store.Delivery {
	for _, d := range o.get(id).Deliveries {
		if d.Channel == channel {
			return d
		}
	}
	return store.Delivery{}
}

// click does on a platform what a person would do.
func (o *office) click(kind string, c standin.Click) standin.Answer {
	o.t.Helper()
	switch kind {
	case "feishu", "feishu-encrypted":
		return o.there.Feishu.Click(c, standin.Shape{})
	case "feishu-legacy":
		return o.there.Feishu.Click(c, standin.Shape{Legacy: true})
	case "feishu-text":
		return o.there.Feishu.Click(c, standin.Shape{Text: true})
	case "webhook":
		return o.there.Webhook.Click(c)
	}
	answer := o.there.Slack.Click(c)
	if c.Decision == "reject" && answer.Status == 200 && c.Tamper == "" {
		return o.there.Slack.Submit(c)
	}
	return answer
}

var kinds = []string{"feishu", "feishu-encrypted", "feishu-legacy", "feishu-text", "slack", "webhook"}

// each runs a test once for each sort of channel.
func each(t *testing.T, test func(t *testing.T, kind string, o *office)) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) { test(t, kind, newOffice(t, kind)) })
	}
}
