//go:build unix

package main

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
)

func (d *testDesk) file(name string) string {
	return filepath.Join(d.home, ".local/state/trammel/approvals", name)
}

// sql edits a store as another program would.
func (d *testDesk) sql(file string, edit func(a *store.Approval)) {
	d.t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		d.t.Fatal(err)
	}
	defer db.Close()
	var id, doc string
	if err := db.QueryRow("SELECT id, doc FROM approvals ORDER BY seq DESC LIMIT 1").Scan(&id, &doc); err != nil {
		d.t.Fatal(err)
	}
	var a store.Approval
	if err := json.Unmarshal([]byte(doc), &a); err != nil {
		d.t.Fatal(err)
	}
	edit(&a)
	text, _ := json.Marshal(&a)
	open := any(nil)
	if a.State.Open() {
		open = a.Digest
	}
	if _, err := db.Exec("UPDATE approvals SET state = ?, digest = ?, open_digest = ?, doc = ? WHERE id = ?", a.State, a.Digest, open, text,
		id); err != nil {
		d.t.Fatal(err)
	}
}

func (d *testDesk) approve(id string) {
	d.t.Helper()
	if out, rc := d.typed([]line{{"Authority secret", secretWord}}, "trammel", "approvals", "approve", id); rc != 0 {
		d.t.Fatalf("%d %s", rc, out)
	}
}

const (
	payment = `{"amount":60000}`
	refusal = `"decision":"deny"`
)

// Issue 10, must show 5: the store's file, written with another program.
func TestTheStoreFileDecidesNothing(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.setSecret()
	d.call("pay", payment)
	id := d.pending()
	d.sql(d.file("store.db"), func(a *store.Approval) { a.State = store.Approved })
	if out := d.call("pay", payment); !strings.Contains(out, refusal) {
		t.Errorf("state: %s", out)
	}
	d.sql(d.file("store.db"), func(a *store.Approval) {
		a.State = store.Approved
		a.Votes = []store.Vote{{Approver: approvals.Local, Identity: "authority:key_x", Approve: true, Key: "key_x", Proof: make([]byte, 64),
			Asks: 1}}
	})
	if out := d.call("pay", payment); !strings.Contains(out, refusal) {
		t.Errorf("votes: %s", out)
	}
	d.sql(d.file("store.db"), func(a *store.Approval) {
		a.State, a.Votes, a.Args = store.Pending, nil, json.RawMessage(`{"amount":1}`)
	})
	if out, rc := d.typed([]line{{"Authority secret", secretWord}}, "trammel", "approvals", "approve", id); rc != 4 ||
		!strings.Contains(out, "somebody has changed the store") {
		t.Errorf("a harmless call shown for another: %d %s", rc, out)
	}
}

// The same approval, used again: out of an edited store, and out of a copy of it
// that the environment names.
func TestAnApprovalIsUsedOnceWhateverTheStoreSays(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.setSecret()
	d.call("pay", payment)
	d.approve(d.pending())
	copied := filepath.Join(d.home, "copy.db")
	for _, suffix := range []string{"", "-wal"} {
		if data, err := os.ReadFile(d.file("store.db" + suffix)); err == nil {
			d.write(copied+suffix, string(data))
		}
	}
	if out := d.call("pay", payment); strings.Contains(out, refusal) {
		t.Fatalf("the approved call: %s", out)
	}
	d.sql(d.file("store.db"), func(a *store.Approval) { a.State, a.Asks[0].Used = store.Approved, store.Time{} })
	if out := d.call("pay", payment); !strings.Contains(out, refusal) {
		t.Errorf("asks: %s", out)
	}
	d.env = append(d.env, "TRAMMEL_STORE="+copied)
	if out := d.call("pay", payment); !strings.Contains(out, refusal) {
		t.Errorf("TRAMMEL_STORE: %s", out)
	}
}

// A key file that somebody has put in its place: whoever can do that, past
// self-protection, is taken for the person at this machine, unless the
// configuration pins the key. Then it counts for nothing (APR-16).
func TestAnotherKeyFile(t *testing.T) {
	t.Parallel()
	for _, pin := range []string{"", "authority: KEY", "people: {me: \"authority:KEY\"}, terms: {approvers: me, allow_requester: true}"} {
		pinned := pin != ""
		d := newTestDesk(t)
		d.setSecret()
		if pinned {
			ring, err := approvals.LoadKeyring(filepath.Dir(filepath.Dir(d.file("x"))))
			if err != nil {
				t.Fatal(err)
			}
			pin = strings.Replace(pin, "KEY", approvals.KeyID(ring.Authority.Public), 1)
			d.write(filepath.Join(d.home, ".config/trammel/trammel.yaml"),
				strings.Replace(gatedPayments, "hooks:", "approvals: {"+pin+"}\nhooks:", 1))
		}
		d.call("pay", payment)
		id := d.pending()
		if err := os.Remove(d.file("keys.json")); err != nil {
			t.Fatal(err)
		}
		d.setSecret() // as the attacker would, with a secret of their own
		out, rc := d.typed([]line{{"Authority secret", secretWord}}, "trammel", "approvals", "approve", id)
		if passes := rc == 0; passes == pinned {
			t.Errorf("%q: %d %s", pin, rc, out)
		}
		if out := d.call("pay", payment); strings.Contains(out, refusal) != pinned {
			t.Errorf("%q: %s", pin, out)
		}
	}
}
