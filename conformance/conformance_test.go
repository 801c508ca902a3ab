//go:build unix

package conformance

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/test/programs"
)

// hook is the trammel-hook under test, with the trammel beside it.
var hook string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "trammel-conformance-bin-")
	if err == nil {
		hook = filepath.Join(dir, "trammel-hook")
		err = programs.Shipped(dir)
	}
	code := 1
	if err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, "conformance:", err)
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

func text(r *Report) string {
	var b bytes.Buffer
	r.WriteText(&b)
	return b.String()
}

// TestOurHosts: every host that both the kit and the program know reaches L2
// (FLOW-50, FLOW-52).
func TestOurHosts(t *testing.T) {
	known := standard.Dialects().Hosts()
	for _, name := range Hosts() {
		if !slices.Contains(known, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			r, err := Run(t.Context(), Host(name, hook), Options{Verbose: testing.Verbose()})
			if err != nil {
				t.Fatal(err)
			}
			if !r.OK() {
				t.Errorf("\n%s", text(r))
			}
			t.Logf("%d passed, gaps %q, median %.1f ms", r.Passed, r.Gaps, r.Median)
		})
	}
}

// TestForeignAdapters: adapters that do nothing of the kind do not pass, not
// even at L0 (FLOW-52); one that has trammel judge passes with nothing else.
func TestForeignAdapters(t *testing.T) {
	for _, c := range []struct {
		name, line, host string
		level, reached   Level
	}{
		{"it repeats what it gets", "cat", "native", L0, 0},
		{"it is silent", "cat >/dev/null", "claude-code", L0, 0},
		{"it always blocks", "cat >/dev/null; echo no >&2; exit 2", "claude-code", L2, 0},
		{"it has trammel judge", "'" + hook + "' $TRAMMEL_CONFORMANCE_FLAGS native \"$TRAMMEL_CONFORMANCE_EVENT\"", "", L2, L2},
		{"it has trammel judge for another host", "'" + hook + "' $TRAMMEL_CONFORMANCE_FLAGS native", "claude-code", L2, 0},
		{"it only observes", observer, "claude-code", L2, L0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Run(t.Context(), Command(c.line, c.host), Options{Level: c.level})
			if err != nil {
				t.Fatal(err)
			}
			if r.Reached != c.reached || r.OK() != (c.reached >= c.level) {
				t.Errorf("reached %s, expected %s\n%s", r.Reached, c.reached, text(r))
			}
		})
	}
}

// observer is the least that L0 asks for, written without us.
const observer = `session=$(grep -o '"session_id":"[^"]*"' | head -n 1 | cut -d '"' -f 4)
case $TRAMMEL_CONFORMANCE_EVENT in *tool*) kind='"action":{"kind":"shell"},' ;; esac
echo '{"event":"'$TRAMMEL_CONFORMANCE_EVENT'",'$kind'"session":{"id":"'$session'"},"verdict":{"decision":"none"}}' \
  >>"$TRAMMEL_CONFORMANCE_TELEMETRY"`

