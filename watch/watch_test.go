package watch

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/trammel-dev/trammel/store"
)

var update = flag.Bool("update", false, "write the frames into testdata")

// desk is a person at the view: a clock, a store that is only there in name,
// and what was decided.
type desk struct {
	*testing.T
	*Model
	now   time.Time
	may   error
	votes []string
}

func (d *desk) Approvals(context.Context) ([]*store.Approval, error) { return nil, nil }
func (d *desk) Changes(context.Context) (<-chan struct{}, error)     { return nil, nil }
func (d *desk) Follow(context.Context, func(...store.Event)) error   { return nil }
func (d *desk) May(*store.Approval) error                            { return d.may }
func (d *desk) Decide(_ context.Context, a *store.Approval, approve bool, comment string) (*store.Approval, error) {
	d.votes = append(d.votes, fmt.Sprintf("%s %v %s", a.ID, approve, comment))
	after := *a
	if after.State = store.Rejected; approve {
		after.State = store.Approved
	}
	after.Votes = []store.Vote{{Approver: "al", Approve: approve, Comment: comment}}
	return &after, nil
}

func open(t *testing.T, width, height int) *desk {
	d := &desk{T: t, now: time.Date(2026, 11, 15, 9, 30, 0, 0, time.UTC)}
	m, err := New(Deps{Source: d, Now: func() time.Time { return d.now }})
	if err != nil {
		t.Fatal(err)
	}
	d.Model = m
	d.Update(tea.WindowSizeMsg{Width: width, Height: height})
	return d
}

// send gives the model messages, and what its commands answer.
func (d *desk) send(list ...tea.Msg) {
	for _, msg := range list {
		_, cmd := d.Update(msg)
		if _, isTick := msg.(tickMsg); cmd != nil && !isTick {
			if answer := cmd(); answer != nil {
				d.Update(answer)
			}
		}
	}
}

var named = map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace,
	"backspace": tea.KeyBackspace}

func keyMsg(name string) tea.KeyPressMsg {
	if code, ok := named[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: rune(name[0]), Text: name}
}

// press presses keys as a person does: one a second.
func (d *desk) press(keys ...string) {
	for _, k := range keys {
		d.now = d.now.Add(time.Second)
		d.send(keyMsg(k))
	}
}

func (d *desk) typed(text string) {
	for _, r := range text {
		d.press(string(r))
	}
}

func (d *desk) sees(want ...string) {
	d.Helper()
	screen := ansi.Strip(d.frame())
	for _, w := range want {
		if !strings.Contains(screen, w) {
			d.Errorf("%q is not on the screen:\n%s", w, screen)
		}
	}
}

func (d *desk) voted(want ...string) {
	d.Helper()
	if strings.Join(d.votes, "|") != strings.Join(want, "|") {
		d.Errorf("votes are %q, want %q\n%s", d.votes, want, ansi.Strip(d.frame()))
	}
}

func (d *desk) request(id, tool, args string, more ...func(a *store.Approval)) *store.Approval {
	a := &store.Approval{ID: id, Seq: int64(len(id)), Nonce: "n", State: store.Pending, Tool: tool, Args: json.RawMessage(args),
		Digest: "d" + id, Summary: args, Host: "claude-code", Agent: "reviewer", Parents: []string{"main"}, User: "os:1000",
		Project: "/home/al/api",
		Hook:    "release-gate", Source: "trammel.yaml:14", Reason: "This publishes a release", Created: store.At(d.now),
		Expires: store.At(d.now.Add(10 * time.Minute)), Asks: []store.Ask{{Session: "s"}},
		Needs: store.Needs{Factors: []store.Factor{{Approvers: []string{"group:release-team"}, N: 1}}}}
	for _, f := range more {
		f(a)
	}
	return a
}

// unlock makes the person known, without a secret.
func (d *desk) unlockNow() { d.send(unlockedMsg{person: d}) }

// UI-12, UI-24: a request is approved by arming and confirming it, after its end
// was in view, by a person who has unlocked.
func TestApprove(t *testing.T) {
	d := open(t, 160, 40)
	d.send(approvalsMsg{list: []*store.Approval{d.request("apr_1", "Bash", `{"command":"./release.sh 2.0"}`)}})
	d.sees("[Inbox 1]", "read-only", "! ASK", "./release.sh 2.0", "1 of group:release-team", "started by main")
	d.press("a")
	d.sees("Enter opens the request")
	d.press("enter", "a")
	d.sees("read-only: u unlocks")
	d.unlockNow()
	d.press("y")
	d.voted()
	d.press("a")
	d.sees("y approves apr_1 once")
	d.press("y")
	d.voted("apr_1 true ")
	d.sees("Approved by al", "✓ APPROVED") // it stays until it is left
	d.press("a", "y")
	d.voted("apr_1 true ")
}

