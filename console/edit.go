package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/visible"
)

// editable is a call's arguments as JSON to edit: secrets are references, and
// characters that would not be seen are escapes, so that nothing gets lost.
func editable(raw json.RawMessage) string {
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		return ""
	}
	masked, _ := secret.RedactValue(obj)
	flat, err := canonical.Append(nil, masked)
	if err != nil {
		return ""
	}
	var text bytes.Buffer
	if json.Indent(&text, flat, "", "  ") != nil {
		return ""
	}
	var out strings.Builder
	for _, r := range text.String() {
		switch {
		case r == '\n' || visible.Is(r):
			out.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// unmask puts the real values back in the place of references. A value with a
// secret in it can be kept as it is, moved nowhere, and replaced as a whole.
func unmask(asked, edited map[string]any) error {
	masked, _ := secret.RedactValue(asked)
	_, err := restore("", asked, masked, edited)
	return err
}

func restore(path string, real, masked, edited any) (any, error) {
	switch e := edited.(type) {
	case map[string]any:
		r, _ := real.(map[string]any)
		m, _ := masked.(map[string]any)
		for key, value := range e {
			got, err := restore(path+"/"+key, r[key], m[key], value)
			if err != nil {
				return nil, err
			}
			e[key] = got
		}
	case []any:
		r, _ := real.([]any)
		m, _ := masked.([]any)
		for i, value := range e {
			var was, shown any
			if i < min(len(r), len(m)) {
				was, shown = r[i], m[i]
			}
			got, err := restore(fmt.Sprintf("%s/%d", path, i), was, shown, value)
			if err != nil {
				return nil, err
			}
			e[i] = got
		}
	case string:
		if m, ok := masked.(string); ok && e == m {
			return real, nil
		}
		if secret.Marked(e) {
			return nil, fmt.Errorf("%s has a masked value: keep all of it as it is, or write something else", clean(path))
		}
	}
	return edited, nil
}
