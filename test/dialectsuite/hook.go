package dialectsuite

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Both is a dialect that hosts speak and that hook programs are written for.
type Both interface {
	trammel.HostDialect
	trammel.HookDialect
}

// Stdout is a program that wrote this and ended well.
func Stdout(s string) trammel.Output { return trammel.Output{Stdout: []byte(s)} }

// Said is what a program said about an event, and what that means, or the code
// of the failure that it is.
type Said = struct {
	Kind   trammel.Kind
	Out    trammel.Output
	Want   trammel.Answer
	Failed trammel.Code
}

// Answers checks what answers of hook programs mean. event makes an event of a
// kind; also, if given, checks each answer further.
func Answers(t *testing.T, d trammel.HookDialect, event func(trammel.Kind) *trammel.Event, cases map[string]Said,
	also ...func(t *testing.T, kind trammel.Kind, got *trammel.Answer)) {
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := d.DecodeAnswer(event(c.Kind), c.Out)
			if c.Failed != "" {
				if trammel.CodeOf(err) != c.Failed {
					t.Errorf("got %+v, %v, want a failure with code %s", got, err, c.Failed)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, c.Want) {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, c.Want)
			}
			for _, check := range also {
				check(t, c.Kind, &got)
			}
		})
	}
}

// Foreign is another host's call: what has to be in the payload, and what a
// rewrite of its arguments is in the host's own terms.
type Foreign = struct {
	Tool   trammel.ToolCall
	Want   string
	Update string
	Patch  map[string]any
	Failed trammel.Code
}

// ForeignCalls checks that a hook program sees another host's call in the words
// that it knows, and that what it rewrites comes back in the host's own. ev is
// the event without its call, holds are parts of every payload, and answer has
// %s for the arguments.
func ForeignCalls(t *testing.T, d Both, ev trammel.Event, holds []string, answer string, cases map[string]Foreign) {
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			ev := ev
			ev.Kind, ev.Host, ev.Tool, ev.Fields = trammel.PreToolUse, "elsewhere", &c.Tool, maps.Clone(ev.Fields)
			raw := Holds(t, d, &ev, append(holds, c.Want, `"extra":"kept"`)...)
			if again, err := d.DecodeEvent(raw, ""); err != nil || again.Kind != ev.Kind || again.Session.Bypass != ev.Session.Bypass {
				t.Errorf("not what %s would send: %+v, %v", d.Name(), again.Session, err)
			}
			a, err := d.DecodeAnswer(&ev, Stdout(fmt.Sprintf(answer, c.Update)))
			if c.Failed != "" {
				if trammel.CodeOf(err) != c.Failed {
					t.Errorf("got %v, want code %s", err, c.Failed)
				}
			} else if err != nil || !reflect.DeepEqual(a.Input, c.Patch) {
				t.Errorf("got the patch %v, %v, want %v", a.Input, err, c.Patch)
			}
		})
	}
}

// Holds checks that the payload of an event holds these parts, and returns it.
func Holds(t *testing.T, d trammel.HookDialect, ev *trammel.Event, parts ...string) []byte {
	t.Helper()
	ev.Prepare()
	raw, err := d.EncodeEvent(ev)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		if !strings.Contains(string(raw), part) {
			t.Errorf("%s\ndoes not hold %s", raw, part)
		}
	}
	return raw
}

// Ceilings checks how much hook programs of a dialect may do.
func Ceilings(t *testing.T, d trammel.HookDialect, want map[trammel.Kind]trammel.Authority) {
	t.Helper()
	for kind, want := range want {
		if got := d.Ceiling(kind); got != want {
			t.Errorf("%v: %v, want %v", kind, got, want)
		}
	}
}

// EventIsThePayload checks that an event of this host goes to a hook program as
// it came. clean, if set, removes from both what need not be the same.
func EventIsThePayload(t *testing.T, d Both, clean func(map[string]any)) {
	for _, p := range Payloads(t) {
		ev, err := d.DecodeEvent(p.Raw, "")
		if err != nil {
			t.Fatal(err)
		}
		out, err := d.EncodeEvent(ev)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := Plain(t, out, clean), Plain(t, p.Raw, clean); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", p.Label, got, want)
		}
	}
}

// NoNulls removes what is null.
func NoNulls(object map[string]any) {
	maps.DeleteFunc(object, func(_ string, value any) bool { return value == nil })
}

// Plain is a payload in canonical form.
func Plain(t *testing.T, raw []byte, clean func(map[string]any)) string {
	t.Helper()
	object, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if clean != nil {
		clean(object)
	}
	text, err := canonical.Append(nil, object)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// FuzzAnswers checks that whatever a program says is an answer or a failure of
// the program, and that exit code 2 always denies. also, if given, checks each
// answer further.
func FuzzAnswers(f *testing.F, d trammel.HookDialect, event func(trammel.Kind) *trammel.Event, seeds []string,
	also ...func(t *testing.T, kind trammel.Kind, got *trammel.Answer)) {
	for _, s := range append(seeds, "plain", `{"continue":false}`) {
		for _, kind := range []trammel.Kind{trammel.PreToolUse, trammel.Stop, trammel.PermissionRequest, trammel.SessionStart} {
			f.Add([]byte(s), []byte("err"), 0, uint8(kind))
			f.Add([]byte{}, []byte(s), 2, uint8(kind))
		}
	}
	f.Fuzz(func(t *testing.T, out, err []byte, exit int, kind uint8) {
		if int(kind) > len(trammel.Kinds()) {
			return
		}
		ev := event(trammel.Kind(kind))
		a, failure := d.DecodeAnswer(ev, trammel.Output{Stdout: out, Stderr: err, Exit: exit})
		if failure != nil {
			switch trammel.CodeOf(failure) {
			case trammel.CodeCrash, trammel.CodeMalformed, trammel.CodeUnknownField:
			default:
				t.Fatalf("code %s: %v", trammel.CodeOf(failure), failure)
			}
			return
		}
		if exit == 2 && ev.Kind.FailsClosed() && (a.Decision != trammel.Deny || a.Reason == "") {
			t.Fatalf("exit 2 gave %+v", a)
		}
		for _, check := range also {
			check(t, ev.Kind, &a)
		}
	})
}
