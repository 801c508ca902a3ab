package trammel

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// consent is a gate whose consent counts once.
type consent struct {
	Answer
	commit func(*Event) error
}

func (c consent) Handle(context.Context, *Event) (Answer, error) { return c.Answer, nil }
func (consent) Gates() bool                                      { return true }

func (c consent) Commit(_ context.Context, ev *Event, _ *Answer) error { return c.commit(ev) }

// A consent is used up once, for the call as it will run, and only if nothing
// else stops the call. One that cannot be used up denies.
func TestConsentIsUsedUpOnce(t *testing.T) {
	agreed := Answer{Decision: Allow, Approval: "a1"}
	changed := agreed
	changed.Input = map[string]any{"command": "changed"}
	gone := errors.New("it was used already")
	noRm := HandlerFunc(func(_ context.Context, ev *Event) (Answer, error) {
		if command(ev) == "changed" {
			return Denial("not that"), nil
		}
		return Answer{}, nil
	})
	for name, c := range map[string]struct {
		answer    Answer
		err       error
		more      []Hook
		rehearsal bool
		want      Decision
		committed string // the command that it was used up for
		reason    string
	}{
		"agreed":                 {answer: agreed, want: Allow, committed: "x"},
		"agreed to another call": {answer: changed, want: Allow, committed: "changed"},
		"used up": {answer: agreed, err: gone, want: Deny, committed: "x",
			reason: "The approval could not be used: it was used already."},
		"it only looks so": {answer: agreed, more: []Hook{{May: Grant, Handler: gate{say(agreed).(HandlerFunc)}}}, want: Allow,
			committed: "x"},
		"no approval named": {answer: Answer{Decision: Allow}, want: Allow},
		"a rehearsal":       {answer: agreed, rehearsal: true, want: Allow},
		"another gate denies": {answer: agreed, more: []Hook{{May: Guard, Handler: consent{Answer: Denial("no")}}}, want: Deny,
			reason: "no"},
		"a guard denies":           {answer: agreed, more: []Hook{{May: Guard, Handler: say(Denial("no"))}}, want: Deny, reason: "no"},
		"guards judge what became": {answer: changed, more: []Hook{{May: Guard, Handler: noRm}}, want: Deny, reason: "not that"},
		"it fails": {answer: Answer{Decision: Allow, Approval: "a1", Context: []string{"x"}, Output: new(string)}, want: Deny,
			reason: "authority"},
	} {
		t.Run(name, func(t *testing.T) {
			var committed []string
			g := consent{c.answer, func(ev *Event) error {
				committed = append(committed, command(ev))
				return c.err
			}}
			ev := withCommand()
			ev.Rehearsal = c.rehearsal
			v := engine(t, append([]Hook{{ID: "gate", May: Grant, Handler: g}}, c.more...)...).Dispatch(t.Context(), ev)
			if v.Decision != c.want || strings.Join(committed, ",") != c.committed || !strings.Contains(v.Reason, c.reason) {
				t.Errorf("%v, used up for %v", v, committed)
			}
			if v.Granted != (c.want == Allow) {
				t.Errorf("granted: %v", v.Granted)
			}
			if c.err != nil {
				if a := v.Runs[len(v.Runs)-1].Answer; a.Decision != Deny || a.Reason != v.Reason {
					t.Errorf("the record says %+v", a)
				}
			}
		})
	}
}

// A person is not asked for the sake of a trial, nor after the caller has gone.
func TestGatesOnTrialRehearse(t *testing.T) {
	var saw []bool
	look := func(_ context.Context, ev *Event) (Answer, error) {
		saw = append(saw, ev.Rehearsal)
		return Answer{}, nil
	}
	engine(t, Hook{ID: "trial", May: Guard, Trial: true, Handler: gate{look}}, Hook{ID: "real", May: Guard, Handler: gate{look}}).
		Dispatch(t.Context(), call(nil))
	if fmt.Sprint(saw) != "[true false]" {
		t.Errorf("rehearsal: %v", saw)
	}
}

