package trammel

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAnObserverChangesNothing(t *testing.T) {
	var outcome *Answer
	look := HandlerFunc(func(_ context.Context, ev *Event) (Answer, error) {
		outcome = ev.Outcome
		return Answer{Diagnostics: []string{"seen"}, Facts: map[string]any{"n": 1}}, nil
	})
	e := engine(t,
		Hook{ID: "guard", May: Guard, Handler: say(Answer{Decision: Ask, Reason: "sure?"})},
		Hook{ID: "look", May: Observe, Handler: look},
		Hook{ID: "meddle", May: Observe, Handler: say(Denial("because"))},
	)
	v := e.Dispatch(t.Context(), call(nil))
	if v.Decision != Ask || v.Reason != "sure?" {
		t.Errorf("an observer changed the decision to %v %q", v.Decision, v.Reason)
	}
	if outcome == nil || outcome.Decision != Ask {
		t.Errorf("the observer was not told the outcome: %+v", outcome)
	}
	if v.Runs[2].Code != CodeAuthority {
		t.Errorf("the meddler's answer was not rejected: %+v", v.Runs[2])
	}
}

func TestEqualPriorityKeepsTheOrder(t *testing.T) {
	var hooks []Hook
	for i := range 200 {
		hooks = append(hooks, Hook{ID: fmt.Sprintf("%03d", i), May: Contextual, Priority: i % 3,
			Handler: say(Answer{Context: []string{fmt.Sprintf("%d/%03d", i%3, i)}})})
	}
	v := engine(t, hooks...).Dispatch(t.Context(), call(nil))
	if len(v.Context) != 200 || !slices.IsSorted(v.Context) {
		t.Errorf("%d contexts in order %v", len(v.Context), v.Context)
	}
}

// DA-30: deny > ask > allow > none, ties keep the first reason.
func TestMerging(t *testing.T) {
	d := func(dec Decision, reason string) Answer { return Answer{Decision: dec, Reason: reason} }
	for _, c := range []struct {
		answers []Answer
		want    Decision
		reason  string
	}{
		{nil, None, ""},
		{[]Answer{d(None, ""), d(Ask, "a")}, Ask, "a"},
		{[]Answer{d(Allow, "x"), d(Ask, "a"), d(Deny, "no")}, Deny, "no"},
		{[]Answer{d(Ask, "a"), d(Ask, "b")}, Ask, "a"},
		{[]Answer{d(Deny, "first"), d(Allow, ""), d(Deny, "second")}, Deny, "first"},
		{[]Answer{d(Allow, "fine")}, Allow, "fine"},
	} {
		var hooks []Hook
		for _, a := range c.answers {
			hooks = append(hooks, Hook{May: Guard, Handler: say(a)})
		}
		v := engine(t, hooks...).Dispatch(t.Context(), call(nil))
		if v.Decision != c.want || v.Reason != c.reason || v.Granted {
			t.Errorf("%v: got %v %q granted %v", c.answers, v.Decision, v.Reason, v.Granted)
		}
	}
}

func TestOnlyGrantGrants(t *testing.T) {
	for _, c := range []struct {
		hooks []Hook
		want  bool
	}{
		{[]Hook{{May: Guard, Handler: say(Answer{Decision: Allow})}}, false},
		{[]Hook{{May: Grant, Handler: say(Answer{Decision: Allow})}}, true},
		{[]Hook{{May: Guard, Handler: say(Answer{Decision: Allow})}, {May: Grant, Handler: say(Answer{Decision: Allow})}}, true},
		{[]Hook{{May: Grant, Handler: say(Answer{Decision: Allow})}, {May: Guard, Handler: say(Answer{Decision: Ask})}}, false},
		{[]Hook{{May: Grant, Handler: say(Answer{Decision: Allow})}, {May: Guard, Handler: say(Denial("no"))}}, false},
		{[]Hook{{May: Guard, Handler: say(Answer{Decision: Ask})}, {May: Grant, Handler: say(Answer{Decision: Allow})}}, false},
		{[]Hook{{May: Guard, Handler: say(Answer{Decision: Allow})}, {May: Grant, Handler: pass}}, false},
	} {
		if v := engine(t, c.hooks...).Dispatch(t.Context(), call(nil)); v.Granted != c.want {
			t.Errorf("%+v: granted %v, want %v", c.hooks, v.Granted, c.want)
		}
	}
}

