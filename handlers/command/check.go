package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/clip"
	"github.com/trammel-dev/trammel/internal/procgroup"
	"github.com/trammel-dev/trammel/internal/secret"
)

// maxReason limits how much of a check's output the model sees. It sees the end,
// where programs report errors.
const maxReason = 4 << 10

// judge returns the answer of a check: no opinion if the program succeeded, else
// a denial with the end of its output. The output has no other meaning, so any
// program can be a check.
func (h *handler) judge(r procgroup.Result) trammel.Answer {
	ended := fmt.Sprintf("exit code %d", r.Exit)
	switch {
	case r.Signal != "":
		ended = "signal " + r.Signal
	case r.Exit == 0:
		return trammel.Answer{}
	}
	reason := h.name() + " failed (" + ended + ")"
	if end := said(r); end != "" {
		reason += ":\n" + end
	}
	return trammel.Answer{Decision: trammel.Deny, Reason: reason, Findings: []trammel.Finding{{Code: "check_failed", Severity: "error"}}}
}

// unfinished is the failure of a check that was ended: which one it is, and what it said last.
func (h *handler) unfinished(r procgroup.Result, err error) error {
	var f *trammel.Failure
	if !errors.As(err, &f) {
		return err
	}
	what := "was ended"
	switch f.Code {
	case trammel.CodeTimeout:
		what = "did not end in time"
	case trammel.CodeOversized:
		what = "printed too much"
	}
	if end := said(r); end != "" {
		return trammel.Fail(f.Code, "%s %s. The end of its output:\n%s\n", h.name(), what, end)
	}
	return trammel.Fail(f.Code, "%s %s", h.name(), what)
}

// name is the check as a person knows it.
func (h *handler) name() string {
	line, _ := secret.Redact(h.Run)
	return "`" + firstLine(line) + "`"
}

// said is the end of what a check printed.
func said(r procgroup.Result) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(r.Stdout), ""))
	text, _ = secret.Redact(text) // before cutting, because half a secret is not recognized
	return lastLines(text, maxReason)
}

// firstLine is a command line, shortened for a message.
func firstLine(line string) string {
	line, _, more := strings.Cut(strings.TrimSpace(line), "\n")
	if cut := 80; len(line) > cut {
		line, more = strings.ToValidUTF8(line[:cut], ""), true
	}
	if more {
		line += "…"
	}
	return line
}

// lastLines returns the end of a text, starting with a whole line if possible.
func lastLines(text string, most int) string {
	if len(text) <= most {
		return text
	}
	text = clip.End(text, most)
	if _, whole, found := strings.Cut(text, "\n"); found {
		text = whole
	}
	return "…\n" + text
}
