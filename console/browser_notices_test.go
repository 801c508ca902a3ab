//go:build e2e

package console_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// record has a page remember the notices that it makes: a browser without a
// screen shows none. Which page is in front, the test says.
const record = `((w) => {
	w.notices = []; w.gone = []; w.front = "hidden";
	const real = w.Notification;
	w.Notification = class extends real { constructor(title, o) { super(title, o); w.notices.push(this); }
		close() { w.gone.push(this.tag); super.close(); } };
	Object.defineProperty(w.document, "visibilityState", { get: () => w.front });
	return true; })`

// permit lets the site show notices, as somebody does in the browser's question.
func (b *tab) permit() {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, browser.SetPermission, browser.SetPermissionParams{Origin: b.site.URL,
		Permission: &browser.PermissionDescriptor{Name: "notifications"}, Setting: browser.PermissionSettingGranted,
		BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID}); err != nil {
		b.t.Fatal(err)
	}
}

// wantsNotices opens a page of somebody who wants notices, in the background.
func (b *tab) wantsNotices(path string) {
	b.t.Helper()
	b.permit()
	b.load(path)
	b.until("live", `document.getElementById("badge").textContent === "live"`)
	eval[bool](b, record+"(window)")
	if eval[string](b, `document.getElementById("notices").textContent`) == "Notices: off" {
		b.run(chromedp.Click(chromedp.CSS(".menu summary")), chromedp.Click(chromedp.CSS("#notices")))
	}
}

func (b *tab) bodies() string {
	b.t.Helper()
	return eval[string](b, `notices.map(n => n.body).join("|")`)
}

// UI-25: one notice for each request that this person may decide, without its
// arguments; none again on reload, and closed once it is decided elsewhere.
func TestBrowserNotices(t *testing.T) {
	s := newSite(t)
	b := s.open(t, "al", auth.Approver, 1280)
	b.wantsNotices("/inbox")
	a := s.ask(t, call{tool: "Bash", input: map[string]any{"command": "./release.sh secret-plan"}})
	s.ask(t, call{tool: "mine", user: "al"}) // who asks cannot decide
	b.until("a notice", `notices.length >= 1`)
	time.Sleep(time.Second)
	if got := b.bodies(); got != "Approval waits: Bash, project api" {
		t.Errorf("%q", got)
	}
	if title := eval[string](b, `document.title`); !strings.HasPrefix(title, "(2) ") {
		t.Error(title)
	}
	b.wantsNotices("/live") // as after a reload
	s.ask(t, call{tool: "other"})
	b.until("another notice", `notices.length >= 1`)
	if got := b.bodies(); got != "Approval waits: other, project api" {
		t.Errorf("%q", got)
	}
	s.as(t, "bo", auth.Approver).decide(s.last(t, "other"), url.Values{"do": {"approve"}})
	b.until("it is closed", `gone.length === 1`)
	eval[bool](b, `front = "visible"; true`)
	s.ask(t, call{tool: "seen"})
	b.until("the count", `document.title.startsWith("(3)")`)
	if got := b.bodies(); strings.Contains(got, "seen") {
		t.Errorf("%q while a page is in front", got)
	}
	eval[bool](b, `notices[0].onclick(); true`) // a click opens, and decides nothing
	b.until("the request is open", `location.pathname.startsWith("/approvals/")`)
	if got := s.state(t, a.ID); len(got.Votes) != 0 {
		t.Errorf("%+v", got)
	}
}

