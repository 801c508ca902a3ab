// Package cli is what the commands of trammel share: output, exit codes, flags.
package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/terminal"
	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/policytest"
)

// Colorful reports whether our output goes to a terminal, and colors are wanted.
func Colorful() bool {
	return terminal.Is(os.Stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// Colors are empty unless the output is a terminal.
func Colors() policytest.Colors {
	if !Colorful() {
		return policytest.Colors{}
	}
	return policytest.Colors{Good: "\x1b[32m", Bad: "\x1b[31m", Dim: "\x1b[2m", Off: "\x1b[0m"}
}

// asJSON is JSON as encoding/json writes it, but a list without entries is always [].
var asJSON = json.JoinOptions(jsonv1.DefaultOptionsV1(), json.FormatNilSliceAsNull(false), jsontext.EscapeForHTML(false),
	jsontext.WithIndent("  "))

// JSON prints a value for programs to read.
func JSON(w io.Writer, v any) error {
	out, err := json.Marshal(v, asJSON)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, visible.JSON(append(out, '\n')))
	return err
}

// Tell prints a value: as JSON, or with write.
func Tell[T any](w io.Writer, asJSON bool, v T, write func(io.Writer, T) error) error {
	if asJSON {
		return JSON(w, v)
	}
	return write(w, v)
}

// Fields prints names with their values, without empty ones.
func Fields(w io.Writer, list ...[2]string) {
	c := Colors()
	for _, f := range list {
		if f[1] != "" {
			fmt.Fprintf(w, "%s%-9s%s %s\n", c.Dim, f[0], c.Off, f[1])
		}
	}
}

// Codes says where the codes of findings are explained.
func Codes(w io.Writer, found []config.Finding) {
	var topics []string
	for i := range found {
		if topic := "codes#" + found[i].Code; !slices.Contains(topics, topic) {
			topics = append(topics, topic)
		}
	}
	if len(topics) > 0 {
		fmt.Fprintf(w, "what this means: trammel docs %s\n", strings.Join(topics, ", "))
	}
}

// Line is a text on one line, for a table.
func Line(s string) string {
	if !strings.ContainsAny(s, "\t\n\r\v\f") && !strings.Contains(s, "  ") {
		return strings.TrimSpace(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// Shorten is Line, cut.
func Shorten(s string, n int) string {
	s = Line(s)
	if len(s) <= n {
		return s
	}
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
