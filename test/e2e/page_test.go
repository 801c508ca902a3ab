//go:build e2e && unix

package e2e

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/trammel-dev/trammel/approvals/desk"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/test/people"
)

// browser is the real one.
const browser = "/usr/bin/chromium"

func hasBrowser() bool {
	_, err := os.Stat(browser)
	return err == nil
}

// page is an open page of a browser.
type page struct{ context.Context }

// do does one thing after another.
func (p page) do(list ...chromedp.Action[chromedp.Void]) error { return chromedp.Do(p, list...) }

// says waits until a text is in the page.
func (p page) says(text string) error {
	shown := ""
	for p.Err() == nil {
		var err error
		if shown, err = chromedp.Run(p, chromedp.Evaluate[string](`document.body ? document.body.innerText : ""`)); err != nil {
			return err
		}
		if strings.Contains(shown, text) {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("%w: %q is not in the page, but %q", p.Err(), text, shown)
}

// decide looks at all the arguments, as Approve is not offered before, types the
// secret, waits a moment, as what comes too soon after the page has moved does
// not count, and clicks.
func (p page) decide(button, then string) error {
	_, err := chromedp.Run(p, chromedp.Evaluate[bool](`document.getElementById("args-end").scrollIntoView(), true`))
	if err != nil {
		return err
	}
	time.Sleep(500 * time.Millisecond)
	if err := p.do(chromedp.SendKeys("input[name=secret]", people.Secret), chromedp.ScrollIntoView(button)); err != nil {
		return err
	}
	time.Sleep(time.Second)
	if err := p.do(chromedp.Click(button)); err != nil {
		return err
	}
	return p.says(then)
}

// clicks decides as a person does. Edits are pairs of what is replaced.
func clicks(d people.Decision, edits ...string) func(p page, a *store.Approval) error {
	return func(p page, a *store.Approval) error {
		switch {
		case !d.Approve:
			if err := p.do(chromedp.Click("#deny > summary"), chromedp.SendKeys("textarea[name=comment]", d.Comment)); err != nil {
				return err
			}
			return p.decide("#deny button.deny", "Rejected by")
		case edits == nil:
			return p.decide("#approve", "Approved by")
		}
		args, err := edited(a.Args, strings.NewReplacer(edits...))
		if err == nil {
			err = p.do(chromedp.Click("#edit > summary"), chromedp.SetValue("textarea[name=args]", string(args)), chromedp.Click("#edit button"),
				chromedp.WaitVisible("button[value=approve-edit]"))
		}
		if err != nil {
			return err
		}
		return p.decide("button[value=approve-edit]", "Approved by")
	}
}

// atThePage has a person log in at a server, and look at the first request there
// is. The server is restarted before they do.
func (b *box) atThePage(t *testing.T, act func(p page, a *store.Approval) error) {
	state := b.setUp(t)
	address := freeAddress(t)
	stop := b.serve(t, address)
	p := page{openPage(t)}
	if err := p.do(chromedp.Navigate("http://"+address+"/login?next=/inbox"), chromedp.WaitReady("input[name=secret]"),
		chromedp.SendKeys("input[name=secret]", people.Secret), chromedp.Submit("input[name=secret]"), chromedp.WaitReady("main")); err != nil {
		t.Fatalf("login: %v", err)
	}
	t.Cleanup(func() { stop() })
	aside(t, timeLimit, func(context.Context) error {
		a, err := waitsFor(p, state)
		if err != nil {
			return err
		}
		stop()
		stop = b.serve(t, address)
		if err := p.do(chromedp.Navigate("http://"+address+"/approvals/"+a.ID), chromedp.WaitReady("#card")); err != nil {
			return err
		}
		return act(p, a)
	})
}

// waitsFor is the first request that waits.
func waitsFor(ctx context.Context, state string) (*store.Approval, error) {
	at := desk.Desk{StateDir: state}
	defer at.Close()
	s, err := at.Service(ctx)
	if err != nil {
		return nil, err
	}
	for ctx.Err() == nil {
		list, err := s.Store.Approvals(ctx, store.Query{States: []store.State{store.Pending}})
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			return list[0], nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil, ctx.Err()
}

// openPage opens an empty page of a browser of its own.
func openPage(t *testing.T) context.Context {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.NoSandbox)
	ctx, stop := context.WithTimeout(context.Background(), timeLimit)
	ctx, stopBrowser := chromedp.NewExecAllocator(ctx, options...)
	ctx, closePage := chromedp.NewContext(ctx)
	t.Cleanup(func() { closePage(); stopBrowser(); stop() })
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("%s does not start: %v", browser, err)
	}
	return ctx
}

// serve starts the server in the box, and returns how to end it.
func (b *box) serve(t *testing.T, address string) (stop func()) {
	cmd := exec.Command(ready.Trammel, "serve", "--listen", address)
	cmd.Env, cmd.Dir, cmd.Stderr = b.env(), b.project, os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Error("the server does not start")
	}
	go func() {
		for lines.Scan() { // what else it says is not read
		}
	}()
	return func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
	}
}

// freeAddress is one that nobody listens at.
func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr())
}
