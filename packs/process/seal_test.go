package process_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/packs/process"
)

// kept is the one file of the shop's runs.
func (s *shop) kept() (path string, text []byte) {
	s.t.Helper()
	list, _ := filepath.Glob(filepath.Join(s.state, "process", "*.json"))
	if len(list) != 1 {
		s.t.Fatal(list)
	}
	text, err := os.ReadFile(list[0])
	if err != nil {
		s.t.Fatal(err)
	}
	return list[0], text
}

func (s *shop) write(path string, text []byte) {
	s.t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// FST-73 FST-75: a run that somebody has changed in its file is not the one on
// record, whatever they changed.
func TestForgedRuns(t *testing.T) {
	s := newShop(t)
	s.ready()
	path, good := s.kept()
	order := payload{"vendor": "acme", "amount": 5}
	for _, forged := range []edit{
		{"payload", `"price":5000`, `"price":1`},
		{"run", `"type":"quote","run_id":"` + s.run, `"type":"quote","run_id":"run_other`},
		{"source", `"created_via":"fst_control"`, `"created_via":"hand"`},
		{"valid", `"valid":true`, `"valid":false`},
		{"profile of the run", `"profile_id":"purchase","profile_version":"0.1.0"`, `"profile_id":"purchase","profile_version":"0.2.0"`},
		{"next actions", `"next_actions":["purchase.preview"`, `"next_actions":["purchase.close"`},
		{"record", `{"record":`, `{"record":9`},
	} {
		text := strings.Replace(string(good), forged.old, forged.new, 1)
		if text == string(good) {
			t.Fatalf("%s: there is no %s in %s", forged.file, forged.old, good)
		}
		s.write(path, []byte(text))
		s.want(s.control("purchase.order", order), "error", "", process.CodeRunForged)
	}
	s.write(path, good)
	s.want(s.control("purchase.order", order), "ok", process.MaterializeAllowed, "")
	s.write(path, good[:len(good)/2])
	if got, err := s.Control(t.Context(), process.Request{Action: "purchase.close", Run: s.run}); err == nil || got.Status != "error" {
		t.Errorf("a damaged run: %+v", got)
	}
}

// FST-75 FST-78: an older state of a run cannot be put back, so an effect that
// was made is not made twice; nor can a run be lent to another log.
func TestOldRunsStayOld(t *testing.T) {
	s := newShop(t)
	s.ready()
	effect := process.Request{Action: "purchase.preview", Payload: payload{"vendor": "acme", "amount": 400}, Run: s.run}
	s.want(s.send(effect), "ok", process.MaterializeMock, "")
	path, allowed := s.kept()
	if out, err := s.Preflight(t.Context(), effect); err != nil || !out.MayProceed {
		t.Fatalf("%+v %v", out, err)
	}
	_, made := s.kept()
	s.write(path, allowed)
	out, err := s.Preflight(t.Context(), effect)
	if s.want(out, "error", "", process.CodeRunForged); err != nil {
		t.Error(err)
	}
	s.write(path, made)
	other := newShop(t)
	if err := os.MkdirAll(filepath.Join(other.state, "process"), 0o700); err != nil {
		t.Fatal(err)
	}
	other.write(filepath.Join(other.state, "process", filepath.Base(path)), made)
	other.run = s.run
	other.want(other.control("purchase.close", nil), "error", "", process.CodeRunForged)
}

// FST-75: whoever is killed between the record and the run leaves the new run
// beside the old one, and it counts; one that is not on record does not.
func TestKilledAfterTheRecord(t *testing.T) {
	s := newShop(t)
	s.want(s.control("purchase.request", payload{"item": "desk", "amount": 400}), "ok", process.Continue, "")
	path, old := s.kept()
	s.want(s.control("purchase.quote", payload{"vendor": "acme", "price": 5}), "ok", process.Continue, "")
	_, now := s.kept()
	next := process.NextFile(s.state, "purchase", s.run)
	s.write(next, now)
	s.write(path, old)
	s.want(s.control("purchase.preview", payload{"vendor": "acme", "amount": 5}), "ok", process.MaterializeMock, "")
	_, now = s.kept()
	s.write(next, bytes.Replace(now, []byte("acme"), []byte("mine"), 1)) // it never came on record
	s.want(s.control("purchase.preview", payload{"vendor": "acme", "amount": 6}), "ok", process.MaterializeMock, "")
	path, now = s.kept()
	s.write(path, bytes.Replace(now, []byte("acme"), []byte("mine"), 1))
	s.write(next, bytes.Replace(now, []byte("acme"), []byte("ours"), 1))
	s.want(s.control("purchase.preview", payload{"vendor": "acme", "amount": 7}), "error", "", process.CodeRunForged)
	if err := os.Remove(next); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s.want(s.control("purchase.close", nil), "error", "", process.CodeUnknownRun)
}
