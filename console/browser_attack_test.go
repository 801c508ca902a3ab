//go:build e2e

package console_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/animation"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// UI-29, test 4: whatever a model writes into a call is shown whole, and does nothing.
func TestBrowserHostileArguments(t *testing.T) {
	s := newSite(t, full)
	a := s.ask(t, call{tool: `<img src=x onerror="fetch('//evil.example')">`, input: map[string]any{
		"command": `"><form hx-post="/approvals/x" hx-trigger="load"><script>fetch("https://evil.example")</script>`,
		"b":       `<div hx-get="/grants" hx-trigger="load" hx-nonce="x"></div><style>@import "https://evil.example"</style>`,
		"long":    strings.Repeat("y", 1<<20), "bidi": "\u202e\u2066", "ansi": "\x1b[2J"}})
	b := s.open(t, "al", auth.Approver, 1280)
	for _, path := range []string{"/inbox", "/approvals/" + a.ID} {
		b.load(path)
		b.until("live", `document.getElementById("badge").textContent === "live"`)
	}
	if n := eval[int](b,
		`document.querySelectorAll(".arguments form, .arguments script, .arguments div div, main img, main style").length`); n != 0 {
		t.Errorf("%d elements came out of the arguments", n)
	}
	if n := eval[int](b,
		`[...document.querySelectorAll(".value")].map(e => e.textContent.length).reduce((a, b) => Math.max(a, b))`); n < 1<<20 {
		t.Errorf("only %d characters are shown", n)
	}
	if eval[bool](b, `!document.getElementById("approve").disabled`) {
		t.Error("approve is offered before the end of the arguments was in view")
	}
	eval[bool](b, `document.getElementById("args-end").scrollIntoView(); true`)
	b.until("approve is offered", `!document.getElementById("approve").disabled`)
	if b.posts != 0 {
		t.Errorf("%d posts", b.posts)
	}
	b.clean()
}

// UI-27: markup that gets into a page does not post by itself, nor does a
// script in it run.
func TestBrowserInjectedMarkup(t *testing.T) {
	s := newSite(t)
	a := s.ask(t, release)
	b := s.open(t, "al", auth.Approver, 1280)
	b.load("/approvals/" + a.ID)
	eval[bool](b, `(() => { // as if it had come with the page
		const d = document.createElement("div");
		d.setAttribute("hx-post", "/approvals/`+a.ID+`"); d.setAttribute("hx-trigger", "load"); d.setAttribute("hx-vals", '{"do":"approve"}');
		document.querySelector("main").append(d); htmx.process(d);
		try { document.querySelector("main").innerHTML = "<img src=x onerror=alert(1)>"; return false } catch { return true }
	})()`)
	time.Sleep(500 * time.Millisecond)
	if b.posts != 0 || len(s.state(t, a.ID).Votes) != 0 {
		t.Error("it was posted")
	}
}

// UI-01, test 2: everything works without script, by mouse.
func TestBrowserWithoutScript(t *testing.T) {
	s := newSite(t, full)
	a, c, d := s.ask(t, release), s.ask(t, call{tool: "pay", input: map[string]any{"amount": int64(60000)}}),
		s.ask(t, call{tool: "Bash", input: map[string]any{"command": "git push origin main"}})
	b := s.open(t, "al", auth.Approver, 390)
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	press := func(id string, selectors ...string) {
		t.Helper()
		b.load("/approvals/" + id)
		for _, sel := range selectors {
			b.run(chromedp.ScrollIntoView(chromedp.CSS(sel)))
			b.shown(sel)
			b.run(chromedp.Click(chromedp.CSS(sel)))
		}
	}
	press(a.ID, "#deny > summary", "#deny .option input", "#deny button.deny")
	s.until(t, a.ID, store.Rejected)
	press(c.ID, "#edit > summary")
	b.run(chromedp.SetValue(chromedp.CSS("textarea[name=args]"), `{"amount": 500}`), chromedp.Click(chromedp.CSS("#edit button")))
	b.run(chromedp.WaitVisible(chromedp.CSS("button[value=approve-edit]")))
	b.shown("button[value=approve-edit]")
	b.shot("edit-preview-390")
	b.run(chromedp.Click(chromedp.CSS("button[value=approve-edit]")))
	s.until(t, c.ID, store.Approved)
	if got := string(s.state(t, c.ID).Edit.Args); got != `{"amount":500}` {
		t.Error(got)
	}
	press(d.ID, "#grant > summary", "#grant button")
	s.until(t, d.ID, store.Approved)
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) { // the grant is made after the vote
		if list, _ := s.approvals.Store.Grants(t.Context()); len(list) == 1 {
			break
		} else if time.Since(begin) > 10*time.Second {
			t.Fatal(list)
		}
	}
}

