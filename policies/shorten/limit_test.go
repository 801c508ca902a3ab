package shorten

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

func TestLimitCases(t *testing.T) { policysuite.Run(t, Limit(), "testdata/limit/cases.yaml") }

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

func result(kind trammel.ActionKind, output string, input map[string]any) *trammel.Event {
	return &trammel.Event{Kind: trammel.ToolResponseTransform, Session: trammel.Session{ID: "s"},
		Tool: &trammel.ToolCall{Name: "x", Done: true, Output: output, Input: input, Action: trammel.Action{Kind: kind}}}
}

// DA-50: whatever is too large is cut at lines if it has any and between
// characters if not, stays within the limits, and is kept whole.
func TestDA50Limits(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("LocalAppData", t.TempDir())
	h, err := Limit().New(policysuite.Spec(""))
	if err != nil {
		t.Fatal(err)
	}
	wide := strings.Repeat("日本", 20000)
	for name, c := range map[string]struct {
		kind  trammel.ActionKind
		text  string
		input map[string]any
		want  []string // what is contained; nothing: it stays
		ends  string
	}{
		"2000 lines":       {trammel.ShellAction, numbered(2000), nil, nil, ""},
		"2001 lines":       {trammel.ShellAction, numbered(2001), nil, []string{"1999 of 2001 lines", "]\nline 3\n"}, "\nline 2001\n"},
		"no last line end": {trammel.ShellAction, numbered(2000) + "end", nil, []string{"1999 of 2001 lines", "]\nline 3\n"}, "\nend"},
		"50 KiB":           {trammel.ShellAction, strings.Repeat("x", 50<<10), nil, nil, ""},
		"one long line":    {trammel.ShellAction, strings.Repeat("x", 50<<10) + "yy", nil, []string{"of 51202 bytes", "1 of 1 lines"}, "xyy"},
		"wide":             {trammel.MCPAction, wide, nil, []string{"1 of 1 lines"}, "日本"},
		"long lines": {trammel.ShellAction, strings.Repeat(strings.Repeat("y", 999)+"\n", 100), nil,
			[]string{"50000 of 100000 bytes", "50 of 100 lines"}, "y\n"},
		"a file": {trammel.ReadAction, numbered(5000), nil, []string{"1999 of 5000 lines", "start at line 2000", "]\nline 1\n"},
			"\nline 1999\n"},
		"a file from 100": {trammel.ReadAction, numbered(5000), map[string]any{"offset": int64(100)}, []string{"start at line 2099"},
			"\nline 1999\n"},
		"a file of no line": {trammel.ReadAction, wide, nil, []string{"Line 1 is longer"}, ""},
		"many empty lines":  {trammel.ShellAction, strings.Repeat("\n", 60000), nil, []string{"1999 of 60000 lines"}, "\n\n"},
		"invalid":           {trammel.ReadAction, strings.Repeat("\x80", 60000), nil, []string{"first 0 of"}, "]\n"},
	} {
		ev := result(c.kind, c.text, c.input)
		a, err := h.Handle(context.Background(), ev)
		if err != nil {
			t.Fatal(err)
		}
		if c.want == nil {
			if a.Output != nil {
				t.Errorf("%s: limited to %.200q", name, *a.Output)
			}
			continue
		}
		if a.Output == nil {
			t.Errorf("%s: not limited", name)
			continue
		}
		out := *a.Output
		for _, part := range c.want {
			if !strings.Contains(out, part) {
				t.Errorf("%s: %q is missing in %.300q", name, part, out)
			}
		}
		if !strings.HasSuffix(out, c.ends) {
			t.Errorf("%s: ends with %q, want %q", name, out[max(0, len(out)-20):], c.ends)
		}
		if utf8.ValidString(c.text) && !utf8.ValidString(out) {
			t.Errorf("%s: a character was cut", name)
		}
		if len(out) > 50<<10 || lines(out) > 2000 {
			t.Errorf("%s: %d bytes and %d lines are left", name, len(out), lines(out))
		}
		if whole, err := os.ReadFile(a.Findings[0].Target); err != nil || string(whole) != c.text {
			t.Errorf("%s: the file holds %d bytes of %d: %v", name, len(whole), len(c.text), err)
		}
		if again, _ := h.Handle(context.Background(), result(c.kind, out, c.input)); again.Output != nil {
			t.Errorf("%s: limited twice", name)
		}
	}
	if _, err := h.Handle(context.Background(), &trammel.Event{Kind: trammel.SessionEnd, Session: trammel.Session{ID: "s"}}); err != nil {
		t.Fatal(err)
	}
	a, _ := h.Handle(context.Background(), result(trammel.ShellAction, numbered(3000), nil))
	if left, _ := os.ReadDir(filepath.Dir(a.Findings[0].Target)); len(left) != 1 {
		t.Errorf("%d files after the end of the session and one more result, want 1", len(left))
	}
}

func TestDA50WhatCannotBeKeptStays(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	t.Setenv("LocalAppData", dir)
	if err := os.WriteFile(filepath.Join(dir, "trammel"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h, _ := Limit().New(policysuite.Spec(""))
	a, err := h.Handle(context.Background(), result(trammel.ShellAction, numbered(9000), nil))
	if err != nil || a.Output != nil || a.Notice == "" || a.Findings[0].Code != "result_not_kept" {
		t.Errorf("got %+v, %v", a, err)
	}
}
