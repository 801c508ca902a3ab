package pipeline

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/overrule"
	"github.com/trammel-dev/trammel/plan"
)

// TEAM-25: a person can overrule a denial only if every hook behind it yields,
// and only for a tool call that has not run yet.
func TestWhoCanBeOverruled(t *testing.T) {
	yields, firm := &trammel.Hook{ID: "b", Yields: true}, &trammel.Hook{ID: "firm"}
	also := &trammel.Hook{ID: "a", Yields: true}
	denies := func(h *trammel.Hook) trammel.Run { return trammel.Run{Hook: h, Answer: trammel.Denial("no")} }
	asks := trammel.Run{Hook: firm, Answer: trammel.Answer{Decision: trammel.Ask}}
	passes := trammel.Run{Hook: firm, Answer: trammel.Answer{Decision: trammel.Allow}}
	fails := trammel.Run{Hook: firm, Code: trammel.CodeCrash, Answer: trammel.Denial("dropped")}
	blocked := trammel.Run{Hook: firm, Code: trammel.CodeCrash, Blocked: true}
	call := trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{}}
	rehearsal, done, without := call, call, call
	rehearsal.Rehearsal, done.Kind, without.Tool = true, trammel.PostToolUse, nil
	for name, c := range map[string]struct {
		ev       *trammel.Event
		canceled bool
		runs     []trammel.Run
		want     string // the hooks; "" if nobody can
	}{
		"one that yields":               {&call, false, []trammel.Run{denies(yields)}, "b"},
		"each once, in order":           {&call, false, []trammel.Run{denies(yields), denies(also), denies(yields)}, "a b"},
		"others that pass":              {&call, false, []trammel.Run{passes, denies(yields), fails}, "b"},
		"one that does not":             {&call, false, []trammel.Run{denies(yields), denies(firm)}, ""},
		"one that asks and does not":    {&call, false, []trammel.Run{denies(yields), asks}, ""},
		"one that failed and blocks":    {&call, false, []trammel.Run{denies(yields), blocked}, ""},
		"nobody denied":                 {&call, false, []trammel.Run{passes}, ""},
		"no event":                      {nil, false, []trammel.Run{denies(yields)}, ""},
		"no tool":                       {&without, false, []trammel.Run{denies(yields)}, ""},
		"a rehearsal":                   {&rehearsal, false, []trammel.Run{denies(yields)}, ""},
		"the tool has run":              {&done, false, []trammel.Run{denies(yields)}, ""},
		"the caller has gone meanwhile": {&call, true, []trammel.Run{denies(yields)}, ""},
	} {
		hooks, yield := deniers(&trammel.Verdict{Event: c.ev, Canceled: c.canceled, Runs: c.runs})
		if strings.Join(hooks, " ") != c.want || yield != (c.want != "") {
			t.Errorf("%s: %v, %v", name, hooks, yield)
		}
	}
	p := &Program{Dirs: trammel.Dirs{State: t.TempDir()}}
	with := func(d trammel.Decision, h *trammel.Hook) *trammel.Verdict {
		return &trammel.Verdict{Event: &call, Answer: trammel.Answer{Decision: d, Reason: "no"}, Runs: []trammel.Run{denies(h)}}
	}
	if p.mayBeOverruled(with(trammel.Deny, yields), true) {
		t.Error("no person has said anything")
	}
	if err := os.MkdirAll(filepath.Join(p.Dirs.State, "approvals"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.Dirs.State, "approvals", "keys.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := overrule.Mark(p.Dirs.State, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		decision  trammel.Decision
		hook      *trammel.Hook
		cannotAsk bool
		want      bool
	}{{trammel.Deny, yields, false, true}, {trammel.Deny, firm, false, false}, {trammel.Ask, yields, true, true},
		{trammel.Ask, yields, false, false}, {trammel.Allow, yields, true, false}} {
		if got := p.mayBeOverruled(with(c.decision, c.hook), c.cannotAsk); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
		v := with(c.decision, c.hook)
		if p.offered(v); (v.Reason != "no") != (c.decision == trammel.Deny && c.hook == yields) {
			t.Errorf("%+v: the model reads %q", c, v.Reason)
		}
	}
}

// lenient is a dialect whose contract lets through what cannot be read.
type lenient struct {
	trammel.HostDialect
	through bool
}

func (l lenient) LetsThrough(*trammel.Event, *trammel.Failure) bool { return l.through }

