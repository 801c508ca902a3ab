package checkcmd

import (
	"fmt"
	"io"
	"strings"
)

var (
	githubText  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubValue = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub writes workflow commands, which GitHub shows next to the lines of
// a change.
func writeGitHub(w io.Writer, r *Report) error {
	if r.Unable != "" {
		if _, err := fmt.Fprintf(w, "::error title=trammel check::%s\n", githubText.Replace(r.Unable)); err != nil {
			return err
		}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		level := "error"
		if f.warning() {
			level = "warning"
		}
		place := "file=" + githubValue.Replace(f.File)
		if f.Line > 0 {
			place += fmt.Sprintf(",line=%d", f.Line)
		}
		if f.Column > 0 {
			place += fmt.Sprintf(",col=%d", f.Column)
		}
		if _, err := fmt.Fprintf(w, "::%s %s,title=%s::%s\n", level, place, githubValue.Replace("trammel "+f.Code),
			githubText.Replace(f.text())); err != nil {
			return err
		}
	}
	return nil
}

// text is the message with the fix.
func (f *Finding) text() string {
	if f.Fix == "" {
		return f.Message
	}
	return f.Message + " (" + f.Fix + ")"
}
