//go:build e2e

package console_test

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// UI-12, test 2: a person approves by clicking, another sees who it was.
func TestBrowserApproveByMouse(t *testing.T) {
	s := newSite(t)
	a := s.ask(t, release)
	al, bo := s.open(t, "al", auth.Approver, 1280), s.open(t, "bo", auth.Approver, 1280)
	bo.load("/approvals/" + a.ID)
	bo.until("live", `document.getElementById("badge").textContent === "live"`)
	al.load("/inbox")
	al.run(chromedp.Click(chromedp.CSS("a.open")))
	al.until("the card is open", `document.getElementById("approve") && !document.getElementById("approve").disabled`)
	al.calm()
	al.run(chromedp.Click(chromedp.CSS("#approve")))
	al.says("Approved by al")
	bo.says("Approved by al")
	bo.until("the form is gone", `!document.getElementById("decide")`)
	if got := s.state(t, a.ID); got.State != store.Approved {
		t.Error(got.State)
	}
	al.clean()
	bo.clean()
}

// UI-08, UI-12, tests 2 and 3: keys arm and confirm; Enter, Space, digits, repeats and what comes
// too soon decide nothing.
func TestBrowserKeys(t *testing.T) {
	s := newSite(t)
	a := s.ask(t, release)
	al := s.open(t, "al", auth.Approver, 1280)
	al.load("/approvals/" + a.ID)
	al.calm()
	al.until("the arguments were in view", `!document.getElementById("approve").disabled`)
	if !eval[bool](al, `dispatchEvent(new Event("focus")), document.getElementById("approve").click(),
		document.getElementById("said").textContent.startsWith("Too quick")`) { // it comes to the front, and is clicked at once
		t.Error("a click at once is not too quick")
	}
	al.calm()
	for _, key := range []string{"y", kb.Enter, " ", "1", "a"} { // the first a focuses the card
		al.run(chromedp.KeyEvent(key))
	}
	al.run(chromedp.Focus(chromedp.CSS("#approve")))
	al.calm()
	al.run(chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(" "), chromedp.KeyEvent(kb.Escape))
	time.Sleep(300 * time.Millisecond)
	if got := s.state(t, a.ID); len(got.Votes) != 0 || al.posts != 0 {
		t.Fatalf("something was decided: %+v", got)
	}
	al.load("/approvals/" + a.ID)
	al.insist("the card has the focus", `document.activeElement.id === "card"`, chromedp.KeyEvent("a"))
	al.insist("is armed", `document.getElementById("armed").textContent.startsWith("Armed")`, chromedp.KeyEvent("a"))
	if got := s.state(t, a.ID); len(got.Votes) != 0 {
		t.Fatalf("a key alone decides: %+v", got)
	}
	al.insist("is approved", `document.body.innerText.includes("Approved by al")`, chromedp.KeyEvent("a"), chromedp.KeyEvent("y"))
	b := s.ask(t, call{tool: "Bash", input: map[string]any{"command": "rm -rf build"}})
	al.load("/approvals/" + b.ID)
	al.run(chromedp.Focus(chromedp.CSS("#card")))
	al.insist("the reason has the focus", `document.activeElement.name === "comment"`, chromedp.KeyEvent("d"))
	al.run(chromedp.SendKeys(chromedp.CSS("textarea[name=comment]"), "not now, ay"))
	al.insist("is rejected", `document.body.innerText.includes("Rejected by al")`,
		chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	al.says("not now, ay")
	al.clean()
}
