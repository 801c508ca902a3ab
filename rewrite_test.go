package trammel

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

// rewritten are the kinds of events that programs rewrite, each with the text
// that is rewritten: how an event has it, and how an answer does.
var rewritten = []struct {
	kind   Kind
	event  func() *Event
	text   func(*Event) string
	answer func(string) Answer
}{
	{PreToolUse, withCommand, command, toCommand}, {PermissionRequest, withCommand, command, toCommand},
	{ToolInputTransform, withCommand, command, toCommand},
	{ToolResponseTransform, withOutput, toolOutput, toOutput}, {PostToolUse, withOutput, toolOutput, toOutput},
	{BeforeLLMCall, func() *Event { return &Event{Model: &ModelCall{Messages: []any{"x"}}} },
		func(ev *Event) string { return ev.Model.Messages[0].(string) },
		func(s string) Answer { return Answer{Input: map[string]any{"messages": []any{s}}} }},
	{AfterLLMCall, func() *Event { return &Event{Model: &ModelCall{Response: "x"}} },
		func(ev *Event) string { return ev.Model.Response }, toOutput},
	{UserPromptSubmit, func() *Event { return &Event{Prompt: &Prompt{Text: "x"}} },
		func(ev *Event) string { return ev.Prompt.Text },
		func(s string) Answer { return Answer{Input: map[string]any{"prompt": s}} }},
}

func withCommand() *Event         { return call(map[string]any{"command": "x"}) }
func withOutput() *Event          { return &Event{Tool: &ToolCall{Name: "shell", Output: "x", Done: true}} }
func command(ev *Event) string    { return ev.Tool.Input["command"].(string) }
func toolOutput(ev *Event) string { return ev.Tool.Output }
func toCommand(s string) Answer   { return Answer{Input: map[string]any{"command": s}} }
func toOutput(s string) Answer    { return Answer{Output: &s} }

// Finding enforcement 8: whatever programs rewrite and guard side by side, each
// rewrite is in the result exactly once, in order, and every guard has judged
// the call as it stands in the end.
func TestProgramsRewriteOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	for n := range 2000 {
		c := rewritten[random.IntN(len(rewritten))]
		var mu sync.Mutex
		saw := map[string]string{}
		asked := map[string]int{}
		var hooks []Hook
		var want strings.Builder
		var denies bool
		count := 1 + random.IntN(5)
		forbidden := make([]string, count)
		for i := range count {
			id := fmt.Sprint("h", i)
			token := fmt.Sprint("+", i)
			rewrites, guards := random.IntN(2) == 0, random.IntN(2) == 0
			if guards && random.IntN(4) == 0 {
				forbidden[i] = fmt.Sprint("+", (i+1+random.IntN(count))%(count+1)) // never its own; one that nobody adds is among them
			}
			handler := HandlerFunc(func(_ context.Context, ev *Event) (Answer, error) {
				text := c.text(ev)
				mu.Lock()
				saw[id] = text
				asked[id]++
				mu.Unlock()
				switch {
				case forbidden[i] != "" && strings.Contains(text, forbidden[i]):
					return Denial("forbidden"), nil
				case rewrites:
					return c.answer(text + token), nil
				}
				return Answer{}, nil
			})
			may := Guard
			if rewrites {
				want.WriteString(token)
				if !guards && random.IntN(2) == 0 {
					may = Rewrite
				}
			}
			hook := Hook{ID: id, On: []Kind{c.kind}, May: may, Handler: waiting{handler}}
			if !rewrites && random.IntN(2) == 0 {
				hook.Handler = handler
			}
			hooks = append(hooks, hook)
		}
		for _, token := range forbidden {
			denies = denies || token != "" && strings.Contains(want.String(), token)
		}
		ev := c.event()
		ev.Kind = c.kind
		v := engine(t, hooks...).Dispatch(t.Context(), ev)
		if denies != (v.Decision == Deny) {
			t.Fatalf("case %d, %s: decision %v, want a denial: %v; rewrites %q, forbidden %q, saw %v", n, c.kind, v.Decision, denies, want.String(),
				forbidden, saw)
		}
		if denies {
			continue
		}
		got := c.text(v.Event)
		if letters := strings.Split(got, "+"); len(letters) != strings.Count(want.String(), "+")+1 || len(v.Failures()) > 0 {
			t.Fatalf("case %d, %s: got %q, want each of %q once; %v", n, c.kind, got, want.String(), v.Failures())
		}
		for i := range hooks {
			if token := fmt.Sprint("+", i); strings.Contains(want.String(), token) != strings.Contains(got, token) {
				t.Fatalf("case %d, %s: got %q, want each of %q once", n, c.kind, got, want.String())
			}
			own := hooks[i].May == Guard && saw[hooks[i].ID] != got && !strings.HasSuffix(got, fmt.Sprint("+", i))
			if own {
				t.Fatalf("case %d, %s: guard %d judged %q, and the call is %q", n, c.kind, i, saw[hooks[i].ID], got)
			}
		}
	}
}

