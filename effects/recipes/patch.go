package recipes

import (
	"iter"
	"strconv"
	"strings"
)

// Patch lists the files that a patch names, and whether it removes them; strip is
// the number of folders that are taken off their names. A binary file and a new
// mode have no other name than that of the line diff --git, and a context diff
// has the new name behind ---.
func Patch(text, strip string) iter.Seq2[string, bool] {
	depth := 0
	if strip != "" && strip[0] >= '0' && strip[0] <= '9' {
		depth = int(strip[0] - '0')
	}
	return func(yield func(string, bool) bool) {
		more, old, section, before := true, "", "", ""
		put := func(name string, removed bool) {
			section = ""
			more = more && (name == "" || yield(name, removed))
		}
		for line := range strings.SplitSeq(text, "\n") {
			if name, ok := strings.CutPrefix(line, "diff --git "); ok {
				put(section, false)
				section = patchName(secondName(name), depth)
			} else if name, ok := strings.CutPrefix(line, "--- "); ok {
				if old = patchName(name, depth); strings.HasPrefix(before, "*** ") {
					put(old, false)
				}
			} else if name, ok := strings.CutPrefix(line, "rename from "); ok {
				put(patchName(name, 0), true)
			} else if name, ok := strings.CutPrefix(line, "rename to "); ok {
				put(patchName(name, 0), false)
			} else if name, ok := strings.CutPrefix(line, "+++ "); ok {
				if name = patchName(name, depth); name != "" {
					put(name, false)
				} else {
					put(old, true)
				}
			}
			if !more {
				return
			}
			before = line
		}
		put(section, false)
	}
}

// secondName is the second of the two names of a line diff --git a/x b/x, which
// may hold blanks.
func secondName(names string) string {
	if i := strings.LastIndex(names, ` "`); i >= 0 && strings.HasSuffix(names, `"`) {
		return names[i+1:]
	}
	if half := len(names) / 2; half > 0 && names[half] == ' ' {
		return names[half+1:]
	}
	return names[strings.LastIndexByte(names, ' ')+1:]
}

// patchName takes the name out of a header line of a patch, "" for no file.
func patchName(s string, strip int) string {
	s, _, _ = strings.Cut(s, "\t")
	s = strings.TrimSpace(s)
	if s == "/dev/null" {
		return ""
	}
	if name, err := strconv.Unquote(s); err == nil && s[0] == '"' {
		s = name
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

// Added is the text that a patch adds to its files, "" if a text is no patch.
func Added(text string) string {
	if !strings.Contains(text, "*** ") && !strings.Contains(text, "+++ ") {
		return ""
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if added, ok := strings.CutPrefix(line, "+"); ok && !strings.HasPrefix(added, "++ ") {
			out.WriteString(added)
		}
	}
	return out.String()
}
