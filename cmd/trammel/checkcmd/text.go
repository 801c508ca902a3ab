package checkcmd

import (
	"fmt"
	"io"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/plural"
)

// writeText writes a report for people.
func writeText(w io.Writer, r *Report) error {
	for i := range r.Findings {
		if _, err := fmt.Fprintf(w, "%s: %s\n", r.Findings[i].Area, r.Findings[i].String()); err != nil {
			return err
		}
	}
	var codes []config.Finding
	for i := range r.Findings {
		codes = append(codes, r.Findings[i].Finding)
	}
	cli.Codes(w, codes)
	if r.Unable != "" {
		_, err := fmt.Fprintf(w, "cannot be checked: %s\n", r.Unable)
		return err
	}
	_, err := fmt.Fprintf(w, "%s, %s passed\n", plural.Of(len(r.Findings), "finding"), plural.Of(len(r.Passed), "policy test"))
	return err
}
