package flow

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/test/testfile"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func line(kind, actor string, before time.Duration, more string) string {
	return `{"type":"` + kind + `","subjectId":"t","actor":"` + actor + `","at":"` + noon.Add(-before).Format("2006-01-02T15:04:05.000Z") +
		`"` +
		more + "}\n"
}

// FLOW-30: who else is on a task, by what agents say of themselves.
func TestOthers(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"nobody":          {"", ""},
		"oneself":         {line("claim", "me", 0, ""), ""},
		"a claim":         {line("claim", "you", time.Minute, ""), "you"},
		"two":             {line("claim", "you", time.Minute, "") + line("claim", "he", time.Minute, ""), "he you"},
		"of another task": {strings.Replace(line("claim", "you", 0, ""), `"t"`, `"u"`, 1), ""},
		"too old":         {line("claim", "you", 31*time.Minute, ""), ""},
		"kept alive":      {line("claim", "you", 40*time.Minute, "") + line("heartbeat", "you", time.Minute, ""), "you"},
		"for longer":      {line("claim", "you", 40*time.Minute, `,"ttlSeconds":3600`), "you"},
		"for less long":   {line("claim", "you", 2*time.Minute, `,"ttlSeconds":60`), ""},
		"released":        {line("claim", "you", 2*time.Minute, "") + line("release", "you", time.Minute, ""), ""},
		"claimed again":   {line("release", "you", 2*time.Minute, "") + line("claim", "you", time.Minute, ""), "you"},
		"garbage": {"{\n[]\nnull\n" + line("claim", "you", 0, "") + `{"type":"claim","subjectId":"t","actor":1,"at":7}` +
			"\n", "you"},
		"behind a megabyte of noise": {strings.Repeat(line("heartbeat", "old", 40*time.Minute, ""), 10_000) + line("claim", "you", 0, ""), "you"},
	} {
		s := Session{Slug: "t", Actor: "me", base: t.TempDir()}
		testfile.Tree(t, s.base, map[string]string{livenessFile: c.file})
		var got []string
		for _, h := range s.Others(noon) {
			got = append(got, h.Actor)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// FLOW-34: an agent that has claimed its task says that it is still there, once
// a minute, and when it goes; nobody else does.
func TestBeat(t *testing.T) {
	claim := line("claim", "me", 10*time.Minute, "")
	for name, c := range map[string]struct {
		file  string
		actor string
		end   bool
		env   func(string) string
		want  string
	}{
		"claimed":      {claim, "me", false, nil, "heartbeat"},
		"a moment ago": {claim + line("heartbeat", "me", 30*time.Second, ""), "me", false, nil, ""},
		"with another gap": {claim + line("heartbeat", "me", 30*time.Second, ""), "me", false,
			env("FLOW_AGENTS_LIVENESS_HEARTBEAT_THROTTLE_SECONDS", "10"), "heartbeat"},
		"the end":            {claim + line("heartbeat", "me", 30*time.Second, ""), "me", true, nil, "release"},
		"released":           {claim + line("release", "me", 5*time.Minute, ""), "me", false, nil, ""},
		"never claimed":      {line("heartbeat", "me", 5*time.Minute, ""), "me", false, nil, ""},
		"somebody else":      {claim, "you", false, nil, ""},
		"who has no name":    {claim, "", false, nil, ""},
		"switched off":       {claim, "me", false, env("FLOW_AGENTS_LIVENESS", "off\u200b"), ""},
		"no file, no folder": {"", "me", false, nil, ""},
	} {
		s := Session{Slug: "t", Actor: c.actor, base: t.TempDir()}
		if c.file != "" {
			testfile.Tree(t, s.base, map[string]string{livenessFile: c.file})
		}
		if c.env == nil {
			c.env = env()
		}
		if err := s.Beat(t.Context(), t.TempDir(), noon, c.end, c.env); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		data, _ := os.ReadFile(filepath.Join(s.base, filepath.FromSlash(livenessFile)))
		added, ok := strings.CutPrefix(string(data), c.file)
		if !ok || (c.want == "") != (added == "") || c.want != "" && !strings.Contains(added, `"type":"`+c.want+`"`) {
			t.Errorf("%s: added %q", name, added)
		}
		if h := s.holders()["me"]; c.want == "heartbeat" && !h.Last.Equal(noon) {
			t.Errorf("%s: we do not understand it ourselves: %+v", name, h)
		}
	}
	s := Session{Slug: "t", Actor: "me", base: t.TempDir()}
	other := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.WriteFile(other, []byte(claim), 0o600); err != nil {
		t.Fatal(err)
	}
	testfile.Tree(t, s.base, map[string]string{"liveness/x": ""})
	if err := os.Symlink(other, s.liveness()); err != nil {
		t.Skip(err)
	}
	if err := s.Beat(t.Context(), t.TempDir(), noon, false, env()); err != nil {
		t.Error(err)
	}
	if data, _ := os.ReadFile(other); string(data) != claim {
		t.Errorf("it was written through a link: %s", data)
	}
}
