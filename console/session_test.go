package console_test

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/console"
	"github.com/trammel-dev/trammel/liveness"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// UI-15: a session has its turns, what sub-agents did is folded away with its
// counts, and a call says who was asked about it and what they said.
func TestSession(t *testing.T) {
	s := newSite(t, full)
	a := s.ask(t, call{tool: "Bash", input: map[string]any{"command": "./release.sh 2.0"}, session: "s9", id: "call-7"})
	s.ask(t, call{tool: "Bash", input: map[string]any{"command": "make"}, session: "s9", id: "call-8"})
	event := func(n int, turn, agent, tool, call, decision string) store.Event {
		e := store.Event{Machine: "m", Log: "l", Seq: uint64(n), ID: fmt.Sprint("ev_", n), Host: "codex", Event: "pre_tool_use", Session: "s9",
			Turn: turn, Agent: agent, Tool: tool, Call: call, Summary: fmt.Sprint("step ", n), Decision: decision, Project: "/home/bo/api",
			Time: store.At(s.now().Add(time.Duration(n) * time.Second)), Runs: []store.Run{{Hook: "shell-guard", Decision: decision}}}
		if agent != "" {
			e.AgentID = "agent-" + agent
		}
		return e
	}
	err := s.approvals.Store.(store.Events).Index(t.Context(), event(1, "t1", "", "Read", "c1", "none"),
		event(2, "t1", "reviewer", "Bash", "c2", "deny"), event(3, "t1", "reviewer", "Bash", "c3", "none"),
		event(4, "t2", "", "Bash", "call-7", "ask"), event(5, "t2", "helper", "Read", "c5", "none"))
	if err != nil {
		t.Fatal(err)
	}
	al := s.as(t, "al", auth.Approver)
	al.decide(a.ID, url.Values{"do": {"approve"}, "comment": {"ok"}})
	_, body := al.get("/sessions/codex/s9")
	has(t, body, "5 events", "1 denied", "1 pending", "Turn t1 3 calls", "Turn t2 2 calls", "agent reviewer 2 calls, 1 denied",
		"agent helper 1 call", "Approved by al", "shell-guard", "ev_4")
	text := main(body)
	order := []string{"step 1", "reviewer", "step 2", "step 3", "Turn", "step 4", "/approvals/" + a.ID, "helper", "step 5"}
	for i := range order[1:] {
		if strings.Index(text, order[i]) > strings.LastIndex(text, order[i+1]) {
			t.Errorf("%s is not before %s", order[i], order[i+1])
		}
	}
	if !strings.Contains(text, `<details class="nested" open>`) || !strings.Contains(text, `<details class="nested">`) {
		t.Error("what has a denial is open, the rest is folded")
	}
	if status, body := al.get("/sessions/codex/nobody"); status != 404 {
		t.Error(status)
	} else {
		has(t, body, "no such session")
	}
}

// UI-15: above 200 events only decisions are shown; all are there on demand,
// 200 a page, none lost and none twice.
func TestLargeSession(t *testing.T) {
	s := newSite(t, full)
	s.large(t, 900)
	al := s.as(t, "al", auth.Approver)
	_, body := al.get("/sessions/codex/large")
	has(t, body, "900 events", "Only decisions are shown", "Show everything")
	if hasNot(t, main(body), "part0<"); strings.Count(body, `class="row deny"`) != 200 {
		t.Errorf("%d rows", strings.Count(body, `class="row deny"`))
	}
	seen, path := map[string]bool{}, "/sessions/codex/large?all=1"
	for range 9 {
		_, body = al.get(path)
		for _, part := range strings.Split(body, `<tr id="`)[1:] {
			id, _, _ := strings.Cut(part, `"`)
			if seen[id] {
				t.Errorf("%s is there twice", id)
			}
			seen[id] = true
		}
		_, rest, more := strings.Cut(body, `id="older" href="`)
		if !more {
			break
		}
		path, _, _ = strings.Cut(strings.ReplaceAll(rest, "&amp;", "&"), `"`)
	}
	if len(seen) != 900 {
		t.Errorf("%d of 900 events", len(seen))
	}
}

