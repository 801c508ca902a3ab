package shorten

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
)

// Limit declares limit_large_tool_results, docker-agent's built-in of that name
// (DA-50): of a result that is too large in bytes or in lines the model gets
// the end, or of a file the beginning and where to go on.
func Limit() trammel.Policy {
	return option.Policy("limit_large_tool_results", trammel.Rewrite,
		"gives the model the end of very large tool results, keeps the full text in a file and names the file",
		limits{Bytes: 50 << 10, Lines: 2000, Store: 256 << 20}, newLimit,
		trammel.ToolResponseTransform, trammel.PostToolUse, trammel.SessionEnd)
}

type limits struct {
	Bytes option.Size `json:"bytes,omitempty" jsonschema:"How large a result may be; the model gets no more, the remark about the rest included."`
	Lines int         `json:"lines,omitempty" jsonschema:"How many lines a result may have; the model gets no more, the remark about the rest included."`
	Store option.Size `json:"store,omitempty" jsonschema:"How much of a session's full results is kept; the oldest are removed first."`
}

func newLimit(l limits, spec trammel.Spec) (trammel.Handler, error) {
	if l.Bytes < 4<<10 || l.Lines < 10 {
		return nil, &option.Error{Message: fmt.Sprintf("found %d bytes and %d lines", l.Bytes, l.Lines), Expected: "4KiB and 10 lines at least"}
	}
	return &handler{&l, "result", "limited", spec.Dirs, l.Store}, nil
}

func (l *limits) over(text string) string {
	if len(text) <= int(l.Bytes) && (len(text) <= l.Lines || lines(text) <= l.Lines) {
		return ""
	}
	return fmt.Sprintf("has %d bytes and was not limited", len(text))
}

func (l *limits) cut(call *trammel.ToolCall, path string) string {
	if a := &call.Action; a.Kind == trammel.ReadAction && a.Command == "" {
		return l.head(call.Output, path, firstLine(call.Input))
	}
	return l.tail(call.Output, path)
}

// The remark about the rest is one line, and is included in the limits, so that
// the next hook or event does not shorten the result again.
const remarkBytes = 512

// lines counts lines, including an unterminated last one.
func lines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// space is how much of a result can be shown in addition to the remark.
func (l *limits) space(path string) int { return max(0, int(l.Bytes)-remarkBytes-len(path)) }

// tail is the end of a result: whole lines if there are any.
func (l *limits) tail(text, path string) string {
	at, space := len(text), l.space(path)
	for n := 0; n < l.Lines-1; n++ {
		begin := strings.LastIndexByte(text[:max(0, at-1)], '\n') + 1
		if len(text)-begin > space || at == 0 {
			break
		}
		at = begin
	}
	if at == len(text) { // one line is too long by itself
		at = len(text) - space
		for at < len(text) && !utf8.RuneStart(text[at]) {
			at++
		}
	}
	return fmt.Sprintf("[Only the last %d of %d bytes of this result are shown, %d of %d lines. All of it is in %s; read or search there for "+
		"the rest.]\n%s",
		len(text)-at, len(text), lines(text[at:]), lines(text), path, text[at:])
}

// head is the beginning of a file that was read from line first on.
func (l *limits) head(text, path string, first int) string {
	at, n, space := 0, 0, l.space(path)
	for n < l.Lines-1 {
		size := strings.IndexByte(text[at:], '\n') + 1
		if size == 0 || at+size > space {
			break
		}
		at += size
		n++
	}
	goOn := fmt.Sprintf("To read on, start at line %d", first+n)
	if at == 0 { // one line is too long by itself
		at = space
		for at > 0 && !utf8.RuneStart(text[at]) {
			at--
		}
		goOn = fmt.Sprintf("Line %d is longer than that", first)
	}
	return fmt.Sprintf("[Only the first %d of %d bytes of this result are shown, %d of %d lines. %s; all of it is in %s.]\n%s",
		at, len(text), lines(text[:at]), lines(text), goOn, path, text[:at])
}

// firstLine is where a tool began to read, if its arguments say so.
func firstLine(input map[string]any) int {
	for _, name := range [...]string{"offset", "start_line", "line"} {
		switch n := input[name].(type) {
		case int64:
			return int(max(1, n))
		case float64:
			return int(max(1, n))
		}
	}
	return 1
}
