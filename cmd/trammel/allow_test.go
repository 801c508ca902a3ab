//go:build unix

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

var allowFirst = []line{{"Which one may pass", "1"}, {"Why is it right?", "the person says so"}, {"Authority secret", secretWord}}

// TEAM-25: a person lets one denied call pass, once; nothing else passes with it.
func TestAllowAtATerminal(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	const denied, passes = `"decision":"deny"`, "trammel allow"
	if out := d.call("drop", `{"table":"a"}`); !strings.Contains(out, denied) || strings.Contains(out, passes) {
		t.Fatalf("nobody can allow anything before there is a secret: %s", out)
	}
	d.setSecret()
	out := d.call("drop", `{"table":"a"}`)
	if !strings.Contains(out, denied) || !strings.Contains(out, passes) || strings.Contains(out, "grn_") || strings.Contains(out, "ev_") {
		t.Errorf("the model reads that a person can allow it, and no code: %s", out)
	}
	if out, rc := d.quiet("1\nbecause\n"+secretWord+"\n", "trammel", "allow"); rc != 3 {
		t.Errorf("without a terminal: %d %s", rc, out)
	}
	fake := filepath.Join(d.home, "claude")
	d.write(fake, "#!/bin/sh\ntrammel allow\n")
	if out, rc := d.typed(allowFirst, fake); rc != 3 {
		t.Errorf("under an agent: %d %s", rc, out)
	}
	if out := d.call("drop", `{"table":"a"}`); !strings.Contains(out, denied) {
		t.Fatalf("still denied: %s", out)
	}
	if out, rc := d.typed(allowFirst, "trammel", "allow"); rc != 0 || !strings.Contains(out, "may pass once") {
		t.Fatalf("%d %s", rc, out)
	}
	if out := d.call("drop", `{"table":"b"}`); !strings.Contains(out, denied) {
		t.Errorf("another call: %s", out)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	passed := 0
	for range 2 {
		wg.Go(func() {
			out := d.call("drop", `{"table":"a"}`)
			mu.Lock()
			defer mu.Unlock()
			if !strings.Contains(out, denied) {
				passed++
			}
		})
	}
	wg.Wait()
	if passed != 1 {
		t.Errorf("two racers: %d passed", passed)
	}
	if out := d.call("drop", `{"table":"a"}`); !strings.Contains(out, denied) {
		t.Errorf("once more: %s", out)
	}
	out, _ = d.quiet("", "trammel", "evidence", "export")
	for _, want := range []string{"grant.made", "grant.used", "the person says so", "allowed_once", `"used_by"`} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is not on record", want)
		}
	}
}

// TEAM-26: what no person can allow here: denials of self-protection, of the
// machine's hooks that do not say so, under a configuration that has changed
// since, and with a store that is damaged.
func TestWhatCannotBeAllowed(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.setSecret()
	conf := filepath.Join(d.home, ".config", "trammel", "trammel.yaml")
	guarded := gatedPayments + "  - id: own\n    use: self-protection\n"
	d.write(conf, guarded)
	out := d.call("Bash", `{"command":"rm -rf `+filepath.Join(d.home, ".local/state/trammel")+`"}`)
	if !strings.Contains(out, "deny") || strings.Contains(out, "trammel allow") {
		t.Fatal(out)
	}
	if out, rc := d.typed(allowFirst, "trammel", "allow"); rc != 4 || !strings.Contains(out, "final") {
		t.Errorf("self-protection: %d %s", rc, out)
	}
	d.call("drop", `{"table":"a"}`)
	if out, rc := d.typed(allowFirst, "trammel", "allow"); rc != 0 || !strings.Contains(out, "Not listed: 1 denial that cannot be allowed") {
		t.Fatalf("%d %s", rc, out)
	}
	d.write(conf, guarded+"  - id: more\n    on: stop\n    context: x\n")
	if out := d.call("drop", `{"table":"a"}`); !strings.Contains(out, "deny") {
		t.Errorf("under another configuration: %s", out)
	}
	d.write(conf, guarded)
	store := filepath.Join(d.home, ".local/state/trammel/approvals/store.db")
	for _, file := range []string{store + "-wal", store + "-shm"} {
		os.Remove(file)
	}
	d.write(store, "this is no database")
	if out := d.call("drop", `{"table":"a"}`); !strings.Contains(out, "deny") {
		t.Errorf("with a damaged store: %s", out)
	}
}

// Whoever can write to the evidence puts the key of one call next to the words of
// another: the person who allows what they read allows only that.
func TestARecordOfAnotherCall(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.setSecret()
	const denied = `"decision":"deny"`
	d.call("drop", `{"table":"production"}`)
	d.call("drop", `{"table":"scratch"}`)
	key := regexp.MustCompile(`"call":"([0-9a-f]{64})"`)
	logs, _ := filepath.Glob(filepath.Join(d.home, ".local/state/trammel/evidence/*/*.jsonl"))
	for _, file := range logs {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		keys := key.FindAllSubmatch(data, -1)
		if len(keys) != 2 {
			continue
		}
		d.write(file, strings.ReplaceAll(string(data), string(keys[1][1]), string(keys[0][1])))
		if out, rc := d.typed(allowFirst, "trammel", "allow"); rc == 0 && !strings.Contains(out, "scratch") {
			t.Fatalf("the person reads %s", out)
		}
		for _, table := range []string{"production", "scratch"} {
			if out := d.call("drop", `{"table":"`+table+`"}`); !strings.Contains(out, denied) {
				t.Errorf("%s passes: %s", table, out)
			}
		}
		return
	}
	t.Errorf("there is no log with two denials: %q", logs)
}