// What cannot be judged is denied if a denial prevents it, or if nobody knows
// what it is.
func TestWhatBlocksWithoutAVerdict(t *testing.T) {
	for _, c := range []struct {
		kind    trammel.Kind
		name    string
		through bool
		want    bool
	}{
		{trammel.PreToolUse, "x", false, true}, {trammel.PreToolUse, "x", true, false}, {trammel.PostToolUse, "x", false, false},
		{trammel.Other, "", false, true}, {trammel.Other, "", true, false}, {trammel.Other, "Known", false, false},
		{trammel.SessionEnd, "", false, false},
	} {
		ev := &trammel.Event{Kind: c.kind, Name: c.name}
		if got := blocks(lenient{through: c.through}, ev, &trammel.Failure{}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// What cannot be recorded is blocked, where that prevents anything and the
// settings do not say otherwise; a caller that has gone is not a consent.
func TestWhatBlocksAfterAVerdict(t *testing.T) {
	for _, c := range []struct {
		kind     trammel.Kind
		onError  string
		decision trammel.Decision
		want     trammel.Decision
		noticed  bool
	}{
		{trammel.PreToolUse, "block", trammel.Allow, trammel.Deny, false},
		{trammel.PreToolUse, "block", trammel.Ask, trammel.Deny, false},
		{trammel.PreToolUse, "block", trammel.Deny, trammel.Deny, true},
		{trammel.PreToolUse, "warn", trammel.Allow, trammel.Allow, true},
		{trammel.PostToolUse, "block", trammel.None, trammel.None, true},
	} {
		ev := &trammel.Event{Kind: c.kind}
		v := &trammel.Verdict{Answer: trammel.Answer{Decision: c.decision, Reason: "before", Input: map[string]any{"a": 1}}, Granted: true}
		settings := plan.DefaultSettings()
		settings.Evidence.OnError = c.onError
		unrecorded(&Judged{Config: Config{Plan: &plan.Plan{Settings: settings}}, Event: ev, Verdict: v}, errors.New("disk full"))
		if v.Decision != c.want || strings.Contains(v.Notice, "disk full") != c.noticed || c.noticed == strings.Contains(v.Reason, "disk full") {
			t.Errorf("%+v: %v, notice %q", c, v, v.Notice)
		}
		if blocked := !c.noticed; v.Granted == blocked || (v.Input == nil) != blocked {
			t.Errorf("%+v: granted %v, input %v", c, v.Granted, v.Input)
		}
	}
	for _, c := range []struct {
		kind     trammel.Kind
		canceled bool
		decision trammel.Decision
		closed   bool
	}{
		{trammel.PreToolUse, true, trammel.Allow, true}, {trammel.PreToolUse, true, trammel.Deny, false},
		{trammel.PreToolUse, false, trammel.Allow, false}, {trammel.PostToolUse, true, trammel.None, false},
	} {
		v := &trammel.Verdict{Answer: trammel.Answer{Decision: c.decision, Reason: "before"}, Canceled: c.canceled, Granted: true}
		closeIfCanceled(&trammel.Event{Kind: c.kind}, v)
		if closed := v.Reason != "before"; closed != c.closed || closed && (v.Decision != trammel.Deny || v.Granted) {
			t.Errorf("%+v: %v", c, v)
		}
	}
}

// Of the time that a host waits, hooks get all but a tenth, or what the settings
// say if that is less; people get more only if the host waits longer for them.
func TestTimeForHooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := func(d time.Duration) time.Time { return time.Now().Add(d) }
		for _, c := range []struct {
			deadline time.Time
			setting  time.Duration
			want     time.Duration
		}{
			{time.Time{}, 0, 0}, {time.Time{}, 7 * time.Second, 7 * time.Second}, {in(time.Second), 0, 900 * time.Millisecond},
			{in(time.Minute), 0, 59500 * time.Millisecond}, {in(time.Second), 100 * time.Millisecond, 100 * time.Millisecond},
			{in(time.Second), time.Minute, 900 * time.Millisecond}, {in(-time.Second), 0, time.Millisecond},
		} {
			if got := budget(c.deadline, &plan.Settings{Deadline: c.setting}); got != c.want {
				t.Errorf("%v, %v: %v, want %v", time.Until(c.deadline), c.setting, got, c.want)
			}
		}
		for _, c := range []struct {
			deadline, people time.Time
			want             time.Duration
		}{{in(time.Second), in(time.Second), 0}, {in(time.Second), in(time.Minute), 59500 * time.Millisecond},
			{in(time.Second), time.Time{}, 0}} {
			o := callOptions{deadline: c.deadline, people: c.people}
			if got := o.forPeople(); got != c.want {
				t.Errorf("%v, %v: %v", c.deadline, c.people, got)
			}
		}
		u := until{t.Context(), in(time.Second)}
		if u.Err() != nil {
			t.Error(u.Err())
		}
		time.Sleep(2 * time.Second)
		if !errors.Is(u.Err(), context.DeadlineExceeded) {
			t.Error(u.Err())
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := (until{ctx, in(time.Second)}).Err(); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		ctx, stop := (&Program{}).waiting(t.Context(), in(time.Second))
		defer stop()
		if at, ok := ctx.Deadline(); !ok || time.Until(at) != time.Second {
			t.Error(at, ok)
		}
		ctx, stop = (&Program{}).waiting(t.Context(), time.Time{})
		defer stop()
		if _, ok := ctx.Deadline(); ok {
			t.Error("a deadline from nowhere")
		}
	})
}

// After the clock was set back, the next event still looks for notes.
func TestNotesWhenTheClockIsSetBack(t *testing.T) {
	p := &Program{Remember: time.Hour, Dirs: trammel.Dirs{State: t.TempDir()}}
	p.looked.Store(time.Now().Add(24 * time.Hour).UnixNano())
	p.recordUnanswered(t.Context())
	if last := time.Unix(0, p.looked.Load()); last.After(time.Now()) {
		t.Errorf("the last look is still that of %v", last)
	}
}

// What was found is kept for a moment, and not for longer; errors are not kept.
func TestRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r remembered[int]
		n, last := 0, map[string]int{}
		get := func(key string, err error) (int, error) {
			return r.get(key, time.Second, func(old int) (int, error) {
				if last, ok := last[key]; old != last || ok && err != nil {
					t.Errorf("%s: the old value is %d, not %d", key, old, last)
				}
				if n++; err == nil {
					last[key] = n
				}
				return n, err
			})
		}
		boom := errors.New("boom")
		if _, err := get("a", boom); !errors.Is(err, boom) {
			t.Error(err)
		}
		for _, step := range []struct {
			key   string
			after time.Duration
			want  int
		}{{"a", 0, 2}, {"a", 999 * time.Millisecond, 2}, {"b", 0, 3}, {"a", time.Millisecond, 4}, {"a", 0, 4}} {
			time.Sleep(step.after)
			if got, err := get(step.key, nil); err != nil || got != step.want {
				t.Errorf("%+v: %d, %v", step, got, err)
			}
		}
	})
}