// UI-15: calls that are in the transcript and not in the evidence are listed; all
// recorded calls are compared, also those that the page does not show.
func TestSessionGaps(t *testing.T) {
	var compared []string
	var gap *liveness.Gap
	var fails error
	s := newSite(t, full, func(d *console.Deps) {
		d.Gap = func(_ context.Context, n *store.Session, calls []string) (*liveness.Gap, error) {
			compared = calls
			if n.Host != "codex" || n.Project != "/home/bo/api" {
				t.Errorf("%+v", n)
			}
			return gap, fails
		}
	})
	var list []store.Event
	for i := range 250 {
		list = append(list, store.Event{Machine: "m", Log: "l", Seq: uint64(i + 1), ID: fmt.Sprint("ev_", i), Host: "codex",
			Project: "/home/bo/api",
			Event:   []string{"pre_tool_use", "post_tool_use"}[i%2], Session: "s9", Tool: "Bash", Call: fmt.Sprint("c", i/2), Decision: "none",
			Time: store.At(s.now())})
	}
	if err := s.approvals.Store.(store.Events).Index(t.Context(), list...); err != nil {
		t.Fatal(err)
	}
	al := s.as(t, "al", auth.Approver)
	_, body := al.get("/sessions/codex/s9")
	hasNot(t, main(body), "transcript")
	if slices.Sort(compared); len(compared) != 125 || len(slices.Compact(compared)) != 125 {
		t.Errorf("%d calls were compared", len(compared))
	}
	gap = &liveness.Gap{Session: "s9", Calls: 127, Recorded: 125, First: s.now(), Last: s.now(), Missing: []string{"c200", "c201"}}
	_, body = al.get("/sessions/codex/s9")
	has(t, body, "2 calls of the transcript are not in the evidence", "c201", "trammel doctor --canary")
	gap.Recorded = 0
	_, body = al.get("/sessions/codex/s9")
	has(t, body, "None of the 127 calls of the transcript is in the evidence")
	gap, fails = nil, errors.New("permission denied")
	_, body = al.get("/sessions/codex/s9")
	has(t, body, "cannot be compared with its transcript: permission denied")
	s.large(t, 3001)
	if status, _ := al.get("/sessions/codex/large"); status != 200 {
		t.Error(status)
	}
}

// UI-10: the name of a session is a value of the filter, and not a part of its
// language: a session cannot hide its own denials from who follows the link.
func TestSessionNamesAreValuesOfFilters(t *testing.T) {
	s := newSite(t, full)
	var events []store.Event
	names := []string{"plain", "x -decision:deny", `x" OR decision:none OR "`, `x\`, "x,y", "~.*", "(", `=x`, "*"}
	for i, name := range names {
		for j, tool := range []string{"Denied", "Passed"} {
			events = append(events, store.Event{Machine: "m", Log: "l", Seq: uint64(2*i + j + 1), ID: fmt.Sprint("ev_", i, tool), Host: "codex",
				Event: "pre_tool_use", Session: name, Tool: tool, Summary: fmt.Sprint(tool, i, "."), Decision: []string{"deny", "none"}[j],
				Time: store.At(s.now())})
		}
	}
	if err := s.approvals.Store.(store.Events).Index(t.Context(), events...); err != nil {
		t.Fatal(err)
	}
	al := s.as(t, "al", auth.Approver)
	_, body := al.get("/sessions")
	links := regexp.MustCompile(`href="(/evidence\?q=[^"]*deny)"`).FindAllStringSubmatch(body, -1)
	if len(links) != len(names) {
		t.Fatalf("%d links for %d sessions", len(links), len(names))
	}
	found := map[string]int{}
	for _, link := range links {
		status, body := al.get(html.UnescapeString(link[1]))
		list := regexp.MustCompile(`(Denied|Passed)\d\.`).FindAllString(body, -1)
		slices.Sort(list)
		if list = slices.Compact(list); status != 200 || len(list) != 1 {
			t.Errorf("%s: status %d, %q", link[1], status, list)
			continue
		}
		found[list[0]]++
	}
	for i := range names {
		if found[fmt.Sprint("Denied", i, ".")] != 1 {
			t.Errorf("the denial of %q is not behind its link: %v", names[i], found)
		}
	}
}