func TestContextsNoticesFactsAndSummary(t *testing.T) {
	var saw map[string]map[string]any
	e := engine(t,
		Hook{ID: "a", On: []Kind{BeforeCompaction}, May: Rewrite, Handler: say(Answer{Notice: "one", Summary: "first",
			Facts: map[string]any{"n": 1}})},
		Hook{ID: "b", On: []Kind{BeforeCompaction}, May: Rewrite, Handler: say(Answer{Notice: "two", Summary: "second"})},
		Hook{ID: "c", On: []Kind{BeforeCompaction}, May: Guard, Handler: HandlerFunc(func(_ context.Context, ev *Event) (Answer, error) {
			saw = ev.Facts
			return Answer{}, nil
		})},
	)
	v := e.Dispatch(t.Context(), &Event{Kind: BeforeCompaction})
	if v.Notice != "one\ntwo" || v.Summary != "first" || saw["a"]["n"] != 1 {
		t.Errorf("notice %q, summary %q, facts %v", v.Notice, v.Summary, saw)
	}
}

func TestChildInheritsAndOnlyAdds(t *testing.T) {
	parent := engine(t, Hook{ID: "guard", May: Guard, Handler: say(Denial("parent says no"))})
	child, err := parent.Child(Hook{ID: "more", On: []Kind{PreToolUse, Stop}, May: Guard, Handler: say(Answer{Decision: Allow})})
	if err != nil {
		t.Fatal(err)
	}
	grandchild, err := child.Child()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []*Engine{child, grandchild} {
		if v := e.Dispatch(t.Context(), call(nil)); v.Decision != Deny || len(v.Runs) != 2 {
			t.Errorf("got %v", v)
		}
	}
	if parent.Has(Stop) || !child.Has(Stop) {
		t.Error("the child's hook belongs to the child alone")
	}
	if _, err := parent.Child(Hook{ID: "guard", On: []Kind{PreToolUse}, May: Guard, Handler: pass}); err == nil {
		t.Error("a child declared its parent's hook again")
	}
	if _, err := parent.Child(Hook{ID: "g", On: []Kind{PreToolUse}, May: Grant, Handler: pass}); err == nil {
		t.Error("a child was allowed to grant")
	}
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	ok := Hook{ID: "x", On: []Kind{PreToolUse}, May: Guard, Handler: pass}
	for name, change := range map[string]func(*Hook){
		"no id":                         func(h *Hook) { h.ID = "" },
		"no events":                     func(h *Hook) { h.On = nil },
		"no handler":                    func(h *Hook) { h.Handler = nil },
		"no authority":                  func(h *Hook) { h.May = 0 },
		"negative timeout":              func(h *Hook) { h.Timeout = -1 },
		"unknown event":                 func(h *Hook) { h.On = []Kind{250} },
		"the first unknown event":       func(h *Hook) { h.On = []Kind{Kind(len(catalogue))} },
		"block where nothing can block": func(h *Hook) { h.On = []Kind{SessionEnd}; h.OnError = BlockOnError },
	} {
		h := ok
		change(&h)
		if _, err := New([]Hook{h}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := New([]Hook{ok, ok}); err == nil {
		t.Error("the same id twice: no error")
	}
}

// One engine, many goroutines, the same event: run with -race.
func TestDispatchIsSafeForConcurrentUse(t *testing.T) {
	e := engine(t,
		Hook{May: Rewrite, Handler: appendTo("command", "!")},
		Hook{May: Guard, Handler: waiting{func(_ context.Context, ev *Event) (Answer, error) {
			n := ev.Memo(keyForTest{}, func() any { return len(ev.Tool.Input) }).(int)
			return Answer{Facts: map[string]any{"n": n}}, nil
		}}},
		Hook{May: Guard, Handler: waiting{func(_ context.Context, ev *Event) (Answer, error) {
			return Answer{Context: []string{ev.Tool.Action.Command}}, nil
		}}},
		Hook{May: Observe, Handler: waiting{func(_ context.Context, ev *Event) (Answer, error) {
			return Answer{Notice: ev.Outcome.Reason},
				nil
		}}},
	)
	ev := call(map[string]any{"command": "ls"})
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 100 {
				if v := e.Dispatch(t.Context(), ev); v.Input["command"] != "ls!" || !slices.Equal(v.Context, []string{"ls!"}) || len(v.Runs) != 4 {
					t.Errorf("got %v %v", v.Input, v.Context)
				}
			}
		})
	}
	wg.Wait()
}

