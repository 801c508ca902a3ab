package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// MaxErrors is how many errors are reported in full; further ones are only counted.
const MaxErrors = 20

// Error is one mistake in a file.
type Error struct {
	File     string
	Line     int // counted from 1
	Column   int // in characters, counted from 1
	Message  string
	Found    string // what was found
	Expected string // what is valid there
	Code     string // OutdatedFinding, or "" for an ordinary error
	Text     string // the line, or the part of a long one around the column

	caret int // the column in Text
}

// Error prints the position and the message, then the line with a caret under
// the offending text, then what was found and expected.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
	number := fmt.Sprintf("%5d", e.Line)
	fmt.Fprintf(&b, "\n%s | %s", number, e.Text)
	fmt.Fprintf(&b, "\n%s | %s^", strings.Repeat(" ", len(number)), indent(e.Text, e.caret))
	if c := e.contrast(); c != "" {
		b.WriteString(" " + c)
	}
	return b.String()
}

// Brief is the error in one line, without its position.
func (e *Error) Brief() string {
	if c := e.contrast(); c != "" {
		return e.Message + " (" + c + ")"
	}
	return e.Message
}

// contrast is what was found and what was expected.
func (e *Error) contrast() string {
	switch {
	case e.Expected == "" && e.Found == "":
		return ""
	case e.Expected == "":
		return "found " + e.Found
	case e.Found == "":
		return "expected " + e.Expected
	}
	return "found " + e.Found + ", expected " + e.Expected
}

// indent is as wide as the text before a column, tabs included.
func indent(text string, column int) string {
	var b strings.Builder
	for _, r := range text {
		if column--; column < 1 {
			break
		}
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Errors are all mistakes, in the order of files and lines.
type Errors struct {
	List []*Error
	More int // how many were left out
}

func (e *Errors) Error() string {
	var b strings.Builder
	for i, one := range e.List {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(one.Error())
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "\nand %d more", e.More)
	}
	return b.String()
}

// PartError is what PrepareKind returns to say exactly where a declaration is
// wrong.
type PartError struct {
	Part     string // when, reason, text, output, input.NAME, run, exec, dialect, …
	Line     int    // in the text of the part, from 1; zero if it is about the whole
	Column   int    // from 1
	Message  string
	Expected string
}

func (e *PartError) Error() string { return e.Part + ": " + e.Message }

// collector collects errors, and only counts those beyond the limit.
type collector struct {
	kept  []*Error
	total int
}

func (c *collector) add(e *Error) {
	if c.total++; len(c.kept) < MaxErrors {
		c.kept = append(c.kept, e)
	}
}

func (c *collector) list() error {
	if c.total == 0 {
		return nil
	}
	files := map[string]int{}
	for _, e := range c.kept {
		if _, seen := files[e.File]; !seen {
			files[e.File] = len(files)
		}
	}
	slices.SortStableFunc(c.kept, func(a, b *Error) int {
		return cmp.Or(files[a.File]-files[b.File], a.Line-b.Line, a.Column-b.Column)
	})
	return &Errors{List: c.kept, More: c.total - len(c.kept)}
}
