package packs

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/evidence"
)

const echoing = `import json, sys
for line in sys.stdin:
    call = json.loads(line)
    if call["payload"].get("bad"): raise SystemExit(1)
    print(json.dumps({"status": "ok", "valid": True, "facts": call["payload"], "diagnostics": ["seen"]}), flush=True)
`

func replayed(t *testing.T, dir string) (list []Recorded) {
	t.Helper()
	if err := Replay(dir, func(r Recorded) error { list = append(list, r); return nil }); err != nil {
		t.Fatal(err)
	}
	return list
}

// FST-60, FST-61, FST-62, FST-63: every call leaves a record in the chain with
// all that is asked for, contents only as digests; replay reads it.
func TestEvidence(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	s := python(t, echoing, Options{Log: evidence.Open(dir, evidence.Options{})})
	c := fst.Call{Hook: "validate", Run: "run_001", Profile: "p", ProfileVersion: "0.1.0", Payload: map[string]any{"word": "confidential"}}
	good := call(t, s, c)
	c.Payload = map[string]any{"bad": true}
	bad := call(t, s, c)
	unknown := call(t, s, fst.Call{Hook: "none"})
	rep, err := evidence.Verify(dir)
	if err != nil || rep.Records != 3 {
		t.Fatalf("%+v, %v", rep, err)
	}
	raw, _ := os.ReadFile(filepath.Join(dir, "current.jsonl"))
	if bytes.Contains(raw, []byte("confidential")) {
		t.Error("contents are in the log")
	}
	list := replayed(t, dir)
	if r := list[0]; r.Seq != good.Receipt.Seq || r.Hook != "validate" || r.Runtime != "sample" || r.Kind != Python ||
		r.Entrypoint != good.Entrypoint || r.Input != good.Input ||
		r.Output != good.Output || r.Diagnostics[0] != "seen" || r.Failure != "" || r.Status != "ok" || !*r.Valid || r.Run != "run_001" ||
		r.Profile != "p" || r.ProfileVersion != "0.1.0" || r.ArtifactType != "a" {
		t.Errorf("%+v", r)
	}
	if r := list[1]; r.Failure != string(fst.FailedExit) || r.Status != "error" || *r.Valid || r.Route != string(Blocked) ||
		r.Output != "" || r.Input != bad.Input {
		t.Errorf("%+v", r)
	}
	if r := list[2]; r.Failure != string(fst.UnknownHook) || unknown.Input != "" {
		t.Errorf("%+v", r)
	}
	rows := 0
	if err := evidence.List(dir, evidence.Filter{Event: evidence.PackCall, Hook: "validate"},
		func(evidence.Row) error { rows++; return nil }); err != nil || rows != 2 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// FST-63: where a call cannot be recorded, its outcome is not used.
func TestNoRecordNoOutcome(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o600)
	s := python(t, echoing, Options{Log: evidence.Open(filepath.Join(file, "log"), evidence.Options{})})
	if _, err := s.Last(context.Background(), fst.Call{Hook: "validate"}); err == nil {
		t.Error("no error")
	}
}

// FST-62: a call that is made again is compared with what is on record.
func TestRerun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	o := Options{Log: evidence.Open(dir, evidence.Options{}), Keep: true}
	s := python(t, echoing, o)
	call(t, s, fst.Call{Hook: "validate", Payload: map[string]any{"n": 1.5}})
	call(t, s, fst.Call{Hook: "validate", Payload: map[string]any{"key": "AKIA" + "Q3EGRIPJ7XKLW2VN"}})
	list := replayed(t, dir)
	d, err := Rerun(context.Background(), s, list[0])
	if err != nil || len(d.Drift) != 0 {
		t.Errorf("%v, %v", d.Drift, err)
	}
	if _, err := Rerun(context.Background(), s, list[1]); !errors.Is(err, ErrNotKept) {
		t.Errorf("a payload with a secret in it: %v", err)
	}
	if err := os.WriteFile(filepath.Join(s.pack.Dir, "main.py"), []byte(strings.Replace(echoing, "seen", "seen again", 1)),
		0o644); err != nil {
		t.Fatal(err)
	}
	d, err = Rerun(context.Background(), s.pack.Session(o), list[0])
	if err != nil || len(d.Drift) != 2 || !strings.HasPrefix(d.Drift[0], "entrypoint: was sha256:") || !strings.HasPrefix(d.Drift[1],
		"output: was sha256:") {
		t.Errorf("%v, %v", d.Drift, err)
	}
	os.WriteFile(filepath.Join(s.pack.Dir, "main.py"), []byte("raise SystemExit(1)"), 0o644)
	if d, err = Rerun(context.Background(), s.pack.Session(o), list[0]); err != nil || len(d.Drift) != 4 {
		t.Errorf("%v, %v", d.Drift, err)
	}
}
