package show

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/visible"
)

// Arguments are a call's arguments as people see them.
type Arguments struct {
	// Text is all of them, as JSON with indentation. It is not cut.
	Text string
	// Masked is how many secrets were masked, Hidden how many invisible
	// characters were written out.
	Masked, Hidden int
}

// Args makes arguments safe to display: secrets masked, every character
// visible, nothing left out.
func Args(raw json.RawMessage) Arguments {
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil { // somebody changed them; show them as text
		text, found := secret.Redact(string(raw))
		text, hidden := visible.Text(text)
		return Arguments{text, len(found), hidden}
	}
	masked, n := secret.RedactValue(obj)
	w := writer{}
	w.value(masked, "\n")
	return Arguments{w.out.String(), n, w.hidden}
}

type writer struct {
	out    strings.Builder
	hidden int
}

// value writes v; line is a line break and the current indentation.
func (w *writer) value(v any, line string) {
	switch v := v.(type) {
	case string:
		w.text(v)
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		w.group("{", "}", len(keys), line, func(i int) {
			w.text(keys[i])
			w.out.WriteString(": ")
			w.value(v[keys[i]], line+"  ")
		})
	case []any:
		w.group("[", "]", len(v), line, func(i int) { w.value(v[i], line+"  ") })
	default:
		text, _ := canonical.Append(nil, v) // strict values always have a canonical form
		w.out.Write(text)
	}
}

func (w *writer) group(begin, end string, n int, line string, write func(i int)) {
	w.out.WriteString(begin)
	for i := range n {
		if i > 0 {
			w.out.WriteString(",")
		}
		w.out.WriteString(line + "  ")
		write(i)
	}
	if n > 0 {
		w.out.WriteString(line)
	}
	w.out.WriteString(end)
}

// escapes are the short escapes of JSON. Other invisible characters are written
// like in Text.
var escapes = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`)

func (w *writer) text(s string) {
	safe, hidden := visible.Text(escapes.Replace(s))
	w.hidden += hidden
	w.out.WriteString(`"` + safe + `"`)
}

// number is a count with the singular or plural.
func number(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Cut shortens a text to a number of bytes, and reports whether it did. It never
// cuts a character in half.
func Cut(text string, most int) (string, bool) {
	if len(text) <= most {
		return text, false
	}
	const end = "…"
	n := max(most-len(end), 0)
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + end, true
}