// When the caller gives up, no hook is asked any more, whatever its phase.
func TestNobodyIsAskedAfterACancellation(t *testing.T) {
	for name, c := range map[string]struct {
		may   Authority
		gates bool
		most  int // guards inside the process are asked together
	}{"transforms": {Rewrite, false, 1}, "guards": {Guard, false, 2}, "gates": {Guard, true, 1}} {
		ctx, cancel := context.WithCancel(t.Context())
		asked := 0
		leave := HandlerFunc(func(context.Context, *Event) (Answer, error) { asked++; cancel(); return Answer{}, nil })
		var h Handler = leave
		if c.gates {
			h = gate{leave}
		}
		v := engine(t, Hook{May: c.may, Handler: h}, Hook{May: c.may, Handler: h}, Hook{ID: "later", May: Observe, Handler: leave}).
			Dispatch(ctx, &Event{Kind: PreToolUse, Tool: &ToolCall{Name: "shell", Confirm: true}})
		if asked != c.most || !v.Canceled || v.Proceed() || v.Decision != None {
			t.Errorf("%s: asked %d times, %v", name, asked, v)
		}
	}
}

// A failure of a caller's deadline is no cancellation: hooks that guard deny.
func TestADeadlineIsNoCancellation(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	late := HandlerFunc(func(ctx context.Context, _ *Event) (Answer, error) { return Answer{}, context.DeadlineExceeded })
	if v := engine(t, Hook{May: Guard, Handler: late}).Dispatch(ctx, call(nil)); v.Canceled || v.Decision != Deny ||
		v.Runs[0].Code != CodeTimeout {
		t.Errorf("%v, %+v", v, v.Runs)
	}
	if v := engine(t, Hook{May: Guard, Handler: late}).Dispatch(t.Context(), call(nil)); v.Decision != Deny || v.Runs[0].Code != CodeTimeout {
		t.Errorf("%v, %+v", v, v.Runs)
	}
}

// What a verdict says of the event is its own: nothing of a later dispatch shows.
func TestVerdictsAreTheirOwn(t *testing.T) {
	type key struct{}
	e := engine(t, Hook{ID: "a", May: Rewrite, Handler: appendTo("command", "+")}, Hook{ID: "b", May: Guard,
		Handler: HandlerFunc(func(_ context.Context, ev *Event) (Answer, error) {
			return Answer{Diagnostics: []string{ev.Memo(key{}, func() any { return command(ev) }).(string)}}, nil
		})})
	var all []*Verdict
	for i := range 5 {
		ev := call(map[string]any{"command": fmt.Sprint(i)})
		all = append(all, e.Dispatch(t.Context(), ev))
		if command(ev) != fmt.Sprint(i) || ev.Tool.Action.Command != "" {
			t.Errorf("the caller's event was changed: %+v", ev.Tool)
		}
	}
	for i, v := range all {
		if want := fmt.Sprint(i, "+"); command(v.Event) != want || v.Event.Tool.Action.Command != want || v.Diagnostics[0] != want ||
			v.Event.memo != nil || v.Event.Outcome != nil {
			t.Errorf("%d: %+v, %v", i, v.Event.Tool, v.Diagnostics)
		}
	}
	out := "short"
	e = engine(t, Hook{On: []Kind{PostToolUse}, May: Rewrite, Handler: say(Answer{Output: &out})})
	one := e.Dispatch(t.Context(), &Event{Kind: PostToolUse, Tool: &ToolCall{Name: "a", Output: "long", Done: true}})
	e.Dispatch(t.Context(), &Event{Kind: PostToolUse, Tool: &ToolCall{Name: "b", Output: "other", Done: true}})
	if one.Event.Tool.Name != "a" || one.Event.Tool.Output != "short" {
		t.Errorf("%+v", one.Event.Tool)
	}
}

// Hooks of one dispatch share what they compute, those inside the process are
// asked once beside programs that wait, and what nobody rewrote stays as it is.
func TestHooksShareADispatch(t *testing.T) {
	type key struct{}
	computed := 0
	h := HandlerFunc(func(_ context.Context, ev *Event) (Answer, error) {
		ev.Memo(key{}, func() any { computed++; return nil })
		return Answer{}, nil
	})
	ev := withCommand()
	v := engine(t, Hook{May: Guard, Handler: h}, Hook{May: Guard, Handler: h}).Dispatch(t.Context(), ev)
	if computed != 1 || v.Event != ev {
		t.Errorf("computed %d times, %p is %p", computed, v.Event, ev)
	}
	asked := 0
	count := HandlerFunc(func(context.Context, *Event) (Answer, error) { asked++; return Answer{}, nil })
	engine(t, Hook{May: Guard, Handler: waiting{pass}}, Hook{May: Guard, Handler: count}).Dispatch(t.Context(), ev)
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	// Where events are there to be rewritten, each sees what the one before it made.
	var saw []string
	add := func(s string) Handler {
		return waiting{func(_ context.Context, ev *Event) (Answer, error) {
			saw = append(saw, command(ev))
			return toCommand(command(ev) + s), nil
		}}
	}
	ev = withCommand()
	ev.Kind = ToolInputTransform
	on := []Kind{ToolInputTransform}
	v = engine(t, Hook{On: on, May: Guard, Handler: add("1")}, Hook{On: on, May: Guard, Handler: add("2")}).Dispatch(t.Context(), ev)
	if !strings.HasPrefix(strings.Join(saw, " "), "x x1") || v.Input["command"] != "x12" {
		t.Errorf("%v, %v", saw, v.Input)
	}
	out := "new"
	v = engine(t, Hook{On: []Kind{AfterLLMCall}, May: Guard, Handler: say(Answer{Output: &out})}).
		Dispatch(t.Context(), &Event{Kind: AfterLLMCall, Model: &ModelCall{Messages: []any{"m"}, Response: "old"}})
	if m := v.Event.Model; m.Response != "new" || len(m.Messages) != 1 {
		t.Errorf("%+v", m)
	}
}

