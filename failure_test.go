package trammel

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Every way in which an answer can go beyond its authority: rejected whole,
// with a code, and where the hook is a guard the event is blocked.
func TestAnswersBeyondTheirAuthority(t *testing.T) {
	text := "x"
	deny, ask, allow := Answer{Decision: Deny}, Answer{Decision: Ask}, Answer{Decision: Allow}
	input, output := Answer{Input: map[string]any{}}, Answer{Output: &text}
	inject, summary := Answer{Context: []string{"x"}}, Answer{Summary: "x"}
	for _, c := range []struct {
		name   string
		kind   Kind
		may    Authority
		within func(Kind) Authority
		answer Answer
		blocks bool
	}{
		{"observe denies", PreToolUse, Observe, nil, deny, false},
		{"observe asks", PreToolUse, Observe, nil, ask, false},
		{"observe allows", PreToolUse, Observe, nil, allow, false},
		{"observe rewrites the input", PreToolUse, Observe, nil, input, false},
		{"observe rewrites the output", PostToolUse, Observe, nil, output, false},
		{"observe injects", PreToolUse, Observe, nil, inject, false},
		{"context denies", PreToolUse, Contextual, nil, deny, false},
		{"context rewrites", PreToolUse, Contextual, nil, input, false},
		{"rewrite denies", PreToolUse, Rewrite, nil, deny, false},
		{"rewrite asks", PreToolUse, Rewrite, nil, ask, false},
		{"the event cannot be denied", SessionStart, Guard, nil, deny, false},
		{"the event cannot be asked about", UserPromptSubmit, Guard, nil, ask, true},
		{"the event has no output", PreToolUse, Guard, nil, output, true},
		{"the event has no input", PostToolUse, Guard, nil, input, true},
		{"the event takes no context", PermissionRequest, Guard, nil, inject, true},
		{"a summary is a rewrite", BeforeCompaction, Contextual, nil, summary, false},
		{"the event takes no summary", PreToolUse, Guard, nil, summary, true},
		{"the dialect forbids to deny", PreToolUse, Guard, func(Kind) Authority { return Contextual }, deny, true},
		{"the dialect only states facts", PreToolUse, Guard, func(Kind) Authority { return Observe }, inject, true},
		{"nothing to decide at all", SessionEnd, Grant, nil, allow, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.answer.Diagnostics = []string{"must be dropped too"}
			c.answer.Facts = map[string]any{"must": "be dropped too"}
			e := engine(t, Hook{ID: "x", On: []Kind{c.kind}, May: c.may, Ceiling: c.within, Handler: say(c.answer)})
			v := e.Dispatch(t.Context(), &Event{Kind: c.kind, Tool: &ToolCall{Name: "shell"}})
			r := v.Runs[0]
			if r.Code != CodeAuthority || r.Answer.Decision != None || r.Answer.Input != nil || r.Answer.Output != nil ||
				r.Answer.Context != nil || r.Answer.Facts != nil {
				t.Errorf("not rejected whole: %+v", r)
			}
			if v.Input != nil || v.Output != nil || v.Context != nil || v.Summary != "" || v.Facts != nil || v.Diagnostics != nil {
				t.Errorf("something of it is in the verdict: %+v", v.Answer)
			}
			if blocked := v.Decision == Deny; blocked != c.blocks || r.Blocked != c.blocks {
				t.Errorf("blocked %v, want %v", blocked, c.blocks)
			}
			if !c.blocks && !strings.Contains(v.Notice, "authority") {
				t.Errorf("nobody is told: notice %q", v.Notice)
			}
		})
	}
}

func TestAHookThatKeepsDoesNotRewrite(t *testing.T) {
	e := engine(t, Hook{ID: "x", May: Guard, NoRewrite: true, Handler: say(Denial("no"))})
	if v := e.Dispatch(t.Context(), call(nil)); v.Reason != "no" {
		t.Errorf("it may still deny: %v", v)
	}
	e = engine(t, Hook{ID: "x", May: Guard, NoRewrite: true, Handler: say(Answer{Input: map[string]any{"command": "y"}})})
	if v := e.Dispatch(t.Context(), call(nil)); v.Decision != Deny || v.Input != nil || v.Runs[0].Code != CodeAuthority {
		t.Errorf("got %v, %v, %+v", v, v.Input, v.Runs[0])
	}
}