type keyForTest struct{}

// pass has no opinion.
var pass = HandlerFunc(func(context.Context, *Event) (Answer, error) { return Answer{}, nil })

type early struct{ Handler }

func (early) Early() bool { return true }

// FST-20: what a hook computes is there before any guard is asked, and the
// hook that computes it still cannot decide.
func TestFactsAreThereBeforeTheGuards(t *testing.T) {
	guard := HandlerFunc(func(_ context.Context, ev *Event) (Answer, error) {
		if ev.Facts["facts"]["amount"] == int64(7) {
			return Denial("too much"), nil
		}
		return Answer{}, nil
	})
	e := engine(t,
		Hook{ID: "guard", May: Guard, Handler: guard},
		Hook{ID: "facts", May: Observe, Handler: early{say(Answer{Facts: map[string]any{"amount": int64(7)}})}},
		Hook{ID: "meddler", May: Observe, Handler: early{say(Denial("me too"))}},
	)
	v := e.Dispatch(t.Context(), call(nil))
	if v.Decision != Deny || v.Reason != "too much" {
		t.Errorf("verdict %v %q, want the guard's denial", v.Decision, v.Reason)
	}
	if v.Runs[1].Code != CodeAuthority {
		t.Errorf("a hook that may only observe has decided: %+v", v.Runs[1])
	}
}

// Two hooks that rewrite the messages of a model call compose.
func TestRewrittenMessagesReachTheNextHook(t *testing.T) {
	add := func(text string) Handler {
		return HandlerFunc(func(_ context.Context, ev *Event) (Answer, error) {
			return Answer{Input: map[string]any{"messages": append(slices.Clone(ev.Model.Messages), text)}}, nil
		})
	}
	e := engine(t, Hook{ID: "a", On: []Kind{BeforeLLMCall}, May: Rewrite, Handler: add("a")}, Hook{ID: "b", On: []Kind{BeforeLLMCall},
		May: Rewrite, Handler: add("b")})
	v := e.Dispatch(t.Context(), &Event{Kind: BeforeLLMCall, Model: &ModelCall{Messages: []any{"x"}}})
	if diff := cmp.Diff([]any{"x", "a", "b"}, v.Input["messages"]); diff != "" {
		t.Error(diff)
	}
}

// TEAM-20: a witness sees each hook that is asked, whether it waits or not, with the event
// as the hook sees it, and none that does not match.
func TestWitness(t *testing.T) {
	var mu sync.Mutex
	var got []string
	quiet := func(context.Context, *Event) (Answer, error) { return Answer{}, nil }
	on := []Kind{PreToolUse}
	e, err := New([]Hook{
		{ID: "transform", On: on, May: Rewrite, Handler: appendTo("c", "!")},
		{ID: "guard", On: on, May: Guard, Handler: HandlerFunc(quiet)},
		{ID: "one", On: on, May: Guard, Handler: waiting{quiet}}, {ID: "two", On: on, May: Guard, Handler: waiting{quiet}},
		{ID: "other", On: on, May: Guard, Match: Match{Tools: []string{"read"}}, Handler: HandlerFunc(quiet)},
	}, WithWitness(func(h *Hook, ev *Event) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, h.ID+" "+ev.Tool.Input["c"].(string))
	}))
	if err != nil {
		t.Fatal(err)
	}
	e.Dispatch(context.Background(), call(map[string]any{"c": "ls"}))
	slices.Sort(got)
	if d := cmp.Diff([]string{"guard ls!", "one ls!", "transform ls", "two ls!"}, got); d != "" {
		t.Error(d)
	}
}
