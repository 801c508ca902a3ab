package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trammel-dev/trammel/internal/option"
)

// optionSchema is the schema of a policy's options, from their type and, for
// the defaults, their value.
func optionSchema(options any) (*jsonschema.Schema, error) {
	v := reflect.Indirect(reflect.ValueOf(options))
	s, err := jsonschema.ForType(v.Type(), &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[option.Duration](): new(Duration).schema(),
		reflect.TypeFor[option.Size]():     new(Size).schema(),
	}})
	if err != nil {
		return nil, err
	}
	enums(s, v.Type())
	return s, describeOptions(s, v)
}

// describeOptions adds what tags and values say in addition to the types.
func describeOptions(s *jsonschema.Schema, v reflect.Value) error {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, _ := jsonName(field)
		p := s.Properties[name]
		if p == nil {
			continue
		}
		if err := describeInner(p, v.Field(i)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if p.Items != nil && p.Items.Type == "string" { // one value means a list of one
			one, many := p.Items.CloneSchemas(), p.CloneSchemas()
			many.Description = ""
			*p = jsonschema.Schema{Description: p.Description, AnyOf: []*jsonschema.Schema{one, many}}
		}
		if value := v.Field(i); !value.IsZero() && value.Kind() != reflect.Struct {
			data, err := json.Marshal(value.Interface())
			if err != nil {
				return fmt.Errorf("the default of %s: %w", name, err)
			}
			p.Default = data
		}
	}
	s.Required = nil
	return nil
}

// describeInner describes the options within an option: those of a struct, and
// of the structs in a list or mapping, which have no defaults of their own.
func describeInner(s *jsonschema.Schema, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Struct:
		return describeOptions(s, v)
	case reflect.Pointer:
		return describeInner(s, reflect.Zero(v.Type().Elem()))
	case reflect.Slice:
		if s.Items != nil {
			return describeInner(s.Items, reflect.Zero(v.Type().Elem()))
		}
	case reflect.Map:
		if s.AdditionalProperties != nil {
			return describeInner(s.AdditionalProperties, reflect.Zero(v.Type().Elem()))
		}
	}
	return nil
}

// optionMark is the position of an option, or of the innermost value around it
// with a known position. key is like limits[1].max.
func (d *declared) optionMark(key string) (mark, bool) {
	v := d.options
	at, ok := d.marks[v.Addr().Interface()]
	for _, step := range strings.FieldsFunc(key, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		switch i, err := strconv.Atoi(step); {
		case v.Kind() == reflect.Struct:
			f, known := fieldsOf(v.Type()).byName[step]
			if !known {
				return at, ok
			}
			v = v.FieldByIndex(f.Index)
		case v.Kind() == reflect.Slice && err == nil && i < v.Len():
			v = v.Index(i)
		default:
			return at, ok
		}
		if m, given := d.marks[v.Addr().Interface()]; given {
			at, ok = m, true
		}
	}
	return at, ok
}