// Finding enforcement 8, case by case: one that appends is applied once and
// asked once; of two on the same event, both hold, in order.
func TestAProgramIsNotAskedAboutItsOwnRewrite(t *testing.T) {
	for _, c := range rewritten {
		t.Run(c.kind.String(), func(t *testing.T) {
			var asked []string
			var mu sync.Mutex
			hook := func(id string, f func(string) string) Hook {
				return Hook{ID: id, On: []Kind{c.kind}, May: Guard, Handler: waiting{func(_ context.Context, ev *Event) (Answer, error) {
					mu.Lock()
					defer mu.Unlock()
					asked = append(asked, id)
					a := c.answer(f(c.text(ev)))
					a.Context, a.Notice = nil, "said by "+id
					return a, nil
				}}}
			}
			appends := hook("a", func(s string) string { return s + "A" })
			ev := c.event()
			ev.Kind = c.kind
			v := engine(t, appends).Dispatch(t.Context(), ev)
			if got := c.text(v.Event); got != "xA" || v.Decision != None || len(asked) != 1 || len(v.Failures()) > 0 {
				t.Errorf("got %q, %v, asked %v, %v", got, v, asked, v.Failures())
			}
			redacts := hook("r", func(s string) string { return strings.ReplaceAll(s, "x", "-") })
			v = engine(t, redacts, appends).Dispatch(t.Context(), ev)
			if got := c.text(v.Event); got != "-A" || v.Notice != "said by r\nsaid by a" {
				t.Errorf("of two: got %q, notice %q, %v", got, v.Notice, v.Failures())
			}
		})
	}
}

// A program that has rewritten is still a guard of what others make of it.
func TestAProgramThatRewroteJudgesWhatOthersRewrite(t *testing.T) {
	mixed := waiting{func(_ context.Context, ev *Event) (Answer, error) {
		if strings.HasPrefix(command(ev), "rm") {
			return Denial("no rm"), nil
		}
		return toCommand(command(ev) + " -l"), nil
	}}
	evil := waiting{func(_ context.Context, ev *Event) (Answer, error) { return toCommand("rm" + command(ev)), nil }}
	v := engine(t, Hook{ID: "mixed", May: Guard, Handler: mixed}, Hook{ID: "evil", May: Guard, Handler: evil}).
		Dispatch(t.Context(), withCommand())
	if v.Decision != Deny || v.Reason != "no rm" {
		t.Errorf("got %v", v)
	}
	// What rewrites other arguments does not disturb it, and both are asked once.
	n := 0
	other := waiting{func(context.Context, *Event) (Answer, error) {
		n++
		return Answer{Input: map[string]any{"cwd": "/p"}}, nil
	}}
	v = engine(t, Hook{ID: "mixed", May: Guard, Handler: mixed}, Hook{ID: "other", May: Guard, Handler: other}).
		Dispatch(t.Context(), withCommand())
	if v.Input["command"] != "x -l" || v.Input["cwd"] != "/p" || n != 1 || v.Decision != None {
		t.Errorf("got %v, asked %d times", v.Input, n)
	}
}

// Code.md, mutation of the memo: what was computed about the call as it came is
// not used for the call as a guard has rewritten it.
func TestARewriteForgetsWhatWasComputed(t *testing.T) {
	type key struct{}
	judge := HandlerFunc(func(_ context.Context, ev *Event) (Answer, error) {
		words := ev.Memo(key{}, func() any { return strings.Fields(command(ev)) }).([]string)
		if slices.Contains(words, "/etc") {
			return Denial("system directory"), nil
		}
		return Answer{}, nil
	})
	for _, rewriter := range []Handler{say(toCommand("rm -rf /etc")), waiting{say(toCommand("rm -rf /etc")).(HandlerFunc)}} {
		v := engine(t, Hook{ID: "judge", May: Guard, Handler: judge}, Hook{ID: "rewriter", May: Guard, Handler: rewriter}).
			Dispatch(t.Context(), withCommand())
		if v.Decision != Deny || v.Reason != "system directory" {
			t.Errorf("got %v", v)
		}
	}
}

// Of two guards that rewrite the same argument only the first has its way, and
// only its rewrite is on record. A denial counts whoever makes it.
func TestOnlyTheRewriteThatCountsIsOnRecord(t *testing.T) {
	rewrites := func(to string, decision Decision) Handler {
		return HandlerFunc(func(_ context.Context, ev *Event) (Answer, error) {
			if command(ev) != "x" {
				return Answer{}, nil
			}
			a := toCommand(to)
			a.Findings, a.Decision, a.Reason = []Finding{{Code: to}}, decision, to
			return a, nil
		})
	}
	for _, second := range []Decision{None, Deny} {
		v := engine(t, Hook{ID: "first", May: Guard, Handler: rewrites("one", None)}, Hook{ID: "second", May: Guard,
			Handler: rewrites("two", second)}).
			Dispatch(t.Context(), withCommand())
		if second == Deny {
			if v.Decision != Deny || v.Reason != "two" {
				t.Errorf("got %v for %q, want a denial", v.Decision, v.Reason)
			}
			continue
		}
		if v.Input["command"] != "one" || len(v.Findings) != 1 || v.Findings[0].Code != "one" {
			t.Errorf("got %v with %v", v.Input, v.Findings)
		}
	}
}