func TestEveryFailureHasItsCode(t *testing.T) {
	hang := waiting{func(ctx context.Context, _ *Event) (Answer, error) { <-ctx.Done(); return Answer{}, ctx.Err() }}
	for _, c := range []struct {
		name    string
		handler Handler
		want    Code
	}{
		{"error", HandlerFunc(func(context.Context, *Event) (Answer, error) { return Denial("dropped"), errors.New("boom") }), CodeError},
		{"panic", HandlerFunc(func(context.Context, *Event) (Answer, error) { panic("boom") }), CodePanic},
		{"nil pointer", HandlerFunc(func(_ context.Context, ev *Event) (Answer, error) { return Denial(ev.Prompt.Text), nil }), CodePanic},
		{"timeout", hang, CodeTimeout},
		{"late, without looking at its context", HandlerFunc(func(context.Context, *Event) (Answer, error) {
			time.Sleep(60 * time.Millisecond)
			return Answer{}, nil
		}), CodeTimeout},
		{"typed", HandlerFunc(func(context.Context, *Event) (Answer, error) {
			return Answer{}, fmt.Errorf("wrapped: %w", Fail(CodeOversized, "3 MB"))
		}), CodeOversized},
	} {
		limit := time.Minute
		if c.want == CodeTimeout {
			limit = 20 * time.Millisecond
		}
		t.Run(c.name, func(t *testing.T) {
			for on, want := range map[OnError]Decision{DefaultOnError: Deny, BlockOnError: Deny, WarnOnError: None, IgnoreOnError: None} {
				e := engine(t, Hook{ID: "x", May: Guard, Handler: c.handler, Timeout: limit, OnError: on})
				v := e.Dispatch(t.Context(), call(nil))
				if v.Runs[0].Code != c.want || v.Decision != want {
					t.Errorf("on_error %v: code %v, decision %v, want %v, %v", on, v.Runs[0].Code, v.Decision, c.want, want)
				}
				if told := v.Notice != ""; told != (on == WarnOnError) {
					t.Errorf("on_error %v: notice %q", on, v.Notice)
				}
			}
		})
	}
}

// DA-40: what a failure means where nothing is declared.
func TestDefaultOnError(t *testing.T) {
	boom := HandlerFunc(func(context.Context, *Event) (Answer, error) { return Answer{}, errors.New("boom") })
	for _, c := range []struct {
		kind Kind
		may  Authority
		want Decision
	}{
		{PreToolUse, Guard, Deny}, {PreToolUse, Grant, Deny}, {ToolGuard, Guard, Deny}, {UserPromptSubmit, Guard, Deny},
		{PostToolUse, Guard, Deny},
		{PreToolUse, Rewrite, None}, {PreToolUse, Contextual, None}, {PreToolUse, Observe, None},
		{SessionStart, Guard, None}, {Stop, Guard, None},
	} {
		v := engine(t, Hook{On: []Kind{c.kind}, May: c.may, Handler: boom}).Dispatch(t.Context(), &Event{Kind: c.kind, Tool: &ToolCall{}})
		if v.Decision != c.want {
			t.Errorf("%v on %v: %v, want %v", c.may, c.kind, v.Decision, c.want)
		}
	}
}

// DA-40, finding enforcement 10: where the hook's system denies on failure, no
// on_error changes that, except for hooks that may not change the call anyway.
func TestASystemsFailuresDeny(t *testing.T) {
	boom := HandlerFunc(func(context.Context, *Event) (Answer, error) { return Answer{}, errors.New("boom") })
	beforeTools := func(k Kind) bool { return k == PreToolUse }
	for _, on := range []OnError{DefaultOnError, WarnOnError, IgnoreOnError, BlockOnError} {
		for may, want := range map[Authority]Decision{Guard: Deny, Rewrite: Deny, Observe: None} {
			if on == BlockOnError && may == Observe {
				continue
			}
			h := Hook{On: []Kind{PreToolUse, PostToolUse}, May: may, OnError: on, FailsClosed: beforeTools, Handler: boom}
			if v := engine(t, h).Dispatch(t.Context(), call(nil)); v.Decision != want {
				t.Errorf("on_error %v, may %v: %v, want %v", on, may, v.Decision, want)
			}
		}
	}
	h := Hook{On: []Kind{PostToolUse}, May: Guard, OnError: IgnoreOnError, FailsClosed: beforeTools, Handler: boom}
	if v := engine(t, h).Dispatch(t.Context(), &Event{Kind: PostToolUse, Tool: &ToolCall{}}); v.Decision != None {
		t.Errorf("after the tool: %v", v.Decision)
	}
}

