package cli

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func printed(width int, rows ...[]string) []string {
	var out bytes.Buffer
	c := NewColumns(&out, rows[0]...)
	c.width = width
	for _, row := range rows[1:] {
		c.Add(row)
	}
	c.Flush()
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// use.md, friction 6: a table fits the terminal. Ids are never cut, so that they can be copied.
func TestTableFits(t *testing.T) {
	id, does, source := "ask-before-an-open-shell", strings.Repeat("ä", 90), strings.Repeat("s", 50)
	for _, width := range []int{0, 40, 80, 100, 120, 500} {
		lines := printed(width, []string{"ID", "DOES", "SOURCE"}, []string{id, does, source}, []string{"x", "y"})
		if len(lines) != 3 || !strings.HasPrefix(lines[1], id+"  ä") || strings.HasSuffix(lines[2], " ") {
			t.Errorf("at %d: %q", width, lines)
		}
		whole := strings.Contains(lines[1], does) && strings.Contains(lines[1], source)
		if whole != (width == 0 || width == 500) {
			t.Errorf("at %d: %q", width, lines[1])
		}
		if got := utf8.RuneCountInString(lines[1]); width > 0 && got > width {
			t.Errorf("at %d: %d columns, %q", width, got, lines[1])
		}
	}
	if got := printed(3, []string{"WHAT"}, []string{"abcdefghij"}); got[1] != "abcdefg…" {
		t.Errorf("cut to nothing: %q", got)
	}
}

// The end of a place says the most.
func TestTableCutsPlacesInTheMiddle(t *testing.T) {
	got := printed(36, []string{"ID", "WHAT", "PROJECT"},
		[]string{"x", "abcdefghijklmnopqrstuvwxyz", "user /home/me/.config/trammel/trammel.yaml:12"})
	if got[1] != "x   abcdefghijklmn…  use…mel.yaml:12" {
		t.Errorf("%q", got)
	}
}

// On 80 columns the columns that matter least are left out before texts are cut
// to nothing.
func TestTableLeavesOut(t *testing.T) {
	rows := [][]string{{"SEQ", "TIME", "HOST", "EVENT", "TOOL", "DECISION", "WHAT"},
		{"1", "11-18 03:17:43", "claude-code", "pre_tool_use", "Bash", "deny", strings.Repeat("word ", 20)}}
	if got := strings.Fields(printed(80, rows...)[0]); slices.Contains(got, "HOST") || !slices.Contains(got, "EVENT") {
		t.Errorf("at 80: %q", got)
	}
	if got := strings.Fields(printed(100, rows...)[0]); len(got) != len(rows[0]) {
		t.Errorf("at 100: %q", got)
	}
}

// Rows that arrive later may be wider than the first ones.
func TestTableGrows(t *testing.T) {
	var out bytes.Buffer
	c := NewColumns(&out, "SEQ", "TOOL", "WHAT")
	c.width = 80
	for _, row := range [][]string{{"1", "Bash", "ls"}, {"2", "mcp__files__read", "/etc/hosts"}} {
		c.Add(row)
		c.Flush()
	}
	if got := out.String(); !strings.HasSuffix(got, "2    mcp__files__read  /etc/hosts\n") {
		t.Errorf("%q", got)
	}
}

// What a model, a project or a person wrote is one line of visible text in a cell: it
// neither moves nor colors the others.
func TestCellsAreVisible(t *testing.T) {
	for cell, want := range map[string]string{
		"a\x1b[32mallow\x1b[0m": "a<U+001B>[32mallow<U+001B>[0m", "\x1b]0;title\a": "<U+001B>]0;title<U+0007>", "a\r\nb": "a<U+000D><U+000A>b",
		"\u202eevil": "<U+202E>evil", "\u009b31m": "<U+009B>31m", "Gänse": "Gänse", "a\xff": "a<0xFF>",
	} {
		if got := printed(0, []string{"WHAT", "NEXT"}, []string{cell, "x"}); len(got) != 2 || got[1] != want+"  x" {
			t.Errorf("%q is printed as %q", cell, got)
		}
	}
	if got := Message(errors.New("no \x1b[31mrules\u202e")); got != "no <U+001B>[31mrules<U+202E>" {
		t.Errorf("%q", got)
	}
}
