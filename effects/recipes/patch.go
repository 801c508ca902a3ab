package recipes

import (
	"iter"
	"strings"
)

// Patch lists the files that a patch names, and whether it removes them; strip is
// the number of folders that are taken off their names.
func Patch(text, strip string) iter.Seq2[string, bool] {
	depth := 0
	if strip != "" && strip[0] >= '0' && strip[0] <= '9' {
		depth = int(strip[0] - '0')
	}
	return func(yield func(string, bool) bool) {
		old := ""
		for line := range strings.SplitSeq(text, "\n") {
			more := true
			if name, ok := strings.CutPrefix(line, "--- "); ok {
				old = patchName(name, depth)
			} else if name, ok := strings.CutPrefix(line, "rename from "); ok {
				more = yield(name, true)
			} else if name, ok := strings.CutPrefix(line, "rename to "); ok {
				more = yield(name, false)
			} else if name, ok := strings.CutPrefix(line, "+++ "); ok {
				if name = patchName(name, depth); name != "" {
					more = yield(name, false)
				} else if old != "" {
					more = yield(old, true)
				}
			}
			if !more {
				return
			}
		}
	}
}

// patchName takes the name out of a header line of a patch, "" for no file.
func patchName(s string, strip int) string {
	s, _, _ = strings.Cut(s, "\t")
	s = strings.TrimSpace(s)
	if s == "/dev/null" {
		return ""
	}
	for ; strip > 0 && strings.Contains(s, "/"); strip-- {
		_, s, _ = strings.Cut(s, "/")
	}
	return s
}

// AgentPatch is Patch for the patches of coding agents: *** Update File: x.
func AgentPatch(text string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		for line := range strings.Lines(text) {
			head, name, ok := strings.Cut(strings.TrimSpace(line), ":")
			if !ok || !strings.HasPrefix(head, "***") {
				continue
			}
			switch name = strings.TrimSpace(name); strings.ToLower(strings.TrimSpace(head[3:])) {
			case "add file", "update file", "move to":
				ok = yield(name, false)
			case "delete file":
				ok = yield(name, true)
			}
			if !ok {
				return
			}
		}
	}
}
