package evidencecapture

import (
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/internal/flow"
)

// outcome says whether a command passed, according to the host. The command's own
// output can only turn this into a failure, never into a pass: it could print
// anything.
func outcome(ev *trammel.Event) (flow.Result, *int64) {
	t := ev.Tool
	response, _ := t.Response.(map[string]any)
	code, ok := exitCode(response)
	if !ok {
		code, ok = exitCode(ev.Fields)
	}
	if ok {
		return byCode(t.Action.Command, code), &code
	}
	if t.Failed || t.Error != "" || says(response, false, "success", "ok") || says(response, true, "failed", "is_error", "isError",
		"interrupted") {
		if code, ok := printedCode(t.Error); ok {
			return byCode(t.Action.Command, code), &code
		}
		return flow.Failed, nil
	}
	if e, _ := response["error"].(string); e != "" {
		return flow.Failed, nil
	}
	if code, ok := printedCode(t.Output); ok && code != 0 {
		return byCode(t.Action.Command, code), &code
	}
	if reportsFailures(ev.Host) && ev.Kind == trammel.PostToolUse && !says(t.Input, true, "run_in_background", "is_background") {
		return flow.Passed, nil
	}
	return flow.Ambiguous, nil
}

// reportsFailures reports whether a host has a separate event for failed tools, so
// that the ordinary event means success.
func reportsFailures(host string) bool {
	h := standard.Host(host)
	return h != nil && h.Wires(trammel.PostToolFailure)
}

func exitCode(obj map[string]any) (int64, bool) {
	for _, key := range [...]string{"exitCode", "exit_code", "exitcode", "exit", "status", "code", "returnCode", "return_code"} {
		if n, ok := obj[key].(int64); ok {
			return n, true
		}
	}
	return 0, false
}

func says(obj map[string]any, what bool, keys ...string) bool {
	for _, key := range keys {
		if b, ok := obj[key].(bool); ok && b == what {
			return true
		}
	}
	return false
}

// printedCode finds the last "exit code N" in a text, in the spellings that hosts
// use.
func printedCode(text string) (int64, bool) {
	const end = 400 // hosts put it at the beginning or the end
	if len(text) > 2*end {
		text = text[:end] + "\n" + text[len(text)-end:]
	}
	lower := strings.ToLower(text)
	best, code := -1, int64(0)
	for _, words := range [...]string{"exit code ", "exit code: ", "exited with code "} {
		at := strings.LastIndex(lower, words)
		if at < best || at < 0 {
			continue
		}
		rest := lower[at+len(words):]
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		if n, err := strconv.ParseInt(digits, 10, 32); err == nil {
			best, code = at, n
		}
	}
	return code, best >= 0
}

// byCode interprets an exit code. For a bare grep or diff, 1 is not a failure.
func byCode(command string, code int64) flow.Result {
	switch first, _, _ := strings.Cut(strings.TrimSpace(command), " "); {
	case code == 0:
		return flow.Passed
	case code == 1 && (first == "grep" || first == "diff" || first == "rg" || first == "cmp") && !strings.ContainsAny(command, "|;&"):
		return flow.Ambiguous
	}
	return flow.Failed
}
