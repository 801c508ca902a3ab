package dialects

import "strings"

// SentBy is the error of a payload that another host has sent, which reads the
// settings of the one that the wiring is for.
type SentBy struct{ Host string }

func (e *SentBy) Error() string { return "the payload is one of " + e.Host }

// Reader finds which other host has sent a payload, "" if none of those that
// read the host's settings has. It is used for every call, so most lines are
// decided by their first field.
func (h *Host) Reader(payload map[string]any) string {
	for _, line := range h.Facts().Readers {
		name, fields, _ := strings.Cut(line, " ")
		if fits(payload, fields) {
			return name
		}
	}
	return ""
}

func fits(payload map[string]any, fields string) bool {
	for field := range strings.SplitSeq(fields, " ") {
		field, without := strings.CutPrefix(field, "-")
		if _, has := payload[field]; has == without {
			return false
		}
	}
	return true
}
