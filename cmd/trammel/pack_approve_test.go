//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/packs/process"
)

// control makes a control call, and returns the response.
func (d *testDesk) control(want int, name, action, payload string, more ...string) (out process.Response) {
	d.t.Helper()
	text, rc := d.quiet("", append([]string{"trammel", "pack", "control", name, "--action", action, "--payload", payload, "--json"},
		more...)...)
	if err := json.Unmarshal([]byte(text), &out); err != nil || rc != want {
		d.t.Fatalf("%s: exit code %d, expected %d: %s", action, rc, want, text)
	}
	return out
}

// replace changes a file of the project.
func (d *testDesk) replace(file, old, new string) {
	d.t.Helper()
	data, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(data), old) {
		d.t.Fatalf("%s has no %q: %v", file, old, err)
	}
	d.write(file, strings.Replace(string(data), old, new, 1))
}

// FST-70 FST-74 FST-75 FST-78: the purchase template from a draft to an order: a
// person approves the process, an agent controls it, a person approves the
// purchase above the limit, and nobody gets around either.
func TestPurchaseFromDraftToOrder(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is missing")
	}
	d := newTestDesk(t)
	d.setSecret()
	right := []line{{"Authority secret", secretWord}}
	run := func(want int, argv ...string) string {
		t.Helper()
		out, rc := d.quiet("", argv...)
		if rc != want {
			t.Fatalf("%v: exit code %d, expected %d: %s", argv, rc, want, out)
		}
		return out
	}
	run(0, "trammel", "pack", "init", "purchase", "--template", "purchase")
	run(0, "trammel", "pack", "export", "purchase", "purchase.fstpack")
	run(0, "trammel", "pack", "install", "purchase.fstpack")

	// A draft can be tried where it is; what is installed waits for a person.
	request := `{"item":"desk","amount":5000}`
	d.control(0, "./purchase", "purchase.request", request)
	if out := d.control(3, "purchase", "purchase.request", request); out.Code != process.CodeNotApproved {
		t.Fatalf("%+v", out)
	}
	if out := run(0, "trammel", "pack", "list"); !strings.Contains(out, "intact  installed") {
		t.Errorf("%s", out)
	}
	if out := run(3, "trammel", "pack", "approve", "purchase"); !strings.Contains(out, "terminal") {
		t.Errorf("%s", out)
	}
	if out, rc := d.typed([]line{{"Authority secret", "not it"}, {"not the authority secret", ""}, {"Authority secret", ""}}, "trammel",
		"pack", "approve",
		"purchase"); rc == 0 {
		t.Fatalf("without the secret: %s", out)
	}
	out, rc := d.typed(right, "trammel", "pack", "approve", "purchase", "--reason", "reviewed")
	if rc != 0 || !strings.Contains(out, "purchase.order: real effect on vendor, amount; over_limit asks approver") {
		t.Fatalf("%d %s", rc, out)
	}
	if out := run(0, "trammel", "pack", "list", "--json"); !strings.Contains(out, `"stage": "approved_for_use"`) {
		t.Errorf("%s", out)
	}

	// The purchase goes through the inbox, once, and its effect is made once.
	in := d.control(0, "purchase@0.1.0", "purchase.request", request).Run
	d.control(0, "purchase", "purchase.quote", `{"vendor":"acme","price":5000}`, "--run", in)
	order := `{"vendor":"acme","amount":5000}`
	waits := d.control(2, "purchase", "purchase.order", order, "--run", in)
	if waits.Route != process.AwaitApproval {
		t.Fatalf("%+v", waits)
	}
	if out, rc := d.typed(right, "trammel", "approvals", "approve", waits.ApprovalID); rc != 0 {
		t.Fatalf("%d %s", rc, out)
	}
	if out := d.control(2, "purchase", "purchase.order", `{"vendor":"evil","amount":5000}`, "--run", in); out.Route != process.AwaitApproval {
		t.Errorf("another vendor: %+v", out)
	}
	if out := d.control(0, "purchase", "purchase.order", order, "--run", in); out.Route != process.MaterializeAllowed {
		t.Errorf("%+v", out)
	}
	d.control(0, "purchase", "purchase.order", order, "--run", in, "--preflight")
	if out := d.control(2, "purchase", "purchase.order", order, "--run", in, "--preflight"); out.Code != process.CodeEffect {
		t.Errorf("%+v", out)
	}
	if out := d.control(0, "purchase", "purchase.close", `{}`, "--run", in); out.Route != process.Complete {
		t.Errorf("%+v", out)
	}

	// Other rules than the approved ones do not hold, nor do forged approvals.
	refused := func(name, how string) {
		t.Helper()
		if out := d.control(3, name, "purchase.request", request); out.Code != process.CodeNotApproved {
			t.Errorf("%s: %+v", how, out)
		}
	}
	d.control(0, "./purchase", "purchase.request", request) // the same files elsewhere
	d.replace(filepath.Join(d.project, "purchase", "logic", "python", "main.py"), "1000", "1000000")
	refused("./purchase", "a changed draft")
	library := filepath.Join(d.home, ".local", "state", "trammel", "packs", "purchase")
	uses, _ := filepath.Glob(filepath.Join(library, "*.use.json"))
	if len(uses) != 1 {
		t.Fatal(uses)
	}
	good, err := os.ReadFile(uses[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, forged := range [][2]string{{`"approved_by": "local"`, `"approved_by": "me"`}, {`"reason": "reviewed"`, `"connectors": ["erp"]`},
		{`"process_version": "0.1.0"`, `"process_version": "0.1.1"`}} {
		d.replace(uses[0], forged[0], forged[1])
		refused("purchase", forged[1])
		d.write(uses[0], string(good))
	}
	d.control(0, "purchase", "purchase.request", request)
	d.replace(filepath.Join(library, "0.1.0", "profile.yaml"), "purpose: Buy", "purpose: Get")
	refused("purchase", "a changed installation")
	d.replace(filepath.Join(library, "0.1.0", "profile.yaml"), "purpose: Get", "purpose: Buy")
	run(3, "trammel", "pack", "approve", "purchase", "--withdraw")
	if out, rc := d.typed(nil, "trammel", "pack", "approve", "purchase", "--withdraw"); rc != 0 {
		t.Fatalf("%d %s", rc, out)
	}
	refused("purchase", "withdrawn")
	log := run(0, "trammel", "evidence", "export")
	for _, want := range []string{"process.approved", "process.withdrawn", "not_approved_for_use", `"route":"MaterializeAllowed"`} {
		if !strings.Contains(log, want) {
			t.Errorf("%s is not on record", want)
		}
	}
}
