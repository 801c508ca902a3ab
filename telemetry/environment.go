package telemetry

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Environment changes settings as the variables of Flow Agents say, and reports
// whether telemetry is on at all.
func (s *Settings) Environment() (on bool) {
	switch strings.ToLower(os.Getenv("TELEMETRY_ENABLED")) {
	case "false", "0", "off", "no":
		return false
	}
	if dir := os.Getenv("TELEMETRY_DATA_DIR"); filepath.IsAbs(dir) {
		s.Dir = dir
	}
	if name := os.Getenv("FLOW_AGENTS_TELEMETRY_RUNTIME"); name != "" {
		s.Runtime = name
	}
	if names := list(os.Getenv("TELEMETRY_CHANNELS")); names != nil {
		s.Channels = slices.DeleteFunc(slices.Clone(s.Channels), func(c Channel) bool { return !slices.Contains(names, c.Name) })
	}
	channels := slices.Clone(s.Channels)
	for i := range channels {
		channels[i].override(os.Getenv("TELEMETRY_CHANNEL_" + strings.ToUpper(channels[i].Name) + "_REDACT"))
	}
	s.Channels = channels
	return true
}

// override takes a list of fields from a variable. The word none is an empty
// list. A list with a mistyped field adds to what is there and does not replace
// it: there is nobody to tell, and the field would be shown.
func (c *Channel) override(variable string) {
	fields := list(variable)
	switch {
	case fields == nil:
	case len(fields) == 1 && fields[0] == "none":
		c.Redact = nil
	case Check(fields) != nil:
		c.Redact = append(slices.Clone(c.Redact), fields...)
	default:
		c.Redact = fields
	}
}

func list(text string) []string {
	var out []string
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			out = append(out, word)
		}
	}
	return out
}