// UI-12: a rejection has a reason, and Enter does not send it.
func TestDeny(t *testing.T) {
	d := open(t, 160, 40)
	d.send(approvalsMsg{list: []*store.Approval{d.request("apr_1", "Bash", `{"command":"x"}`)}})
	d.unlockNow()
	d.press("enter", "d")
	d.typed("too early ay")
	d.press("enter")
	d.voted()
	d.sees("Reason: too early ay_")
	d.press("ctrl+d")
	d.voted("apr_1 false too early ay")
	d.press("d")
	d.sees("Rejected by al")
}

// Acceptance test 3 of the console: nobody decides by accident.
func TestNothingIsDecidedByAccident(t *testing.T) {
	for name, act := range map[string]func(d *desk){
		"Enter, Space, digits":   func(d *desk) { d.press("enter", "space", "1", "y", "a", "enter", "a", "space", "a", "1") },
		"y alone":                func(d *desk) { d.press("y", "y") },
		"another key in between": func(d *desk) { d.press("a", "j", "y") },
		"Esc":                    func(d *desk) { d.press("a", "esc", "y", "enter", "y") },
		"too late":               func(d *desk) { d.press("a"); d.now = d.now.Add(4 * time.Second); d.send(tickMsg{}); d.press("y") },
		"too late, no tick":      func(d *desk) { d.press("a"); d.now = d.now.Add(3 * time.Second); d.press("y") },
		"y right behind a":       func(d *desk) { d.press("a"); d.now = d.now.Add(200 * time.Millisecond); d.send(keyMsg("y")) },
		"held down": func(d *desk) {
			k := tea.Key(keyMsg("y"))
			k.IsRepeat = true
			d.press("a")
			d.now = d.now.Add(time.Second)
			d.send(tea.KeyPressMsg(k))
		},
		"pasted": func(d *desk) { d.now = d.now.Add(time.Second); d.send(tea.PasteMsg{Content: "ay"}); d.press("y") },
		"pasted into a terminal that does not say so": func(d *desk) {
			d.now = d.now.Add(time.Second)
			for range 100 {
				d.send(keyMsg("a"))
				d.now = d.now.Add(10 * time.Millisecond)
				d.send(keyMsg("y"))
				d.now = d.now.Add(10 * time.Millisecond)
			}
		},
		"one a, and y held for long, pasted": func(d *desk) {
			d.press("a")
			for range 100 {
				d.now = d.now.Add(10 * time.Millisecond)
				d.send(keyMsg("y"))
			}
		},
		"typed while the card changes": func(d *desk) {
			d.press("a")
			a := d.request("apr_1", "Bash", `{}`, func(a *store.Approval) {
				a.Edit = &store.Edit{Args: json.RawMessage(`{"x":1}`),
					Digest: "other"}
			})
			d.send(approvalsMsg{list: []*store.Approval{a}})
			d.press("y")
		},
		"within the dead time": func(d *desk) {
			d.press("esc", "enter")
			d.now = d.now.Add(500 * time.Millisecond)
			d.send(keyMsg("a"))
			d.press("y")
		},
		"the window changes":    func(d *desk) { d.press("a"); d.send(tea.WindowSizeMsg{Width: 120, Height: 50}); d.press("y") },
		"locked again":          func(d *desk) { d.press("a", "u", "a", "y") },
		"idle":                  func(d *desk) { d.now = d.now.Add(15 * time.Minute); d.send(tickMsg{}); d.press("a", "y") },
		"the store is down":     func(d *desk) { d.send(approvalsMsg{err: errors.New("locked")}); d.press("a", "y") },
		"somebody else decides": func(d *desk) { d.may = errors.New("al asked for this"); d.press("a", "y") },
		"typed into the filter": func(d *desk) { d.press("/"); d.typed("ay"); d.press("enter") },
		"in the list":           func(d *desk) { d.press("esc", "a", "y") },
		"reason of another": func(d *desk) {
			d.press("d")
			d.typed("no")
			d.send(approvalsMsg{list: []*store.Approval{d.request("apr_1", "Bash", `{}`, func(a *store.Approval) { a.State = store.Expired })}})
			d.press("ctrl+d")
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, 160, 40)
			d.send(approvalsMsg{list: []*store.Approval{d.request("apr_1", "Bash", `{"command":"x"}`)}})
			d.unlockNow()
			d.press("enter")
			act(d)
			d.voted()
		})
	}
}

