// Package fill fills templates: {{input.NAME}} in a text becomes the value of that
// name. A value is data: it is never read as a template, a command or a path.
package fill

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/lazy"
)

var placeholder = lazy.Regexp(`\{\{\s*([A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*)(\?)?\s*\}\}`)

// Missing is returned for a placeholder without a value.
type Missing struct{ Name string }

func (m *Missing) Error() string { return "there is no value for {{" + m.Name + "}}" }

// begun matches what looks like a placeholder but is not one, such as {{input.name}.
var begun = lazy.Regexp(`\{\{\s*(?:input|env|steps)\.[^{}]*\}?`)

// Names lists the placeholders in the texts of a value, in order, each once.
func Names(v any) []string {
	return found(v, func(text string) (names []string) {
		for _, m := range placeholder().FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
		return names
	})
}

// Broken lists the placeholders that are not closed or have a wrong name. Text leaves
// them as they are.
func Broken(v any) []string {
	return found(v, func(text string) []string { return begun().FindAllString(placeholder().ReplaceAllString(text, ""), -1) })
}

// found lists the matches in the texts of a value, each once.
func found(v any, in func(text string) []string) []string {
	var out []string
	add := func(list []string) {
		for _, name := range list {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	switch v := v.(type) {
	case string:
		add(in(v))
	case []string:
		for _, e := range v {
			add(found(e, in))
		}
	case []any:
		for _, e := range v {
			add(found(e, in))
		}
	case map[string]any:
		for _, e := range v {
			add(found(e, in))
		}
		slices.Sort(out)
	}
	return out
}

// Text fills a text. written writes a value; nil writes texts as they are and everything
// else as JSON. optional reports that a placeholder marked with ? had no value: then
// the text must not be used.
func Text(text string, values map[string]any, written func(string) string) (out string, optional bool, err error) {
	out = placeholder().ReplaceAllStringFunc(text, func(found string) string {
		m := placeholder().FindStringSubmatch(found)
		v, ok := lookup(values, m[1])
		switch {
		case !ok && m[2] != "":
			optional = true
		case !ok:
			err = &Missing{m[1]}
		default:
			s, e := write(v)
			if e != nil {
				err = e
			}
			if written != nil {
				s = written(s)
			}
			return s
		}
		return ""
	})
	return out, optional, err
}

// Value fills every text of a value. A text that is only a placeholder becomes the value
// itself, whatever its type. A text whose optional placeholder has no value is left out
// of its list or object.
func Value(v any, values map[string]any) (out any, optional bool, err error) {
	switch v := v.(type) {
	case string:
		if m := placeholder().FindStringSubmatch(v); m != nil && m[0] == v {
			value, ok := lookup(values, m[1])
			if !ok && m[2] == "" {
				return nil, false, &Missing{m[1]}
			}
			return value, !ok, nil
		}
		return flat(Text(v, values, nil))
	case []any:
		list := []any{}
		for _, e := range v {
			filled, skip, err := Value(e, values)
			if err != nil {
				return nil, false, err
			}
			if !skip {
				list = append(list, filled)
			}
		}
		return list, false, nil
	case map[string]any:
		object := map[string]any{}
		for key, e := range v {
			filled, skip, err := Value(e, values)
			if err != nil {
				return nil, false, err
			}
			if !skip {
				object[key] = filled
			}
		}
		return object, false, nil
	}
	return v, false, nil
}

func flat(s string, optional bool, err error) (any, bool, error) { return s, optional, err }

// Args fills the arguments of a program. A text value at the beginning of an argument
// must not look like an option, unless the template has "--" before it.
func Args(template []string, values map[string]any) ([]string, error) {
	var out []string
	for _, t := range template {
		arg, skip, err := Text(t, values, nil)
		switch {
		case err != nil:
			return nil, err
		case skip:
			continue
		case strings.ContainsRune(arg, 0):
			return nil, fmt.Errorf("the value for %s contains a zero byte", t)
		case strings.HasPrefix(arg, "-") && !strings.HasPrefix(t, "-") && !slices.Contains(out, "--") && !number(t, values):
			return nil, fmt.Errorf("the value for %s begins with a dash, so it would be read as an option", t)
		}
		out = append(out, arg)
	}
	return out, nil
}

// number reports whether a template is one placeholder of a number.
func number(t string, values map[string]any) bool {
	v, skip, err := Value(t, values)
	if skip || err != nil {
		return false
	}
	switch v.(type) {
	case int64, uint64, float64:
		return true
	}
	return false
}

func lookup(values map[string]any, name string) (any, bool) {
	var at any = values
	for part := range strings.SplitSeq(name, ".") {
		object, ok := at.(map[string]any)
		if !ok {
			return nil, false
		}
		if at, ok = object[part]; !ok {
			return nil, false
		}
	}
	return at, true
}

func write(v any) (string, error) {
	if s, ok := v.(string); ok {
		return s, nil
	}
	data, err := canonical.Append(nil, v)
	return string(data), err
}
