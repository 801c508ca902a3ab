//go:build e2e

package console_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// chromium is one browser for all tests; each tab is a person of its own.
var chromium = sync.OnceValue(func() context.Context {
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath("/usr/bin/chromium"), chromedp.NoSandbox,
		chromedp.Flag("hide-scrollbars", false))
	ctx, _ := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, _ = chromedp.NewContext(ctx)
	if err := chromedp.Do(ctx); err != nil {
		return nil
	}
	return ctx
})

func TestMain(m *testing.M) {
	code := m.Run()
	if ctx := chromium(); ctx != nil {
		chromedp.Cancel(ctx)
	}
	os.Exit(code)
}

// tab is a page in a browser, with what it has complained about.
type tab struct {
	t    *testing.T
	site *site
	ctx  context.Context

	mu       sync.Mutex
	troubles []string
	foreign  []string
	posts    int
}

// open opens a tab for somebody.
func (s *site) open(t *testing.T, name string, role auth.Role, width int64) *tab {
	t.Helper()
	if _, err := os.Stat("/usr/bin/chromium"); err != nil {
		t.Skip("there is no /usr/bin/chromium")
	}
	browser := chromium()
	if browser == nil {
		t.Fatal("chromium does not start")
	}
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	b := &tab{t: t, site: s, ctx: ctx}
	v := s.as(t, name, role)
	watch(b, runtime.ConsoleAPICalled, func(ev runtime.EventConsoleAPICalled) {
		text := string(ev.Type)
		for _, a := range ev.Args {
			text += " " + string(a.Value)
		}
		b.troubles = append(b.troubles, text)
	})
	watch(b, runtime.ExceptionThrown, func(ev runtime.EventExceptionThrown) {
		b.troubles = append(b.troubles, fmt.Sprint(ev.ExceptionDetails.Text, " ", ev.ExceptionDetails.LineNumber, ev.ExceptionDetails.Exception))
	})
	watch(b, log.EntryAdded, func(ev log.EventEntryAdded) {
		b.troubles = append(b.troubles, string(ev.Entry.Source)+": "+ev.Entry.Text)
	})
	watch(b, network.RequestWillBeSent, func(ev network.EventRequestWillBeSent) {
		if u := ev.Request.URL; !strings.HasPrefix(u, s.URL) && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "about:") {
			b.foreign = append(b.foreign, u)
		}
		if ev.Request.Method == "POST" {
			b.posts++
		}
	})
	b.size(width)
	if _, err := chromedp.Call(ctx, network.SetCookie, network.SetCookieParams{Name: "trammel", Value: v.cookie, URL: s.URL}); err != nil {
		t.Fatal(err)
	}
	return b
}

// watch calls fn for each event of the page.
func watch[E any](b *tab, of cdp.Event[E], fn func(E)) {
	events := chromedp.Events(b.ctx, of)
	go func() {
		for ev, err := range events {
			if err != nil {
				return
			}
			b.mu.Lock()
			fn(ev)
			b.mu.Unlock()
		}
	}()
}

func (b *tab) size(width int64) {
	b.t.Helper()
	opts := []chromedp.EmulateViewportOption{}
	if width < 600 {
		opts = append(opts, chromedp.EmulateMobile)
	}
	b.run(chromedp.EmulateViewport(width, 800, opts...))
}

// scheme makes the system light or dark.
func (b *tab) scheme(name string) {
	b.t.Helper()
	feature := &emulation.MediaFeature{Name: "prefers-color-scheme", Value: name}
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{feature}})
	if err != nil {
		b.t.Fatal(err)
	}
}

// patience is how long a condition may take to come true on a busy machine.
const patience = time.Minute

func (b *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatalf("%v\n%s", err, strings.Join(b.troubles, "\n"))
	}
}

// load opens a page. The answer to a form that was sent just before may come in between, and be what is loaded: then it is asked again.
func (b *tab) load(path string) {
	b.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		ctx, stop := context.WithTimeout(b.ctx, patience)
		err := chromedp.Do(ctx, chromedp.Navigate(b.site.URL+path))
		stop()
		if err == nil {
			break
		}
		if !strings.Contains(err.Error(), "ERR_ABORTED") || time.Now().After(end) {
			b.t.Fatalf("%v\n%s", err, strings.Join(b.troubles, "\n"))
		}
	}
	b.run(chromedp.WaitReady("main"))
}

// text is what the page says.
func (b *tab) text() string {
	b.t.Helper()
	return eval[string](b, `document.querySelector("main").innerText`)
}

// eval asks the page something.
func eval[T any](b *tab, script string) T {
	b.t.Helper()
	out, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](script))
	if err != nil {
		b.t.Fatalf("%s: %v", script, err)
	}
	return out
}

// until waits for a script to be true.
func (b *tab) until(what, script string) {
	b.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		ctx, stop := context.WithTimeout(b.ctx, patience)
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+script+")"))
		if stop(); ok && err == nil { // it may be on its way to another page
			return
		}
	}
	b.t.Fatalf("%s: not in time\n%s\n%s", what, b.text(), strings.Join(b.troubles, "\n"))
}

func (b *tab) says(text string) {
	b.t.Helper()
	b.until("says "+text, fmt.Sprintf(`document.body.innerText.includes(%q)`, text))
}

// shown waits until something can be clicked.
func (b *tab) shown(selector string) {
	b.t.Helper()
	b.until(selector+" is shown", fmt.Sprintf(`getComputedStyle(document.querySelector(%q)).visibility === "visible"`, selector))
}

// calm waits until the page takes decisions.
func (b *tab) calm() {
	b.t.Helper()
	b.until("takes decisions", `document.body.hasAttribute("data-calm")`)
}

// insist does something again and again until the page is as it should be: the
// page may move between the moment it is calm and the next key, and what is
// armed does not stay so.
func (b *tab) insist(what, script string, actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		b.calm()
		b.run(actions...)
		if ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+script+")")); ok && err == nil {
			return
		}
	}
	b.t.Fatalf("%s: not in time\n%s", what, b.text())
}

// clean checks that the page has not complained, and has not asked elsewhere.
func (b *tab) clean() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.troubles) > 0 {
		b.t.Errorf("the page complains: %s", strings.Join(b.troubles, "\n"))
	}
	if len(b.foreign) > 0 {
		b.t.Errorf("the page asks elsewhere: %s", b.foreign)
	}
}

// shots is where screenshots go; "" is nowhere.
var shots = os.Getenv("TRAMMEL_SCREENSHOTS")

func (b *tab) shot(name string) {
	b.t.Helper()
	if shots == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(shots, name+".png"), png, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// pending are the ids of what waits.
func (s *site) pending(t *testing.T) (out []string) {
	t.Helper()
	list, err := s.approvals.Store.Approvals(t.Context(), store.Query{States: []store.State{store.Pending}})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		out = append(out, a.ID)
	}
	return out
}