// UI-12: all arguments are there, and their end has to be seen.
func TestArgumentsAreRead(t *testing.T) {
	d := open(t, 80, 24)
	d.send(approvalsMsg{list: []*store.Approval{d.request("apr_1", "Write", `{"content":"`+strings.Repeat("line\\n", 400)+`THE END"}`)}})
	d.unlockNow()
	d.press("enter", "a")
	d.sees("read the arguments to their end")
	for range 40 {
		d.press("[")
	}
	d.sees("THE END", "[a Approve once]")
	d.press("a", "y")
	d.voted("apr_1 true ")
}

// UI-07: rows stay where they are; what is new waits.
func TestRowsStay(t *testing.T) {
	d := open(t, 160, 40)
	first := d.request("apr_1", "Bash", `{"command":"first"}`)
	d.send(approvalsMsg{list: []*store.Approval{first}})
	sooner := d.request("apr_22", "Bash", `{"command":"second"}`, func(a *store.Approval) { a.Expires = store.At(d.now.Add(time.Minute)) })
	d.send(approvalsMsg{list: []*store.Approval{sooner, first}})
	d.sees("[Inbox 2]", "1 new (n)")
	if strings.Contains(ansi.Strip(d.frame()), "second") || d.view().at != "apr_1" {
		t.Error("a row has moved")
	}
	d.press("n")
	if d.views[inbox].ids[0] != "apr_22" || d.view().at != "apr_1" {
		t.Errorf("%v, the cursor is on %s", d.views[inbox].ids, d.view().at)
	}
	d.press("k", ".")
	if d.view().at != "apr_1" {
		t.Error(d.view().at)
	}
}

func (d *desk) event(n int, decision string) store.Event {
	return store.Event{Log: "l", Seq: uint64(n), ID: fmt.Sprintf("ev_%d", n), Time: store.At(d.now.Add(time.Duration(n) * time.Second)),
		Host:  "codex",
		Event: "pre_tool_use", Session: fmt.Sprintf("s%d", n%2), Tool: "Bash", Summary: fmt.Sprintf("command %d", n), Decision: decision,
		Project: "/home/al/api", Micros: 400, Reason: map[bool]string{true: "Force pushes are not allowed"}[decision == "deny"],
		Runs: []store.Run{{Hook: "no-force-push", Phase: "guard", Decision: decision, Micros: 300}}}
}

// UI-14, UI-24: live events flow until somebody looks at one; filters work as
// everywhere, and say what is wrong.
func TestLive(t *testing.T) {
	d := open(t, 160, 40)
	d.send(eventsMsg{d.event(1, "deny"), d.event(2, "none")})
	d.press("g", "l")
	d.sees("[Live]", "command 1", "X DENY", "command 2", "* live")
	d.press("j")
	d.sees("Force pushes are not allowed", "guard no-force-push", "paused, 0 new")
	d.send(eventsMsg{d.event(3, "none")})
	d.sees("paused, 1 new")
	d.press("space")
	d.sees("command 3", "* live")
	d.press("/")
	d.typed("decison:deny")
	d.sees(`there is no key "decison", did you mean "decision"?`)
	for range "decison:deny" {
		d.press("backspace")
	}
	d.typed("decision:deny")
	d.press("enter")
	if screen := ansi.Strip(d.frame()); strings.Contains(screen, "command 2") || !strings.Contains(screen, "command 1") {
		t.Error(screen)
	}
	d.press("g", "s")
	d.sees("[Sessions]", "codex", "s1", "2, 1 denied")
}