// last is the newest request for a tool.
func (s *site) last(t *testing.T, tool string) string {
	t.Helper()
	list, err := s.approvals.Store.Approvals(t.Context(), store.Query{Most: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if a.Tool == tool {
			return a.ID
		}
	}
	t.Fatal("there is no request for " + tool)
	return ""
}

// UI-25: many at once are one notice.
func TestBrowserManyNotices(t *testing.T) {
	s := newSite(t)
	b := s.open(t, "al", auth.Approver, 1280)
	b.wantsNotices("/inbox")
	for i := range 6 {
		s.ask(t, call{tool: fmt.Sprint("tool", i)})
	}
	b.until("a summary", `notices.some(n => /approvals wait/.test(n.body))`)
	time.Sleep(time.Second)
	if n := eval[int](b, `new Set(notices.map(n => n.tag)).size`); n > 4 {
		t.Errorf("%d notices: %s", n, b.bodies())
	}
}

// UI-25: a request that is about to expire is announced once more, and only once.
func TestBrowserReminder(t *testing.T) {
	s := newSite(t)
	b := s.open(t, "al", auth.Approver, 1280)
	b.wantsNotices("/inbox")
	s.ask(t, call{tool: "short", expires: 6 * time.Second})
	b.until("a reminder", `notices.some(n => /soon over/.test(n.body))`)
	time.Sleep(time.Second)
	if got := b.bodies(); got != "Approval waits: short, project api|Approval waits: short, project api (soon over)" {
		t.Error(got)
	}
}

// UI-25, test 7: of eight tabs, one speaks; none without being asked to.
func TestBrowserOneTabSpeaks(t *testing.T) {
	s := newSite(t)
	first := s.open(t, "al", auth.Approver, 1280)
	first.permit()
	first.load("/inbox")
	eval[bool](first, `for (let i = 0; i < 7; i++) (window.tabs ??= []).push(window.open("/inbox")); true`)
	first.until("all are live", `window.tabs.every(w => w.document?.getElementById("badge")?.textContent === "live")`)
	eval[bool](first, `[window, ...window.tabs].every(`+record+`)`)
	s.ask(t, release)
	time.Sleep(1500 * time.Millisecond)
	if n := eval[int](first, `[window, ...window.tabs].reduce((n, w) => n + w.notices.length, 0)`); n != 0 {
		t.Errorf("%d notices that nobody wanted", n)
	}
	eval[bool](first, `localStorage.setItem("trammel-notices", "on"); true`)
	s.ask(t, call{tool: "two"})
	first.until("one notice or more", `[window, ...window.tabs].reduce((n, w) => n + w.notices.length, 0) > 0`)
	time.Sleep(time.Second)
	if n := eval[int](first, `[window, ...window.tabs].reduce((n, w) => n + w.notices.filter(x => /two/.test(x.body)).length, 0)`); n != 1 {
		t.Errorf("%d notices in all tabs", n)
	}
}

// UI-05: a browser whose clock is wrong counts by the server's; the switch shows
// times as UTC; nothing counts once it is decided.
func TestBrowserTimes(t *testing.T) {
	s := newSite(t, full)
	s.clock = time.Now().Add(-5 * time.Hour)
	s.history(t, 5)
	a := s.ask(t, release)
	b := s.open(t, "al", auth.Approver, 1280)
	b.load("/inbox")
	b.until("the countdown is the server's", `/^0?9:5\d|10:00$/.test(document.querySelector("time.countdown").textContent)`)
	b.load("/live")
	local := eval[string](b, `document.querySelector("#live-rows time").textContent`)
	b.run(chromedp.Click(chromedp.CSS(".menu summary")), chromedp.Click(chromedp.CSS("#utc")))
	want := s.clock.Add(-time.Second).UTC().Format("15:04:05")
	if got := eval[string](b, `document.querySelector("#live-rows time").textContent`); got != want {
		t.Errorf("%s in UTC, %s locally, want %s", got, local, want)
	}
	b.load("/approvals/" + a.ID)
	s.as(t, "bo", auth.Approver).decide(a.ID, url.Values{"do": {"approve"}})
	b.says("Approved by bo")
	b.until("no countdown to decide", `!document.querySelector("time.countdown[data-announce]")`)
	b.clean()
}

// UI-08: keys can be others, and off; N and P go through a session.
func TestBrowserOtherKeys(t *testing.T) {
	s := newSite(t, full)
	s.history(t, 100)
	a := s.ask(t, release)
	b := s.open(t, "al", auth.Approver, 1280)
	b.load("/sessions/codex/s0")
	b.insist("a denied row has the focus", `document.activeElement.closest("tr.row.deny")`, chromedp.KeyEvent("N"))
	b.insist("a question has the focus", `document.activeElement.closest("tr.row.ask")`, chromedp.KeyEvent("P"))
	b.run(chromedp.KeyEvent("?"))
	b.until("the help is open", `document.getElementById("help").open`)
	choose := func(key, wish string) {
		eval[bool](b, fmt.Sprintf(`(() => { const i = document.querySelector('input[data-key="%s"]'); i.value = "%s";
			i.dispatchEvent(new Event("change")); return true })()`, key, wish))
	}
	choose("a", "y")
	b.says("y is taken")
	choose("a", "1")
	b.says("neither a digit nor a blank")
	choose("a", "x")
	choose("j", "t")
	b.load("/approvals/" + a.ID)
	if got := eval[string](b, `document.querySelector("#approve kbd").textContent`); got != "x" {
		t.Errorf("the button says %s", got)
	}
	b.run(chromedp.Focus(chromedp.CSS("#card")))
	b.calm()
	b.run(chromedp.KeyEvent("a"), chromedp.KeyEvent("y"))
	time.Sleep(300 * time.Millisecond)
	if got := s.state(t, a.ID); len(got.Votes) != 0 {
		t.Fatal("the old key decides")
	}
	b.insist("is armed", `document.getElementById("armed").textContent.startsWith("Armed")`, chromedp.KeyEvent("x"))
	b.insist("is approved", `document.body.innerText.includes("Approved by al")`, chromedp.KeyEvent("x"), chromedp.KeyEvent("y"))
	b.load("/live")
	b.insist("the first row", `document.querySelector("tr.row.current")`, chromedp.KeyEvent("t"))
	b.run(chromedp.Click(chromedp.CSS(".menu summary")), chromedp.Click(chromedp.CSS("#keys")))
	b.run(chromedp.KeyEvent("?"))
	time.Sleep(300 * time.Millisecond)
	if eval[bool](b, `document.getElementById("help").open`) {
		t.Error("keys are off")
	}
	b.clean()
}
