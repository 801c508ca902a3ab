package packs

import (
	"cmp"
	"fmt"
)

// Severity is the severity of a diagnostic.
type Severity string

// The severities. A pack with an error is not run.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Diagnostic is a finding about a pack.
type Diagnostic struct {
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`
	Path     string   `json:"path"` // hooks.yaml:hooks[2].id
	Message  string   `json:"message"`
	Line     int      `json:"line,omitempty"`
	Column   int      `json:"column,omitempty"`
}

func (d Diagnostic) String() string {
	at := ""
	if d.Line > 0 {
		at = fmt.Sprintf(" (line %d, column %d)", d.Line, d.Column)
	}
	return fmt.Sprintf("%s %s %s: %s%s", d.Severity, d.Code, d.Path, d.Message, at)
}

// place is where a diagnostic belongs.
type place struct {
	file         string // ManifestName if it is empty
	path         string
	line, column int
}

// report collects diagnostics.
type report struct {
	list   []Diagnostic
	failed bool
}

func (r *report) add(s Severity, code string, at place, format string, args ...any) {
	r.failed = r.failed || s == Error
	path := cmp.Or(at.file, ManifestName)
	if at.path != "" {
		path += ":" + at.path
	}
	r.list = append(r.list, Diagnostic{s, code, path, fmt.Sprintf(format, args...), at.line, at.column})
}
