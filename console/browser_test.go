//go:build e2e

package console_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/trammel-dev/trammel/server/auth"
)

// chromium is one browser for all tests; each tab is a person of its own.
var chromium = sync.OnceValue(func() context.Context {
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath("/usr/bin/chromium"), chromedp.NoSandbox,
		chromedp.Flag("hide-scrollbars", false))
	ctx, _ := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, _ = chromedp.NewContext(ctx)
	if err := chromedp.Run(ctx); err != nil {
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
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	t.Cleanup(stop)
	b := &tab{t: t, site: s, ctx: ctx}
	v := s.as(t, name, role)
	chromedp.ListenTarget(ctx, b.listen)
	b.run(network.Enable(), log.Enable(), emulation.SetDeviceMetricsOverride(width, 800, 1, width < 600),
		network.SetCookie("trammel", v.cookie).WithURL(s.URL).WithHTTPOnly(true).WithSameSite(network.CookieSameSiteLax))
	return b
}

func (b *tab) listen(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch ev := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		text := string(ev.Type)
		for _, a := range ev.Args {
			text += " " + string(a.Value)
		}
		b.troubles = append(b.troubles, text)
	case *runtime.EventExceptionThrown:
		b.troubles = append(b.troubles, ev.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		b.troubles = append(b.troubles, string(ev.Entry.Source)+": "+ev.Entry.Text)
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(ev.Request.URL, b.site.URL) && !strings.HasPrefix(ev.Request.URL, "data:") && !strings.HasPrefix(ev.Request.URL, "about:") {
			b.foreign = append(b.foreign, ev.Request.URL)
		}
		if ev.Request.Method == "POST" {
			b.posts++
		}
	}
}

func (b *tab) run(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.t.Fatalf("%v\n%s", err, strings.Join(b.troubles, "\n"))
	}
}

// load opens a page.
func (b *tab) load(path string) {
	b.t.Helper()
	b.run(chromedp.Navigate(b.site.URL+path), chromedp.WaitReady("main"))
}

// text is what the page says.
func (b *tab) text() string {
	b.t.Helper()
	var out string
	b.run(chromedp.Evaluate(`document.querySelector("main").innerText`, &out))
	return out
}

// eval asks the page something.
func eval[T any](b *tab, script string) (out T) {
	b.t.Helper()
	b.run(chromedp.Evaluate(script, &out))
	return out
}

// until waits for a script to be true.
func (b *tab) until(what, script string) {
	b.t.Helper()
	for end := time.Now().Add(8 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if eval[bool](b, "!!("+script+")") {
			return
		}
	}
	b.t.Fatalf("%s: not in time\n%s\n%s", what, b.text(), strings.Join(b.troubles, "\n"))
}

func (b *tab) says(text string) {
	b.t.Helper()
	b.until("says "+text, fmt.Sprintf(`document.body.innerText.includes(%q)`, text))
}

// calm waits until the page takes decisions.
func (b *tab) calm() { time.Sleep(900 * time.Millisecond) }

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
	var png []byte
	b.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		png, err = page.CaptureScreenshot().WithCaptureBeyondViewport(true).Do(ctx)
		return err
	}))
	if err := os.WriteFile(filepath.Join(shots, name+".png"), png, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

var _ = url.Values{}
