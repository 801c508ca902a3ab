package registry

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trammel-dev/trammel/internal/secret"
)

// Schema is a JSON Schema as written in the file. The zero value accepts everything.
type Schema struct {
	raw      any
	schema   *jsonschema.Schema
	resolved *jsonschema.Resolved
}

// UnmarshalYAML keeps the schema as plain data; resolve checks it.
func (s *Schema) UnmarshalYAML(decode func(any) error) error { return decode(&s.raw) }

// JSON is the schema as plain data, nil if there is none.
func (s *Schema) JSON() any { return s.raw }

// resolve prepares the schema for use. References to other files are refused: there is no
// loader.
func (s *Schema) resolve() error {
	if s.raw == nil {
		return nil
	}
	data, err := json.Marshal(s.raw)
	if err != nil {
		return err
	}
	if err := keywords(data); err != nil {
		return err
	}
	s.schema = &jsonschema.Schema{}
	if err := json.Unmarshal(data, s.schema); err != nil {
		return err
	}
	s.resolved, err = s.schema.Resolve(nil)
	return err
}

// Violation is a field that does not match its schema.
type Violation struct {
	Field   string `json:"field"` // rows[0].id; "" is the whole value
	Message string `json:"message"`
}

// Check checks a JSON value against the schema, and names each field that is wrong.
func (s *Schema) Check(value any) []Violation {
	if s.resolved == nil {
		return nil
	}
	w := walk{root: s.schema}
	w.at(s.schema, s.resolved.Validate(value), value, "")
	return w.found
}

const maxViolations = 20

// walk finds the smallest parts that are wrong: the library names the part of the schema,
// but a caller needs the field.
type walk struct {
	root  *jsonschema.Schema
	found []Violation
}

func (w *walk) add(field, format string, args ...any) {
	if len(w.found) < maxViolations {
		w.found = append(w.found, Violation{field, secret.Clean(fmt.Sprintf(format, args...))})
	}
}

func (w *walk) at(s *jsonschema.Schema, err error, value any, field string) {
	if err == nil || len(w.found) >= maxViolations {
		return
	}
	before := len(w.found)
	switch v := value.(type) {
	case map[string]any:
		for _, name := range s.Required {
			if _, ok := v[name]; !ok {
				w.add(join(field, name), "is missing")
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if sub := s.Properties[name]; sub != nil {
				w.at(sub, w.validate(sub, v[name]), v[name], join(field, name))
			} else if s.AdditionalProperties != nil && len(s.PatternProperties) == 0 && w.validate(s.AdditionalProperties, v[name]) != nil {
				w.add(join(field, name), "is unknown, or its value is not allowed")
			}
		}
	case []any:
		if s.Items != nil {
			for i, e := range v {
				w.at(s.Items, w.validate(s.Items, e), e, field+"["+strconv.Itoa(i)+"]")
			}
		}
	}
	if len(w.found) == before { // it is the value itself
		w.add(field, "%v", innermost(err))
	}
}

// validate checks a value against a part of the schema, with the definitions of the root.
func (w *walk) validate(part *jsonschema.Schema, value any) error {
	alone := *part
	if part != w.root && alone.Defs == nil {
		alone.Defs = w.root.Defs
	}
	resolved, err := alone.CloneSchemas().Resolve(nil)
	if err != nil {
		return nil // it refers to definitions of the whole, which was checked as a whole
	}
	return resolved.Validate(value)
}

// innermost is the innermost error, without the path through the schema.
func innermost(err error) error {
	for {
		u, ok := err.(interface{ Unwrap() error })
		if !ok || u.Unwrap() == nil {
			return err
		}
		err = u.Unwrap()
	}
}

func join(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}