// UI-24, acceptance test 4: no byte of data reaches the terminal as a command.
func TestHostileText(t *testing.T) {
	evil := "\x1b[2J\x1b]0;owned\x07\u202e\u200b\x00\x9b31m<b>\r\n"
	for _, ascii := range []bool{false, true} {
		for _, width := range []int{30, 80, 160} {
			d := open(t, width, 40)
			d.ASCII = ascii
			args, _ := json.Marshal(map[string]any{"command": evil, "old_string": evil, "new_string": "größe" + evil})
			d.send(approvalsMsg{list: []*store.Approval{d.request("apr_1", evil, string(args), func(a *store.Approval) {
				a.Summary, a.Host, a.Project, a.Reason, a.Hook, a.Agent, a.Effects = evil, evil, evil, evil, evil, evil, []string{evil}
				a.Votes = []store.Vote{{Approver: evil, Comment: evil}}
				a.Deliveries = []store.Delivery{{Channel: evil, Error: evil}}
			})}})
			e := d.event(1, "deny")
			e.Summary, e.Host, e.Session, e.Tool, e.Reason, e.Agent, e.Project, e.ID = evil, evil, evil, evil, evil, evil, evil, evil
			e.Paths, e.Runs = []string{evil}, []store.Run{{Hook: evil, Phase: evil, Code: evil}}
			d.send(eventsMsg{e}, failedMsg{errors.New(evil)})
			for _, page := range []string{"i", "l", "s"} {
				d.press("g", page)
				d.check(ascii)
				d.press("enter")
				d.check(ascii)
				d.press("/")
				d.send(tea.PasteMsg{Content: evil}, tea.KeyPressMsg{Code: 'x', Text: "\u202e\x1b"})
				d.check(ascii)
				d.press("esc", "esc")
			}
		}
	}
}

// check holds the screen against what a terminal may get: text, and our own
// colours.
func (d *desk) check(ascii bool) {
	d.Helper()
	screen := ansi.Strip(d.frame())
	lines := strings.Split(screen, "\n")
	if len(lines) != d.height {
		d.Errorf("%d lines, want %d", len(lines), d.height)
	}
	for _, l := range lines {
		if w := ansi.StringWidth(l); w != d.width {
			d.Errorf("a line is %d wide, want %d: %q", w, d.width, l)
		}
	}
	for _, r := range screen {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0x200b || ascii && r > 0x7e {
			d.Fatalf("%U is on the screen:\n%q", r, screen)
		}
	}
	for _, part := range strings.Split(d.frame(), "\x1b")[1:] {
		if end := strings.IndexByte(part, 'm'); part[0] != '[' || end < 0 || strings.Trim(part[1:end], "0123456789;") != "" {
			d.Fatalf("%q is sent to the terminal", part)
		}
	}
}

// Acceptance test 13 of the console: frames at 40, 80 and 160 columns.
func TestFrames(t *testing.T) {
	for _, width := range []int{40, 80, 160} {
		var out strings.Builder
		d := open(t, width, 24)
		frame := func(title string) {
			d.check(false)
			fmt.Fprintf(&out, "== %s\n", title)
			for l := range strings.Lines(ansi.Strip(d.frame())) {
				out.WriteString(strings.TrimRight(l, " \n") + "\n")
			}
		}
		frame("empty")
		d.send(approvalsMsg{list: []*store.Approval{
			d.request("apr_7f3c", "Bash", "{\"command\":\"./release.sh 2.0\u202e\"}", func(a *store.Approval) {
				a.Summary, a.Effects = "./release.sh 2.0", []string{"git push origin v2.0", "talks to github.com"}
			}),
			d.request("apr_8", "Edit", `{"file_path":"a.go","new_string":"two\nthree","old_string":"one\nthree"}`, func(a *store.Approval) {
				a.Summary, a.Expires, a.Asks = "a.go", store.At(d.now.Add(12*time.Minute)), make([]store.Ask, 3)
			})}}, eventsMsg{d.event(1, "deny"), d.event(2, "none"), d.event(3, "ask"), d.event(4, "allow")})
		frame("inbox")
		d.press("j", "enter")
		frame("a request with a diff")
		d.unlockNow()
		d.press("[", "[", "a")
		frame("armed")
		d.press("esc", "esc", "g", "l", "j", "j", "enter")
		frame("an event")
		d.press("esc", "g", "s", "enter")
		frame("a session")
		d.press("?")
		frame("help")
		file := filepath.Join("testdata", fmt.Sprintf("frames%d.txt", width))
		if *update {
			if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || string(want) != out.String() {
			t.Errorf("the frames of %d columns differ from %s (go test ./watch -update): %v", width, file, err)
		}
	}
}

// UI-31: a thousand events a second.
func BenchmarkEvents(b *testing.B) {
	d := open(&testing.T{}, 160, 50)
	d.tab = live
	n := 0
	for b.Loop() {
		list := make(eventsMsg, 100)
		for i := range list {
			n++
			list[i] = d.event(n, "none")
		}
		d.Update(list)
		d.frame()
	}
}
