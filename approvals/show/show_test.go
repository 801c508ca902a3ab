package show_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/store"
)

// All arguments are there, masked, with nothing invisible (APR-15).
func TestArgs(t *testing.T) {
	const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	got := show.Args(json.RawMessage(`{"b":[1,{"c":null}],"amount":60000,"to":"al\u202eice\nx\\","e":{},"token":"` + token + `"}`))
	want := `{
  "amount": 60000,
  "b": [
    1,
    {
      "c": null
    }
  ],
  "e": {},
  "to": "al<U+202E>ice\nx\\",
  "token": "[REDACTED:github-token]"
}`
	if got.Text != want || got.Masked != 1 || got.Hidden != 1 {
		t.Errorf("%+v", got)
	}
	long := show.Args(json.RawMessage(`{"x":"` + strings.Repeat("y", 200_000) + `"}`))
	if len(long.Text) < 200_000 {
		t.Error("arguments were cut")
	}
	if bad := show.Args(json.RawMessage("{\"a\":\x1b" + token)); strings.Contains(bad.Text, token) || strings.Contains(bad.Text, "\x1b") {
		t.Errorf("%q", bad.Text)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
		cut  bool
	}{{"abc", 3, "abc", false}, {"abcdef", 5, "ab…", true}, {"aääää", 6, "aä…", true}, {"abc", 0, "…", true},
		{"\x80\x80\x80\x80\x80", 4, "…", true}} {
		if got, cut := show.Cut(c.text, c.most); got != c.want || cut != c.cut {
			t.Errorf("%q cut to %d is %q", c.text, c.most, got)
		}
	}
}

// One text may be the beginning or the end of the other.
func TestDiff(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"a\nb", "a", " a\n-b\n"}, {"a", "a\nb", " a\n+b\n"}, {"b", "a\nb", "+a\n b\n"}, {"a\nb", "b", "-a\n b\n"},
		{"a", "a", " a\n"}, {"a\nx\nc", "a\ny\nc", " a\n-x\n+y\n c\n"}, {"a", "b", "-a\n+b\n"},
	} {
		got := ""
		for _, line := range show.Diff(c.before, c.after) {
			got += line.Sign + line.Text + "\n"
		}
		if got != c.want {
			t.Errorf("%q to %q: %q, expected %q", c.before, c.after, got, c.want)
		}
	}
}

// An edit is what is shown; votes for something else are not counted as agreed.
func TestOf(t *testing.T) {
	a := &store.Approval{ID: "apr_1", State: store.Pending, Tool: "pay\x1b", Args: json.RawMessage(`{"n":1}`), Digest: "d1", Host: "h",
		Agent: "child", Parents: []string{"main"}, User: "os:1", Hook: "gate", Source: "f:1", Reason: "why\u202e",
		Needs: store.Needs{Factors: []store.Factor{{Approvers: []string{"group:f"}, N: 2}}, Escalate: [][]string{{"boss"}}}, Escalated: 1,
		Votes: []store.Vote{{Approver: "al", Approve: true}, {Approver: "bo", Approve: true, Edit: "d2", Comment: "less\x07"}},
		Edit:  &store.Edit{Args: json.RawMessage(`{"n":2}`), Digest: "d2"}}
	v := show.Of(a)
	for got, want := range map[string]string{
		v.Tool: "pay<U+001B>", v.Digest: approvals.Shown(a), v.Args.Text: "{\n  \"n\": 2\n}", v.Asked.Text: "{\n  \"n\": 1\n}",
		v.Reason: "why<U+202E>",
		v.Asker:  "h, agent child, started by main, for os:1", v.Rule: "gate (f:1)", v.Needs: "2 of group:f, boss",
		v.Status: "Approved by bo, waiting for more, escalated (step 1)", v.Votes[1]: "bo approved: less<U+0007>"} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	by := show.Of(&store.Approval{Host: "h", User: "bo", Account: "os:1"}).Asker // it is said who submits a call for somebody
	alone := show.Of(&store.Approval{Host: "h", User: "os:1", Account: "os:1"}).Asker
	if by != "h, for bo, submitted by os:1" || alone != "h, for os:1" {
		t.Errorf("%q, %q", by, alone)
	}
	if len(v.Remarks()) != 1 || !v.Open {
		t.Errorf("%q", v.Remarks())
	}
}

// Changes of a file are shown below its name, masked and without control over the
// terminal; arguments that cannot be read show none.
func TestFileDiffs(t *testing.T) {
	one := func(name string, lines ...show.Change) []show.FileDiff {
		return []show.FileDiff{{Name: name, Lines: lines}}
	}
	for raw, want := range map[string][]show.FileDiff{
		`{"file_path":"a\u202e","old_string":"x\ny\nz","new_string":"x\nw\nz"}`: one("a<U+202E>", show.Change{Sign: " ", Text: "x↵"},
			show.Change{Sign: "-", Text: "y↵"}, show.Change{Sign: "+", Text: "w↵"}, show.Change{Sign: " ", Text: "z"}),
		`{"path":"b","edits":[{"oldText":"x","newText":"x"}]}`: one("b", show.Change{Sign: " ", Text: "x"}),
		`{"old_str":"p ghp_abcdefghijklmnopqrstuvwxyz0123456789","NEW_STR":""}`: one("",
			show.Change{Sign: "-", Text: "p [REDACTED:github-token]"}, show.Change{Sign: "+", Text: ""}),
		`{"old_string":"x"}`: nil, `{"old_string":"x","new_string":1}`: nil, `{"old_a":"x","new_b":"y"}`: nil,
		`{"old_string":"x","new_string":"y"} and more`: nil, `{"old_string":"x","new_string":"y"`: nil, `[1]`: nil,
	} {
		if got := show.FileDiffs(json.RawMessage(raw)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", raw, got, want)
		}
	}
}

// UI-11: whoever looks at a list sees what would run, also where the agent's
// summary is no more than the name of the tool.
func TestWhatSaysMoreThanTheTool(t *testing.T) {
	args := json.RawMessage(`{"to":"ACME","amount":60000}`)
	for _, c := range []struct {
		a    store.Approval
		want string
	}{
		{store.Approval{Tool: "Bash", Summary: "git push", Args: json.RawMessage(`{"command":"git push"}`)}, "git push"},
		{store.Approval{Tool: "mcp__bank__pay", Summary: "pay", Args: args}, `{ "amount": 60000, "to": "ACME" }`},
		{store.Approval{Tool: "pay", Args: args}, `{ "amount": 60000, "to": "ACME" }`},
		{store.Approval{Tool: "pay", Args: args, Edit: &store.Edit{Args: json.RawMessage(`{"amount":1}`)}}, `{ "amount": 1 }`},
		{store.Approval{Tool: "x", Args: json.RawMessage(`{"a":"` + strings.Repeat("b", 200) + `"}`)}, `{ "a": "` + strings.Repeat("b", 109) +
			"…"},
	} {
		if got := show.What(&c.a); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.a.Tool, c.a.Summary, got, c.want)
		}
	}
}