// DA-30 case 9, in the newer contract: a cancellation is not a denial.
func TestCancellationIsNotADenial(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stuck := waiting{func(ctx context.Context, _ *Event) (Answer, error) {
		cancel()
		<-ctx.Done()
		return Answer{}, ctx.Err()
	}}
	v := engine(t, Hook{May: Guard, Handler: stuck}).Dispatch(ctx, call(nil))
	if !v.Canceled || v.Decision != None || v.Proceed() || v.Runs[0].Code != CodeCanceled {
		t.Errorf("got %v, canceled %v, runs %+v", v, v.Canceled, v.Runs)
	}
	v = engine(t, Hook{May: Guard, Handler: say(Denial("no"))}).Dispatch(ctx, call(nil))
	if !v.Canceled || v.Proceed() || len(v.Runs) != 0 {
		t.Errorf("canceled before it began: %v", v)
	}
}

// DA-30 C15: each hook has its own time, and a share of the whole: the budget is
// divided by the stages to come, and what a stage leaves goes to the next ones.
func TestTheBudgetIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var shares []string
		measure := waiting{func(ctx context.Context, ev *Event) (Answer, error) {
			end, _ := ctx.Deadline()
			mu.Lock()
			shares = append(shares, time.Until(end).String())
			mu.Unlock()
			<-ctx.Done()
			return Answer{}, ctx.Err()
		}}
		dispatch := func(kind Kind, hooks ...Hook) string {
			for i := range hooks {
				hooks[i].ID, hooks[i].On, hooks[i].OnError = fmt.Sprint(i), []Kind{kind}, IgnoreOnError
				if hooks[i].Handler == nil {
					hooks[i].Handler = measure
				}
			}
			e, err := New(hooks, WithBudget(300*time.Millisecond))
			if err != nil {
				t.Fatal(err)
			}
			shares = nil
			ev := call(nil)
			ev.Kind = kind
			v := e.Dispatch(t.Context(), ev)
			for i := range v.Runs {
				if r := &v.Runs[i]; r.bound.waits && r.Code != CodeTimeout {
					t.Errorf("%+v", r)
				}
			}
			return strings.Join(shares, " ")
		}
		rewrite, guard, look, inline := Hook{May: Rewrite}, Hook{May: Guard}, Hook{May: Observe}, Hook{May: Guard, Handler: pass}
		elsewhere := Hook{May: Guard, Match: Match{Tools: []string{"other"}}}
		for _, c := range []struct {
			kind  Kind
			hooks []Hook
			want  string
		}{
			{PreToolUse, []Hook{guard}, "300ms"},
			{PreToolUse, []Hook{rewrite, rewrite, guard}, "100ms 100ms 100ms"},
			{PreToolUse, []Hook{rewrite, rewrite, guard, guard}, "100ms 100ms 100ms 100ms"}, // guards wait side by side
			{PreToolUse, []Hook{guard, look}, "150ms 150ms"},
			{PreToolUse, []Hook{guard, inline, inline, look, elsewhere}, "150ms 150ms"},
			{ToolInputTransform, []Hook{guard, guard, guard}, "100ms 100ms 100ms"}, // here they do not
			{ToolInputTransform, []Hook{guard, look, look}, "150ms 150ms 150ms"},
		} {
			if got := dispatch(c.kind, c.hooks...); got != c.want {
				t.Errorf("%v, %d hooks: %s, want %s", c.kind, len(c.hooks), got, c.want)
			}
		}
	})
}

func TestNoGoroutineOutlivesItsDispatch(t *testing.T) {
	slow := waiting{func(ctx context.Context, _ *Event) (Answer, error) { <-ctx.Done(); return Answer{}, ctx.Err() }}
	var hooks []Hook
	for range 20 {
		hooks = append(hooks, Hook{May: Guard, Handler: slow, Timeout: 5 * time.Millisecond})
	}
	e := engine(t, hooks...)
	before := runtime.NumGoroutine()
	for range 10 {
		e.Dispatch(t.Context(), call(nil))
	}
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) { // one that is done takes a moment to go
			t.Fatalf("%d goroutines before, %d after", before, runtime.NumGoroutine())
		}
	}
}
