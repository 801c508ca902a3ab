//go:build e2e

package console_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// axePackage is what checks pages for accessibility. It comes from npm into the
// cache that test/e2e has its agents in.
const axePackage = "axe-core@4.14.0"

// axe is the text of axe-core; "" if this machine cannot have it, which a
// skipped test says.
func axe(t *testing.T) (script string) {
	t.Helper()
	t.Run("axe", func(t *testing.T) {
		cache := os.Getenv("TRAMMEL_E2E_CACHE")
		if cache == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				t.Fatal(err)
			}
			cache = filepath.Join(home, ".cache", "trammel-e2e")
		}
		dir := filepath.Join(cache, axePackage)
		file := filepath.Join(dir, "node_modules", "axe-core", "axe.min.js")
		if _, err := os.Stat(file); err != nil {
			out, err := exec.Command("npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=1",
				"--fetch-timeout=60000", axePackage).CombinedOutput()
			if err != nil && os.Getenv("TRAMMEL_E2E_REQUIRE") == "" {
				t.Skipf("no axe-core: %v\n%s", err, out)
			}
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		script = string(text)
	})
	return script
}

// axe checks a page. The page's own policy lets no script in, so it is
// evaluated from outside.
func (b *tab) axe(script, where string) {
	b.t.Helper()
	eval[bool](b, script+"; true")
	out, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(
		r.violations.map(v => v.id + " (" + v.impact + "): " +
			v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + " " + n.failureSummary).join(" | "))))`, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	var found []string
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		b.t.Fatal(err)
	}
	for _, f := range found {
		b.t.Errorf("axe at %s: %s", where, f)
	}
}
