package approvals

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/internal/overrule"
)

// TEAM-28: a pause holds from its beginning to its end, as it was signed, and
// a file that is wrong in any way is no pause.
func TestPauseIsAuthenticated(t *testing.T) {
	public, private, _ := ed25519.GenerateKey(nil)
	_, stranger, _ := ed25519.GenerateKey(nil)
	key, other := PrivateKey(private), PrivateKey(stranger)
	state := t.TempDir()
	if err := os.MkdirAll(filepath.Join(state, "approvals"), 0o700); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC)
	s := &Service{Roster: &Roster{}, Keys: Keys{Authority: Named(public)}, Now: func() time.Time { return now }}
	by := Granter{Identity: "authority:" + key.KeyID(), Signer: key, Reason: "the registry is down", For: 10 * time.Minute}
	for name, change := range map[string]func(g *Granter){
		"too long": func(g *Granter) { g.For = MaxPause + time.Second }, "no time": func(g *Granter) { g.For = 0 },
		"no reason":          func(g *Granter) { g.Reason = "" },
		"a blank":            func(g *Granter) { g.Reason = " \n" },
		"less than no time":  func(g *Granter) { g.For = -time.Minute },
		"a part of a second": func(g *Granter) { g.For = time.Second - 1 }, "another key": func(g *Granter) { g.Signer = other },
		"somebody": func(g *Granter) { g.Identity = "slack:U1" },
	} {
		g := by
		change(&g)
		if p, err := s.Pause(state, g); err == nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if _, err := s.Paused(state); err == nil {
		t.Fatal("paused by nobody")
	}
	if _, err := s.Pause(state, by); err != nil {
		t.Fatal(err)
	}
	file := overrule.PauseFile(state)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	start := now
	for seconds, ok := range map[int64]bool{1: true, 3600: true, 0: false, -1: false, 3601: false, 1 << 62: false, -1 << 62: false} {
		p := &Pause{Start: now, Seconds: seconds, By: Local, Reason: "x"} // signed, whatever it says
		if p.Key, p.Proof, err = sign(key, p.statement()); err != nil {
			t.Fatal(err)
		}
		if err := s.holdsPause(p); (err == nil) != ok {
			t.Errorf("%d seconds: %v", seconds, err)
		}
	}
	theirs := &Pause{Start: now, Seconds: 60, By: "boss", Reason: "x"} // signed by somebody else than it says
	if theirs.Key, theirs.Proof, err = sign(key, theirs.statement()); err != nil {
		t.Fatal(err)
	}
	if err := s.holdsPause(theirs); err == nil {
		t.Error("paused in another person's name")
	}
	for _, c := range []struct {
		name string
		at   time.Duration
		want bool
	}{
		{"begins", 0, true}, {"a second before its end", 10*time.Minute - time.Second, true}, {"its end", 10 * time.Minute, false},
		{"a second later", 10*time.Minute + time.Second, false}, {"the clock was set back", -time.Second, false},
	} {
		now = start.Add(c.at)
		if _, err := s.Paused(state); (err == nil) != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := overrule.MayBePaused(state, now); got != (c.at < 10*time.Minute) {
			t.Errorf("%s: looked at %v", c.name, got)
		}
	}
	now = start.Add(time.Minute)
	edit := func(change func(m map[string]any)) []byte {
		var m map[string]any
		if err := json.Unmarshal(good, &m); err != nil {
			t.Fatal(err)
		}
		change(m)
		out, _ := json.Marshal(m)
		return out
	}
	for name, data := range map[string][]byte{
		"longer":        edit(func(m map[string]any) { m["seconds"] = 3000 }),
		"beyond all":    edit(func(m map[string]any) { m["seconds"] = 1e15 }),
		"later":         edit(func(m map[string]any) { m["start"] = start.Add(30 * time.Second).Format(time.RFC3339) }),
		"another":       edit(func(m map[string]any) { m["by"] = "root" }),
		"another why":   edit(func(m map[string]any) { m["reason"] = "x" }),
		"another key":   edit(func(m map[string]any) { m["key"] = other.KeyID() }),
		"no proof":      edit(func(m map[string]any) { delete(m, "proof") }),
		"torn":          good[:len(good)/2],
		"empty":         nil,
		"not an object": []byte(`[]`),
		"large":         []byte(`{"x":"` + strings.Repeat("x", maxPauseFile) + `"}`),
	} {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if p, err := s.Paused(state); err == nil {
			t.Errorf("%s: paused by %+v", name, p)
		}
	}
	beside := filepath.Join(filepath.Dir(file), "beside") // a link within the directory is none of ours either
	if err := errors.Join(os.WriteFile(beside, good, 0o600), os.Remove(file), os.Symlink(beside, file)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Paused(state); err == nil {
		t.Error("paused by a link")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(state, "kept")
	if err := os.WriteFile(kept, good, 0o600); err != nil {
		t.Fatal(err)
	}
	os.Remove(file)
	if err := os.Symlink(kept, file); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Paused(state); err == nil {
		t.Error("through a link")
	}
	os.Remove(file)
	if err := os.WriteFile(file, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Paused(state); err != nil {
		t.Errorf("as it was: %v", err)
	}
}
