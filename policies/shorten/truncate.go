package shorten

import (
	"fmt"
	"unicode/utf8"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
)

// Truncate declares truncate-output (FIM-42): it limits the characters of an output
// that the model gets.
func Truncate() trammel.Policy {
	return option.Policy("truncate-output", trammel.Rewrite, "shortens long tool output, keeps the full text in a file and names the file",
		truncation{Characters: 8000, Part: "head", Store: 256 << 20}, newTruncation,
		trammel.ToolResponseTransform, trammel.PostToolUse, trammel.SessionEnd)
}

type truncation struct {
	Characters int         `json:"characters,omitempty" jsonschema:"How many characters of an output the model gets at most, the remark about the rest included."`
	Part       string      `json:"part,omitempty" enum:"head,tail,both" jsonschema:"Which part of a longer output that is: its beginning, its end, or half of each."`
	Store      option.Size `json:"store,omitempty" jsonschema:"How much of a session's full outputs is kept; the oldest are removed first."`
}

// least is the minimum limit: the remark needs space.
const least = 1000

func newTruncation(t truncation, spec trammel.Spec) (trammel.Handler, error) {
	if t.Characters < least {
		return nil, &option.Error{Key: "characters", Message: fmt.Sprintf("found %d", t.Characters), Expected: fmt.Sprintf("%d or more", least)}
	}
	return &handler{&t, "output", "truncated", spec.Dirs, t.Store}, nil
}

// over first compares the length in bytes, which is never less than the number of
// characters.
func (t *truncation) over(text string) string {
	if len(text) <= t.Characters {
		return ""
	}
	if size := utf8.RuneCountInString(text); size > t.Characters {
		return fmt.Sprintf("has %d characters and was not shortened", size)
	}
	return ""
}

// cut returns the part of an output that the model gets, with a remark in place of
// the rest. The result has at most t.Characters characters.
func (t *truncation) cut(call *trammel.ToolCall, path string) string {
	s, size := call.Output, utf8.RuneCountInString(call.Output)
	remark := func(n int) string {
		return fmt.Sprintf("[%d of %d characters are left out here. The whole output is in %s; read the parts of it that you need.]", n, size,
			path)
	}
	// The number in the remark has no more digits than size.
	space := max(0, t.Characters-utf8.RuneCountInString(remark(size))-2*len("\n\n"))
	note := remark(size - space)
	switch t.Part {
	case "tail":
		return note + "\n\n" + s[back(s, space):]
	case "both":
		return s[:ahead(s, space-space/2)] + "\n\n" + note + "\n\n" + s[back(s, space/2):]
	}
	return s[:ahead(s, space)] + "\n\n" + note
}

// ahead returns where the first n characters of s end; s has more.
func ahead(s string, n int) int {
	at := 0
	for ; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// back returns where the last n characters of s begin.
func back(s string, n int) int {
	at := len(s)
	for ; n > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return at
}
