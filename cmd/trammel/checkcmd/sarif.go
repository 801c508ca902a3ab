package checkcmd

import (
	"io"
	"path/filepath"
	"slices"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/version"
)

// object is a JSON object; its keys are written in order.
type object = map[string]any

// writeSARIF writes the Static Analysis Results Interchange Format 2.1.0, which
// code hosts read.
func writeSARIF(w io.Writer, r *Report) error {
	codes := []string{}
	results := []any{}
	for i := range r.Findings {
		f := &r.Findings[i]
		codes = append(codes, f.Code)
		level := "error"
		if f.warning() {
			level = "warning"
		}
		results = append(results, object{"ruleId": f.Code, "level": level, "message": object{"text": f.text()},
			"locations": []any{object{"physicalLocation": f.location()}}})
	}
	slices.Sort(codes)
	rules := []any{}
	for _, code := range slices.Compact(codes) {
		rules = append(rules, object{"id": code})
	}
	end := object{"executionSuccessful": r.Unable == ""}
	if r.Unable != "" {
		end["toolExecutionNotifications"] = []any{object{"level": "error", "message": object{"text": r.Unable}}}
	}
	driver := object{"name": "trammel", "version": version.Version, "informationUri": "https://github.com/trammel-dev/trammel", "rules": rules}
	return cli.JSON(w, object{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []any{object{"tool": object{"driver": driver}, "invocations": []any{end}, "results": results}}})
}

func (f *Finding) location() object {
	artifact := object{"uri": f.File}
	if !filepath.IsAbs(f.File) {
		artifact["uriBaseId"] = "%SRCROOT%"
	}
	out := object{"artifactLocation": artifact}
	if f.Line > 0 {
		region := object{"startLine": f.Line}
		if f.Column > 0 {
			region["startColumn"] = f.Column
		}
		out["region"] = region
	}
	return out
}
