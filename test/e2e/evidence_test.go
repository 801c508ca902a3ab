//go:build e2e && unix

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// record is what a test expects of a record: an event, and what came of it.
type record struct {
	Event    string
	Decision string
	Reason   string // empty if it does not matter
	Hook     string // the hook that ran; empty if none did
	Code     string // how that hook, or Trammel itself, failed
	Agent    bool   // it was a sub-agent's
}

// line is a line of evidence, as far as it matters here.
type line struct {
	Body struct {
		ID  string `json:"id"`
		MCP struct {
			Same string `json:"same"`
		} `json:"mcp"`
		Host    string `json:"host"`
		Event   string `json:"event"`
		Session struct {
			Agent   string   `json:"agent"`
			AgentID string   `json:"agent_id"`
			Parents []string `json:"parents"`
		} `json:"session"`
		Hooks []struct {
			ID   string `json:"id"`
			Code string `json:"code"`
		} `json:"hooks"`
		Verdict struct {
			Decision string `json:"decision"`
			Reason   string `json:"reason"`
		} `json:"verdict"`
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	} `json:"body"`
}

// recorded checks that the evidence is unbroken, and that it holds just these
// records of the events that the scenario is about.
func (r *result) recorded(t *testing.T, want ...record) {
	t.Helper()
	got := r.records(t)
	if len(got) != len(want) {
		t.Errorf("%d records, expected %d: %+v", len(got), len(want), got)
		return
	}
	for i, w := range want {
		g := got[i]
		if !strings.Contains(g.Reason, w.Reason) {
			t.Errorf("record %d has the reason %q, expected %q in it", i, g.Reason, w.Reason)
		}
		if g.Reason = w.Reason; g != w {
			t.Errorf("record %d is %+v, expected %+v", i, g, w)
		}
	}
}

// records reads the evidence, as far as it is of the scenario's events, and
// checks that it is unbroken.
func (r *result) records(t *testing.T) []record {
	t.Helper()
	var got []record
	for text := range bytes.Lines(r.evidence(t)) {
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			t.Fatalf("evidence: %v in %s", err, text)
		}
		if slices.Contains(r.events, l.Body.Event) && (r.from == "" || r.from == l.Body.Host) {
			got = append(got, l.record())
		}
	}
	if e := r.verify(t); e.code != 0 {
		t.Errorf("trammel evidence verify: exit code %d\n%s%s", e.code, e.stdout, e.stderr)
	}
	return got
}

func (l *line) record() record {
	b := &l.Body
	r := record{Event: b.Event, Decision: b.Verdict.Decision, Reason: b.Verdict.Reason, Code: b.Error.Code, Agent: b.Session.AgentID != "" ||
		len(b.Session.Parents) > 0 || b.Session.Agent == helper}
	var ids []string
	for _, h := range b.Hooks {
		ids = append(ids, h.ID)
		r.Code += h.Code
	}
	r.Hook = strings.Join(ids, " ")
	return r
}

// forged checks that a changed reason in the evidence does not go unnoticed.
func (r *result) forged(t *testing.T, reason string) {
	t.Helper()
	raw := r.evidence(t)
	lie := bytes.Replace(raw, []byte(reason), bytes.ToUpper([]byte(reason)), 1)
	if bytes.Equal(raw, lie) {
		t.Fatalf("%q is not in the evidence", reason)
	}
	if err := os.WriteFile(r.evidenceFile(t), lie, 0o600); err != nil {
		t.Fatal(err)
	}
	if e := r.verify(t); e.code == 0 {
		t.Errorf("trammel evidence verify believes a forged record: %s%s", e.stdout, e.stderr)
	}
}

func (r *result) verify(t *testing.T) ended {
	t.Helper()
	cmd := exec.Command(ready.Trammel, "evidence", "verify")
	cmd.Env = r.env()
	return r.run(t, cmd)
}

// logs is all evidence of the box, as it is.
func (b *box) logs() []byte {
	var all []byte
	files, _ := filepath.Glob(filepath.Join(b.state, "trammel", "evidence", "*", "*.jsonl"))
	for _, f := range files {
		data, _ := os.ReadFile(f)
		all = append(all, data...)
	}
	return all
}

func (r *result) evidence(t *testing.T) []byte {
	t.Helper()
	raw, err := os.ReadFile(r.evidenceFile(t))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// evidenceFile is the only file of records that so short a run can have left.
func (r *result) evidenceFile(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(r.state, "trammel", "evidence", "*", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 {
		t.Fatalf("files of evidence: %q, expected one", files)
	}
	return files[0]
}
