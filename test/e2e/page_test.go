//go:build e2e && unix

package e2e

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/trammel-dev/trammel/approvals/desk"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/test/people"
)

// TestApproveInPage: the call waits, the server is restarted meanwhile, and a
// person approves in the page, with a real browser (FIM-22, UI-11, UI-12).
func TestApproveInPage(t *testing.T) {
	if _, err := os.Stat(browser); err != nil {
		t.Skip("there is no " + browser)
	}
	play(t, []scenario{
		{
			name: "approved by a click", config: gate("mode: block"), script: counted(1), arrange: clicks("#approve"),
			check: func(t *testing.T, r *result) {
				r.ranOnce(t, marker)
				r.told(t, false)
				r.said(t, "approval.consumed", "approved by local")
			},
		},
	})
}

// browser is the real one.
const browser = "/usr/bin/chromium"

// clicks has a person log in at a server, and click on something in the first
// request there is. The server is restarted before they do.
func clicks(button string) func(t *testing.T, b *box) {
	return func(t *testing.T, b *box) {
		state := filepath.Join(b.state, "trammel")
		if _, err := people.SetUp(state); err != nil {
			t.Fatal(err)
		}
		address := freeAddress(t)
		stop := b.serve(t, address)
		page := openPage(t)
		if err := chromedp.Do(page, chromedp.Navigate("http://"+address+"/login?next=/inbox"), chromedp.WaitReady("input[name=secret]"),
			chromedp.SendKeys("input[name=secret]", people.Secret), chromedp.Submit("input[name=secret]"),
			chromedp.WaitReady("main")); err != nil {
			t.Fatalf("login: %v", err)
		}
		done := make(chan error, 1)
		go func() {
			id, err := waitsFor(page, state)
			if err == nil {
				stop()
				stop = b.serve(t, address)
				err = click(page, "http://"+address+"/approvals/"+id, button)
			}
			done <- err
		}()
		t.Cleanup(func() {
			if err := <-done; err != nil {
				t.Errorf("the person could not decide: %v", err)
			}
			stop()
		})
	}
}

// click decides as a person does: look, wait a moment, type the secret, click.
func click(page context.Context, url, button string) error {
	err := chromedp.Do(page, chromedp.Navigate(url), chromedp.WaitReady("#card"), chromedp.SendKeys("input[name=secret]", people.Secret))
	if err != nil {
		return err
	}
	time.Sleep(time.Second) // what comes sooner after the page has moved does not count
	if err := chromedp.Do(page, chromedp.Click(button)); err != nil {
		return err
	}
	for page.Err() == nil {
		text, err := chromedp.Run(page, chromedp.Evaluate[string](`document.body ? document.body.innerText : ""`))
		if err != nil {
			return err
		}
		if strings.Contains(text, "Approved by") {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return page.Err()
}

// waitsFor is the id of the first request that waits.
func waitsFor(ctx context.Context, state string) (string, error) {
	at := desk.Desk{StateDir: state}
	defer at.Close()
	s, err := at.Service(ctx)
	if err != nil {
		return "", err
	}
	for ctx.Err() == nil {
		list, err := s.Store.Approvals(ctx, store.Query{States: []store.State{store.Pending}})
		if err != nil {
			return "", err
		}
		if len(list) > 0 {
			return list[0].ID, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return "", ctx.Err()
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