// A payload is read to its end, or to the limit, whatever the pieces it comes in.
func TestReadAll(t *testing.T) {
	boom := errors.New("boom")
	text := bytes.Repeat([]byte("0123456789"), 5000)
	for _, limit := range []int{1, 8 << 10, 8<<10 + 1, len(text) - 1, len(text), len(text) + 1, 1 << 20} {
		for name, r := range map[string]io.Reader{"whole": bytes.NewReader(text), "halves": iotest.HalfReader(bytes.NewReader(text)),
			"early end": iotest.DataErrReader(bytes.NewReader(text))} {
			if got, err := readAll(r, limit); err != nil || !bytes.Equal(got, text[:min(limit, len(text))]) {
				t.Errorf("%s, limit %d: %d bytes, %v", name, limit, len(got), err)
			}
		}
	}
	if _, err := readAll(io.MultiReader(bytes.NewReader(text), iotest.ErrReader(boom)), 1<<20); !errors.Is(err, boom) {
		t.Error(err)
	}
}

// People are asked where hooks ask, the settings want it, and there is a call to
// ask about.
func TestWhatIsForPeople(t *testing.T) {
	tool := &trammel.ToolCall{}
	for _, c := range []struct {
		decision  trammel.Decision
		askPeople bool
		canceled  bool
		tool      *trammel.ToolCall
		want      bool
	}{
		{trammel.Ask, true, false, tool, true}, {trammel.Deny, true, false, tool, false}, {trammel.Ask, false, false, tool, false},
		{trammel.Ask, true, true, tool, false}, {trammel.Ask, true, false, nil, false},
	} {
		j := &Judged{Config: Config{Plan: &plan.Plan{Settings: plan.Settings{AskPeople: c.askPeople}}}, Event: &trammel.Event{Tool: c.tool},
			Verdict: &trammel.Verdict{Answer: trammel.Answer{Decision: c.decision}, Canceled: c.canceled}}
		if got := j.ForPeople(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	hooks := except([]plan.Hook{{ID: "a"}, {ID: "b"}, {ID: "c"}}, []string{"b"})
	if len(hooks) != 2 || hooks[0].ID != "a" || hooks[1].ID != "c" {
		t.Errorf("%v", hooks)
	}
}

// What stops an agent is told apart by hooks and codes, not by words.
func TestWhatStopsAnAgent(t *testing.T) {
	h := &trammel.Hook{ID: "h"}
	with := func(reason, code string) *trammel.Verdict {
		return &trammel.Verdict{Runs: []trammel.Run{{Hook: h, Answer: trammel.Answer{Decision: trammel.Deny, Reason: reason,
			Findings: []trammel.Finding{{Code: code}}}}, {Hook: &trammel.Hook{ID: "calm"}}}}
	}
	failed := &trammel.Verdict{Runs: []trammel.Run{{Hook: h, Code: trammel.CodeCrash, Blocked: true}}}
	if denials(with("one", "x")) != denials(with("two", "x")) || denials(with("one", "x")) == denials(with("one", "y")) ||
		denials(failed) == "" || strings.Contains(denials(with("one", "x")), "calm") {
		t.Errorf("%q, %q", denials(with("one", "x")), denials(failed))
	}
}
