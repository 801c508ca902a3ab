//go:build e2e

package console_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/trammel-dev/trammel/server/auth"
)

// UI-22, UI-23, UI-26, test 1: every page, light and dark, on a phone and a desk, empty and filled:
// nothing complains, nothing is asked for elsewhere, nothing has to be scrolled
// sideways, and axe finds nothing.
func TestBrowserPages(t *testing.T) {
	script := axe(t)
	for _, kind := range []string{"empty", "filled"} {
		s := newSite(t, full)
		list := append([]string{"/login"}, paths...)
		if kind == "filled" {
			s.history(t, 600)
			s.large(t, 300)
			al := s.as(t, "al", auth.Approver)
			_, page := al.get("/evidence")
			for _, q := range []string{"decision:deny since:7d", "tool:Bash path:**/*.env"} {
				al.post("/filters/evidence", map[string][]string{"csrf": form(page)["csrf"], "q": {q}})
			}
			a := s.ask(t, release)
			s.ask(t, call{tool: "pay", input: map[string]any{"amount": int64(60000), "to": "acme\u202e",
				"token": "ghp_abcdefghijklmnopqrstuvwxyz0123456789"}, n: 2})
			s.ask(t, call{tool: "Edit", input: map[string]any{"file_path": "/home/bo/api/main.go", "old_string": "a := 1\nb := 2\nreturn a",
				"new_string": "a := 1\nb := 3\nreturn a + b"}})
			done := s.ask(t, call{tool: "Bash", input: map[string]any{"command": "git push origin main"}})
			s.as(t, "bo", auth.Approver).decide(done.ID, map[string][]string{"do": {"grant"}, "scope": {"rule"}, "for": {"1h"},
				"why": {"release day"}})
			list = append(list, "/approvals/"+a.ID, "/approvals/"+done.ID, "/live?q=tol:x", "/sessions/codex/large",
				"/evidence?q=tool:Bash", "/evidence?q=tool:Nothing", "/nowhere")
			for _, w := range s.pending(t) {
				list = append(list, "/approvals/"+w)
			}
		}
		for _, width := range []int64{390, 1280} {
			b := s.open(t, "al", auth.Approver, width)
			for _, scheme := range []string{"light", "dark"} {
				b.scheme(scheme)
				for i, path := range list {
					if kind == "empty" && (strings.Contains(path, "/ev_") || strings.Contains(path, "codex/s0")) {
						continue
					}
					b.load(path)
					b.run(chromedp.EmulateViewport(320, 800))
					if over := eval[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
						t.Errorf("%s has to be scrolled sideways at 320 px, by %d: %s", path, over, eval[string](b, wide))
					}
					b.size(width)
					name := strings.NewReplacer("/", "_", "?", "_", "=", "_", ":", "_").Replace(strings.Trim(path, "/"))
					if strings.HasPrefix(path, "/approvals/") {
						name = fmt.Sprint("approval_", i)
					}
					b.shot(fmt.Sprintf("%s-%s-%d-%s", name, kind, width, scheme))
					if script != "" {
						b.axe(script, path+" "+scheme)
					}
				}
			}
			b.load("/inbox")
			b.run(chromedp.KeyEvent("?"))
			b.until("the help is open", `document.getElementById("help").open`)
			if b.shot(fmt.Sprintf("help-%s-%d", kind, width)); script != "" {
				b.axe(script, "help")
			}
			b.troubles = remove(remove(b.troubles, "status of 422"), "status of 404") // what is wrong, and what is not there
			b.clean()
		}
	}
}

const wide = `[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1).slice(0,` +
	` 3).map(e => e.outerHTML.slice(0, 120)).join(" | ")`

func remove(list []string, part string) (out []string) {
	for _, text := range list {
		if !strings.Contains(text, part) {
			out = append(out, text)
		}
	}
	return out
}

func init() {
	if shots != "" {
		os.MkdirAll(filepath.Clean(shots), 0o700)
	}
}
