package shorten

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

func TestTruncateCases(t *testing.T) { policysuite.Run(t, Truncate(), "testdata/truncate/cases.yaml") }

func truncater(t *testing.T, options string) trammel.Handler {
	t.Helper()
	h, err := Truncate().New(policysuite.Spec(options))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func output(session, output string) *trammel.Event {
	return &trammel.Event{Kind: trammel.PostToolUse, Session: trammel.Session{ID: session}, Tool: &trammel.ToolCall{Name: "Bash", Done: true,
		Output: output}}
}

// FIM-42: whatever the text and the part, the result has the promised number
// of characters at most, is cut between characters, names a file with every
// byte of the original, and is not cut again.
func TestFIM42TruncationLosesNothing(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("LocalAppData", t.TempDir())
	r := rand.New(rand.NewPCG(1, 2))
	texts := map[string]string{
		"ascii":    strings.Repeat("0123456789abcdef\n", 1000),
		"wide":     strings.Repeat("日本語のテキスト", 2000),
		"emoji":    strings.Repeat("👩‍🚀é", 3000),
		"invalid":  strings.Repeat("\xff\xc3(\xe2\x82", 5000),
		"one line": strings.Repeat("x", 1<<20),
	}
	var mixed strings.Builder
	for range 9000 {
		mixed.WriteRune(rune(r.IntN(0x3000) + 1))
	}
	texts["mixed"] = mixed.String()
	for name, text := range texts {
		for _, part := range []string{"head", "tail", "both"} {
			for _, limit := range []int{1000, 8000} {
				h := truncater(t, fmt.Sprintf(`{"characters":%d,"part":%q}`, limit, part))
				a, err := h.Handle(context.Background(), output("s", text))
				if err != nil || a.Output == nil {
					t.Fatalf("%s %s: %v", name, part, err)
				}
				out := *a.Output
				if n := utf8.RuneCountInString(out); n > limit || n < limit-8 {
					t.Errorf("%s %s: %d characters, want %d", name, part, n, limit)
				}
				if utf8.ValidString(text) && !utf8.ValidString(out) {
					t.Errorf("%s %s: a character was cut", name, part)
				}
				path := a.Findings[0].Target
				if !strings.Contains(out, path) {
					t.Errorf("%s %s: the file is not named", name, part)
				}
				if whole, err := os.ReadFile(path); err != nil || string(whole) != text {
					t.Errorf("%s %s: the file holds %d bytes of %d: %v", name, part, len(whole), len(text), err)
				}
				before, _, _ := strings.Cut(out, "\n\n[")
				_, after, _ := strings.Cut(out, "]\n\n")
				if part != "tail" && !strings.HasPrefix(text, before) || part != "head" && !strings.HasSuffix(text, after) {
					t.Errorf("%s %s: what is left is no part of the original", name, part)
				}
				if again, _ := h.Handle(context.Background(), output("s", out)); again.Output != nil {
					t.Errorf("%s %s: it was cut again", name, part)
				}
			}
		}
	}
}

// FIM-42: where the whole cannot be kept, nothing is cut and a person is told.
func TestFIM42WhatCannotBeKeptIsNotCut(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	t.Setenv("LocalAppData", dir)
	if err := os.WriteFile(filepath.Join(dir, "trammel"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := truncater(t, `{}`).Handle(context.Background(), output("s", strings.Repeat("x", 9000)))
	if err != nil || a.Output != nil || !strings.Contains(a.Notice, "was not shortened") || a.Findings[0].Code != "output_not_kept" {
		t.Errorf("got %+v, %v", a, err)
	}
}

func TestFIM42SessionEndCleansUp(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("LocalAppData", t.TempDir())
	h := truncater(t, `{}`)
	path := map[string]string{}
	for _, session := range []string{"one", "two"} {
		a, err := h.Handle(context.Background(), output(session, strings.Repeat("x", 9000)))
		if err != nil {
			t.Fatal(err)
		}
		path[session] = a.Findings[0].Target
	}
	if _, err := h.Handle(context.Background(), &trammel.Event{Kind: trammel.SessionEnd, Session: trammel.Session{ID: "one"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path["one"]); err == nil {
		t.Error("the file of the session that ended is still there")
	}
	if _, err := os.Stat(path["two"]); err != nil {
		t.Error(err)
	}
}

func BenchmarkShortOutput(b *testing.B) {
	h, _ := Truncate().New(policysuite.Spec(""))
	ev := output("s", strings.Repeat("x", 7000))
	b.ReportAllocs()
	for b.Loop() {
		h.Handle(context.Background(), ev)
	}
}
