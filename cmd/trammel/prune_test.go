//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
)

// FST-63: only a person at their own terminal prunes the evidence. What
// is left verifies and says who removed what, and a copy of that can be proven.
func TestPruneAtATerminal(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.setSecret()
	d.write(d.home+"/.config/trammel/trammel.yaml", gatedPayments+"  - id: own\n    use: self-protection\n")
	state := d.home + "/.local/state/trammel"
	log := filepath.Join(state, "evidence", layers.Key(d.project))
	if err := os.RemoveAll(log); err != nil { // what is there is new
		t.Fatal(err)
	}
	long := time.Now().Add(-400 * 24 * time.Hour)
	for i := range 30 {
		body := fmt.Sprintf(`{"event":"x","id":"ev_%d","project":"%s","time":"%s"}`, i, d.project,
			long.Add(time.Duration(i)*time.Hour).UTC().Format(time.RFC3339Nano))
		if _, err := evidence.Open(log, evidence.Options{Segment: 3000}).Append(t.Context(), []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	if out, rc := d.quiet("", "trammel", "evidence", "checkpoint"); rc != 0 {
		t.Fatal(out)
	}
	copied, _ := d.quiet("", "trammel", "evidence", "export")
	d.write(d.home+"/copy.jsonl", copied)
	prune := []string{"trammel", "evidence", "prune", "--before", "90d", "--reason", "we keep three months"}
	if out, rc := d.quiet("", append(prune, "--dry-run")...); rc != 0 || !strings.Contains(out, "Would be removed: records 1 to 30") {
		t.Errorf("dry: %d %s", rc, out)
	}
	for _, bad := range [][]string{{"--before", "2999-01-01"}, {"--before", "soon"}, {"--dry-run"}} {
		if out, rc := d.quiet("", append([]string{"trammel", "evidence", "prune"}, bad...)...); rc != 2 || !strings.Contains(out, "--before") {
			t.Errorf("%v: %d %s", bad, rc, out)
		}
	}
	if out, rc := d.quiet(secretWord+"\n", prune...); rc != 3 {
		t.Errorf("without a terminal: %d %s", rc, out)
	}
	secret := []line{{"Authority secret", secretWord}}
	fake := d.home + "/claude"
	d.write(fake, "#!/bin/sh\ntrammel evidence prune --before 90d --reason x\n")
	if out, rc := d.typed(secret, fake); rc != 3 {
		t.Errorf("under an agent: %d %s", rc, out)
	}
	for _, command := range []string{"trammel evidence prune --before 90d", "rm " + log + "/segment-000000000001.jsonl"} {
		if out := d.call("Bash", `{"command":"`+command+`"}`); !strings.Contains(out, `"decision":"deny"`) {
			t.Errorf("an agent's %s: %s", command, out)
		}
	}
	if out, rc := d.quiet("", "trammel", "evidence", "verify"); rc != 0 || strings.Contains(out, "pruned") {
		t.Fatalf("%d %s", rc, out)
	}
	segments := map[string]string{}
	paths, _ := filepath.Glob(filepath.Join(log, "segment-*.jsonl"))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		segments[path] = string(data)
	}
	if out, rc := d.typed(secret, prune...); rc != 0 || !strings.Contains(out, "Removed: records 1 to") {
		t.Fatalf("%d %s", rc, out)
	}
	out, rc := d.quiet("", "trammel", "evidence", "verify", "--removed", d.home+"/copy.jsonl")
	for _, want := range []string{"ok: ", "pruned: records 1 to ", "by local (key_", "we keep three months",
		"1 checkpoint agrees with the log", "is a true copy of"} {
		if rc != 0 || !strings.Contains(out, want) {
			t.Errorf("%d, no %q in %s", rc, want, out)
		}
	}
	d.write(d.home+"/copy.jsonl", strings.Replace(copied, "\n", "", 1))
	if out, rc := d.quiet("", "trammel", "evidence", "verify", "--removed", d.home+"/copy.jsonl"); rc != 1 ||
		!strings.Contains(out, "NOT PROVEN: ") || strings.Contains(out, "BROKEN") {
		t.Errorf("another copy: %d %s", rc, out)
	}
	if out, rc := d.quiet("", "trammel", "evidence", "show", "1"); rc != 1 || !strings.Contains(out, "record 1 was pruned by local") {
		t.Errorf("%d %s", rc, out)
	}
	onRecord := func() int {
		out, _ := d.quiet("", "trammel", "evidence", "export")
		return strings.Count(out, `"event":"authority.pruned"`)
	}
	if n := onRecord(); n != 1 {
		t.Errorf("%d times on record", n)
	}
	// As if the program had been killed before the first file was removed.
	stones, _ := filepath.Glob(filepath.Join(log, "tombstone-*.json"))
	if len(stones) != 1 || os.Rename(stones[0], filepath.Join(log, "pruning.json")) != nil {
		t.Fatal(stones)
	}
	for name, data := range segments {
		d.write(name, data)
	}
	if out, rc := d.quiet("", "trammel", "evidence", "verify"); rc != 0 || !strings.Contains(out, "is not finished") {
		t.Fatalf("%d %s", rc, out)
	}
	if out, rc := d.typed(nil, "trammel", "evidence", "prune"); rc != 0 || !strings.Contains(out, "An interrupted run was finished") {
		t.Errorf("%d %s", rc, out)
	}
	if n := onRecord(); n != 1 {
		t.Errorf("%d times on record after it was finished", n)
	}
	if out, rc := d.quiet("", "trammel", "evidence", "verify", "--authority", "key_x"); rc != 1 || !strings.Contains(out, "bad_tombstone") {
		t.Errorf("by another key: %d %s", rc, out)
	}
	if out, rc := d.quiet("", "trammel", "init", "claude-code", "--yes"); rc != 0 {
		t.Fatal(out)
	}
	for key, bad := range map[string]bool{"": false, "key_x": true} {
		args := []string{"trammel", "doctor", "claude-code"}
		if key != "" {
			args = append(args, "--authority", key)
		}
		if out, _ := d.quiet("", args...); strings.Contains(out, "bad_tombstone") != bad || !strings.Contains(out, "wired") {
			t.Errorf("doctor with the key %q: %s", key, out)
		}
	}
}