type perhapsEarly struct {
	HandlerFunc
	is bool
}

func (e perhapsEarly) Early() bool { return e.is }

// What a hook may do says when it runs, unless its handler is early.
func TestPhases(t *testing.T) {
	for want, h := range map[Phase]Hook{Guards: {May: Guard, Handler: perhapsEarly{pass, false}}, Observers: {May: Contextual, Handler: pass},
		Transforms: {May: Guard, Handler: perhapsEarly{pass, true}}, Gates: {May: Grant, Handler: gate{pass}}} {
		if got := engine(t, h).Dispatch(t.Context(), call(nil)).Runs[0].Phase; got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
	e := engine(t, Hook{May: Guard, Handler: pass})
	for kind, want := range map[Kind]bool{PreToolUse: true, PostToolUse: false, Kind(len(catalogue)): false, 250: false} {
		if e.Has(kind) != want {
			t.Errorf("%v: %v", kind, !want)
		}
	}
	if v := engine(t, Hook{On: []Kind{Stop}, May: Guard, Handler: pass}).Dispatch(t.Context(), &Event{Kind: PreToolUse}); v.Decision != None {
		t.Errorf("without a tool: %v", v)
	}
}

// What a person has agreed to is in our own words, the rest of an untrusted
// answer is a quotation.
func TestAnswersOfUntrustedGates(t *testing.T) {
	for approval, quoted := range map[string]bool{"a1": false, "": true} {
		h := Hook{ID: "g", May: Grant, Source: Source{Untrusted: true},
			Handler: gate{say(Answer{Decision: Allow, Reason: "agreed", Approval: approval}).(HandlerFunc)}}
		if v := engine(t, h).Dispatch(t.Context(), call(nil)); (v.Reason != "agreed") != quoted || v.Decision != Allow {
			t.Errorf("%q: %v", approval, v)
		}
	}
	if got := quotable("a\n\n  \tb"); got != "a b" {
		t.Errorf("%q", got)
	}
}

// A rewrite that changes nothing is no rewrite: nobody is asked again.
func TestRewritesThatChangeNothing(t *testing.T) {
	for _, c := range rewritten {
		text := c.text(c.event())
		asked := 0
		count := HandlerFunc(func(context.Context, *Event) (Answer, error) { asked++; return c.answer(text), nil })
		ev := c.event()
		ev.Kind = c.kind
		v := engine(t, Hook{ID: "a", On: []Kind{c.kind}, May: Guard, Handler: count},
			Hook{ID: "b", On: []Kind{c.kind}, May: Guard, Handler: count}).Dispatch(t.Context(), ev)
		if asked != 2 || len(v.Failures()) > 0 {
			t.Errorf("%v: asked %d times, %v", c.kind, asked, v.Failures())
		}
	}
	// Also of what is no part of the event: it is known from the rewrite before.
	empty := ""
	for name, c := range map[string]struct {
		kind   Kind
		answer Answer
	}{
		"argument of a prompt":  {UserPromptSubmit, Answer{Input: map[string]any{"x": 1}}},
		"prompt without one":    {UserPromptSubmit, Answer{Input: map[string]any{"prompt": "x"}}},
		"messages without any":  {BeforeLLMCall, Answer{Input: map[string]any{"messages": []any{"x"}}}},
		"null":                  {BeforeLLMCall, Answer{Input: map[string]any{"x": nil}}},
		"output without a tool": {AfterLLMCall, Answer{Output: &empty}},
	} {
		asked := 0
		h := HandlerFunc(func(context.Context, *Event) (Answer, error) { asked++; return c.answer, nil })
		v := engine(t, Hook{On: []Kind{c.kind}, May: Guard, Handler: h}).Dispatch(t.Context(), &Event{Kind: c.kind})
		if asked != 2 || len(v.Failures()) > 0 {
			t.Errorf("%s: asked %d times, %v", name, asked, v.Failures())
		}
	}
	// One that changes nothing does not keep another from changing the same.
	same := func(_ context.Context, ev *Event) (Answer, error) { return toCommand(command(ev)), nil }
	v := engine(t, Hook{ID: "a", May: Guard, Handler: waiting{same}},
		Hook{ID: "b", May: Guard, Handler: waiting{say(toCommand("y")).(HandlerFunc)}}).Dispatch(t.Context(), withCommand())
	if v.Input["command"] != "y" || len(v.Failures()) > 0 {
		t.Errorf("%v, %v", v.Input, v.Failures())
	}
}

// Guards that keep rewriting are stopped; those that do not are heard.
func TestGuardsThatDoNotRest(t *testing.T) {
	e := engine(t, Hook{ID: "restless", May: Guard, Handler: appendTo("command", "+")},
		Hook{ID: "calm", May: Guard, Handler: say(Answer{Context: []string{"calm"}})})
	v := e.Dispatch(t.Context(), withCommand())
	if v.Decision != Deny || len(v.Runs) == 0 {
		t.Fatalf("%v", v)
	}
	for i := range v.Runs {
		if r := &v.Runs[i]; (r.Code == CodeUnstable) && r.Hook.ID != "restless" || r.Hook.ID == "calm" && r.Code != "" {
			t.Errorf("%s: %s", r.Hook.ID, r.Code)
		}
	}
}

// What a hook did before it failed stays on record.
func TestAFailureKeepsItsDiagnostics(t *testing.T) {
	broken := HandlerFunc(func(context.Context, *Event) (Answer, error) {
		return Answer{}, &Failure{Code: CodeCrash, Detail: "exit 1", Diagnostics: []string{"half done"}}
	})
	if v := engine(t, Hook{May: Guard, Handler: broken}).Dispatch(t.Context(), call(nil)); strings.Join(v.Diagnostics, "") != "half done" {
		t.Errorf("%v", v.Diagnostics)
	}
	trace := &Trace{Input: "sha256:i"}
	for err, want := range map[error]Code{errors.New("x"): CodeError, Fail(CodeCrash, "x"): CodeCrash, fmt.Errorf("w: %w",
		Fail(CodeInput, "x")): CodeInput} {
		if f := Traced(err, trace); f.Code != want || f.Trace != trace || f.Detail == "" {
			t.Errorf("%v: %+v", err, f)
		}
	}
}

// nested is a handler that may stand in a child engine under the same id.
type nested struct{ HandlerFunc }

func (nested) Nests() bool { return true }

func TestNestedHooksOfAChild(t *testing.T) {
	h := Hook{ID: "n", On: []Kind{PreToolUse}, May: Guard, Handler: nested{pass}}
	child, err := engine(t, h).Child(h, h)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, h := range child.Hooks() {
		ids = append(ids, h.ID)
	}
	if strings.Join(ids, " ") != "n n.2 n.3" {
		t.Errorf("%v", ids)
	}
}

// An event that somebody looks at before the dispatch shares what was computed.
func TestPreparedEvents(t *testing.T) {
	type key struct{}
	ev := &Event{Tool: &ToolCall{Name: "run", Input: map[string]any{"command": "ls"}}}
	computed := 0
	value := func() any { computed++; return computed }
	ev.Memo(key{}, value)
	ev.Memo(key{}, value)
	if computed != 2 {
		t.Errorf("computed %d times without anything to keep it in", computed)
	}
	before := ev.Tool
	ev.Prepare()
	if ev.Tool.Action.Command != "ls" || before.Action.Command != "" {
		t.Errorf("%+v, %+v", ev.Tool.Action, before.Action)
	}
	first := ev.Memo(key{}, value)
	if other := ev.Memo("other", value); other == first || ev.Memo(key{}, value) != first {
		t.Errorf("%v, %v", first, other)
	}
	tool := ev.Tool
	ev.Prepare()
	if ev.Tool != tool || ev.Memo(key{}, value) != first {
		t.Error("prepared again")
	}
	(&Event{}).Prepare()
}