// UI-12: what decides takes no click for 600 ms, also before any script has loaded.
func TestBrowserClickBeforeScripts(t *testing.T) {
	s := newSite(t)
	a := s.ask(t, release)
	b := s.open(t, "al", auth.Approver, 1280)
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	pace := func(rate float64) { // of the page's own clock: the click below is early on any machine
		if _, err := chromedp.Call(b.ctx, animation.SetPlaybackRate, animation.SetPlaybackRateParams{PlaybackRate: rate}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := chromedp.Call(b.ctx, animation.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	pace(0)
	b.load("/approvals/" + a.ID)
	b.run(chromedp.ScrollIntoView(chromedp.CSS("#approve")), chromedp.Click(chromedp.CSS("#approve")))
	if b.posts != 0 || len(s.state(t, a.ID).Votes) != 0 {
		t.Fatal("a click at once decides")
	}
	pace(1)
	b.shown("#approve")
	b.run(chromedp.Click(chromedp.CSS("#approve")))
	s.until(t, a.ID, store.Approved)
}

// until waits for a state.
func (s *site) until(t *testing.T, id string, want store.State) {
	t.Helper()
	for end := time.Now().Add(patience); s.state(t, id).State != want; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it is %s, want %s", s.state(t, id).State, want)
		}
	}
}

// UI-07, UI-12, test 3: somebody types while a card arrives: nothing is decided, the focus
// stays, and what is new waits behind a link.
func TestBrowserTypingWhileACardArrives(t *testing.T) {
	s := newSite(t)
	s.ask(t, call{tool: "first"})
	b := s.open(t, "al", auth.Approver, 1280)
	b.load("/inbox")
	b.until("live", `document.getElementById("badge").textContent === "live"`)
	b.run(chromedp.Focus(chromedp.CSS("#q")))
	c := s.ask(t, call{tool: "second"})
	b.run(chromedp.SendKeys(chromedp.CSS("#q"), "ayaydy 1 "))
	b.says("1 new")
	if !eval[bool](b, `document.activeElement.id === "q" && document.getElementById("q").value === "ayaydy 1 "`) {
		t.Error("the focus or the text was taken away")
	}
	if eval[int](b, `document.querySelectorAll("tr.row").length`) != 1 || b.posts != 0 || len(s.state(t, c.ID).Votes) != 0 {
		t.Error("rows have moved, or something was sent")
	}
	eval[bool](b, `document.activeElement.blur(); true`)
	b.run(chromedp.KeyEvent("n"))
	b.until("both are there", `document.querySelectorAll("tr.row").length === 2`)
	b.clean()
}

// Test 2: two people decide at once: one wins, the other is told who.
func TestBrowserRace(t *testing.T) {
	s := newSite(t)
	a := s.ask(t, release)
	al, bo := s.open(t, "al", auth.Approver, 1280), s.open(t, "bo", auth.Approver, 390)
	for _, b := range []*tab{al, bo} {
		b.load("/approvals/" + a.ID)
		b.until("approve is offered", `!document.getElementById("approve").disabled`)
	}
	al.calm()
	done := make(chan error, 2)
	for _, b := range []*tab{al, bo} {
		go func() {
			ctx, stop := context.WithTimeout(b.ctx, 10*time.Second)
			defer stop()
			_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](
				`document.getElementById("decide").requestSubmit(document.getElementById("approve")); true`))
			done <- err
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	s.until(t, a.ID, store.Approved)
	got := s.state(t, a.ID)
	if len(got.Votes) != 1 {
		t.Fatalf("%+v", got.Votes)
	}
	for _, b := range []*tab{al, bo} {
		b.says("pproved by " + got.Votes[0].Approver)
	}
}

// UI-12, test 5: what expires while it is open turns final by itself.
func TestBrowserExpires(t *testing.T) {
	s := newSite(t)
	a := s.ask(t, call{tool: "x", expires: 3 * time.Second})
	b := s.open(t, "al", auth.Approver, 1280)
	b.load("/approvals/" + a.ID)
	go func() {
		time.Sleep(3500 * time.Millisecond)
		s.approvals.Sweep(context.Background())
	}()
	b.says("nothing ran")
	b.until("the form is gone", `!document.getElementById("decide")`)
	b.clean()
}

// UI-14, UI-30, test 6: rows come live, once each, also after the stream broke.
func TestBrowserLive(t *testing.T) {
	s := newSite(t, full)
	s.history(t, 30)
	b := s.open(t, "al", auth.Approver, 1280)
	b.load("/live")
	b.until("live", `document.getElementById("badge").textContent === "live"`)
	add := func(from, n int) {
		for i := range n {
			e := store.Event{Machine: "m2", Log: "x", Seq: uint64(from + i), ID: "ev_new" + string(rune('a'+from+i)), Time: store.At(s.now()),
				Host: "codex", Event: "pre_tool_use", Tool: "Bash", Summary: "new one", Decision: "deny"}
			if err := s.approvals.Store.(store.Events).Index(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
	}
	add(1, 3)
	b.until("three more", `document.querySelectorAll("#live-rows tr").length === 33`)
	s.CloseClientConnections()
	add(4, 3)
	b.until("six more", `document.querySelectorAll("#live-rows tr").length === 36`)
	if n := eval[int](b, `new Set([...document.querySelectorAll("#live-rows tr")].map(e => e.id)).size`); n != 36 {
		t.Errorf("%d different rows", n)
	}
	b.run(chromedp.KeyEvent(" "))
	add(7, 2)
	b.says("paused, 2 new")
	if n := eval[int](b, `document.querySelectorAll("#live-rows tr").length`); n != 36 {
		t.Errorf("%d rows while paused", n)
	}
	b.run(chromedp.KeyEvent(" "))
	b.until("all there", `document.querySelectorAll("#live-rows tr").length === 38`)
}

// UI-30, test 7: eight tabs of one person load over HTTP/1.1, and all are live.
func TestBrowserManyTabs(t *testing.T) {
	s := newSite(t)
	s.ask(t, release)
	first := s.open(t, "al", auth.Approver, 1280)
	first.load("/inbox")
	eval[bool](first, `for (let i = 0; i < 7; i++) { const f = window.open("/inbox"); (window.tabs ??= []).push(f) } true`)
	first.until("all have loaded", `window.tabs.length === 7 && window.tabs.every(w => w?.document?.querySelector("tr.row"))`)
	first.until("all are live", `window.tabs.every(w => w.document.getElementById("badge")?.textContent === "live")`)
}