// TestEnvironment: what the caller has set does not reach the adapter, and
// what it needs does (FLOW-52).
func TestEnvironment(t *testing.T) {
	t.Setenv("SA_HOOK_PROFILE", "minimal")
	t.Setenv("TRAMMEL_FAULT", "panic")
	b, err := newBox("version: 1\n")
	if err != nil {
		t.Fatal(err)
	}
	defer b.remove()
	a := Command(
		`env | sed 's/=.*//' | grep -v -e '^PWD$' -e '^SHLVL$' -e '^_$' -e '^OLDPWD$' | sort; pwd; cat "$TRAMMEL_CONFORMANCE_POLICY"`, "")
	r, err := a.run(t.Context(), b, &Fixture{Event: "stop"}, "stop", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "HOME\nPATH\nTMPDIR\nTRAMMEL_CONFORMANCE_EVENT\nTRAMMEL_CONFORMANCE_FLAGS\nTRAMMEL_CONFORMANCE_POLICY\n" +
		"TRAMMEL_CONFORMANCE_TELEMETRY\n" +
		"XDG_CACHE_HOME\nXDG_CONFIG_HOME\nXDG_DATA_HOME\nXDG_STATE_HOME\n" + b.project() + "\nversion: 1\n"
	if string(r.Stdout) != want {
		t.Errorf("got %q\nwant %q", r.Stdout, want)
	}
}

// TestNoVacuousLevel: a level without fixtures, or whose fixtures are all gaps,
// is not reached.
func TestNoVacuousLevel(t *testing.T) {
	all, err := readFixtures(kit)
	if err != nil {
		t.Fatal(err)
	}
	some := slices.DeleteFunc(slices.Clone(all), func(f Fixture) bool { return f.Level == L0 })
	if _, err := run(t.Context(), Command("cat", ""), some, Options{Level: L0}); err == nil || !strings.Contains(err.Error(), "L0") {
		t.Errorf("no fixtures of L0: %v", err)
	}
	r := &Report{Results: []Result{
		{Level: L0, Status: Passed, Expected: Allow}, {Level: L1, Status: Gap, Expected: Context}, {Level: L1, Status: Passed, Expected: Allow},
		{Level: L2, Status: Passed, Expected: Deny},
	}}
	if r.conclude(); r.Reached != L0 {
		t.Errorf("with only gaps at L1 reached %s", r.Reached)
	}
	r = &Report{Results: []Result{
		{Level: L0, Status: Passed, Expected: Allow}, {Level: L1, Status: Passed, Expected: Context}, {Level: L1, Status: Failed,
			Expected: Context}, {Level: L2, Status: Passed, Expected: Deny},
	}}
	if r.conclude(); r.Reached != L0 || r.Failed != 1 {
		t.Errorf("with a failure at L1 reached %s", r.Reached)
	}
	if _, err := Run(t.Context(), Host("no-such-host", hook), Options{}); err == nil {
		t.Error("an unknown host was tried")
	}
	r, err = Run(t.Context(), Host("native", hook+"-missing"), Options{Level: L0})
	if err != nil || r.Reached != 0 || r.Failed == 0 {
		t.Errorf("a program that is missing: %v, %+v", err, r)
	}
}

// TestKit: the files are whole, and each level has some.
func TestKit(t *testing.T) {
	fixtures, err := readFixtures(kit)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[Level]int{}
	for _, f := range fixtures {
		counts[f.Level]++
		if f.Level == L0 && len(f.Expect.Record) == 0 {
			t.Errorf("%s: L0 is about records", f.ID)
		}
	}
	if counts[L0] < 3 || counts[L1] < 3 || counts[L2] < 10 {
		t.Errorf("too few: %v", counts)
	}
	for _, name := range Hosts() {
		h, err := loadHost(name)
		if err != nil {
			t.Fatal(err)
		}
		if h.Host != name || h.About == "" || h.Arguments["command"] == "" {
			t.Errorf("%s: name, about or arguments are missing", name)
		}
		if len(h.Forms["pre_tool_use"][Deny]) == 0 || len(h.Payloads) < 5 {
			t.Errorf("%s: a host that cannot deny a tool call has nothing to be tested", name)
		}
		for event, forms := range h.Forms {
			if len(forms[Allow]) == 0 {
				t.Errorf("%s: no way to say nothing on %s", name, event)
			}
		}
	}
}

// TestReportJSON: the report can be read back.
func TestReportJSON(t *testing.T) {
	r := &Report{Adapter: "a", Wanted: L2, Results: []Result{{ID: "x", Level: L1, Status: Failed, Problems: []Problem{{"this", "that"}}}}}
	r.conclude()
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(raw, []byte(`"reached":"none"`)) || !bytes.Contains(raw, []byte(`"expected":"this"`)) {
		t.Errorf("%s", raw)
	}
}
