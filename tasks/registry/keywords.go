package registry

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/nearest"
)

// What the keywords of a schema may hold, where the library does not check it.
const (
	oneSchema  = iota + 1 // a schema, or for items a list of them
	schemas               // a list of schemas
	named                 // schemas by name
	size                  // a whole number from 0
	positive              // a number above 0
	typeName              // the name of a type, or a list of them
	choices               // a list that is not empty
	annotation            // anything; the library looks at it
)

var known = map[string]int{
	"items": oneSchema, "additionalItems": oneSchema, "unevaluatedItems": oneSchema, "contains": oneSchema, "additionalProperties": oneSchema,
	"propertyNames": oneSchema, "unevaluatedProperties": oneSchema, "not": oneSchema, "if": oneSchema, "then": oneSchema, "else": oneSchema,
	"contentSchema": oneSchema,
	"allOf":         schemas, "anyOf": schemas, "oneOf": schemas, "prefixItems": schemas,
	"properties": named, "patternProperties": named, "$defs": named, "definitions": named, "dependentSchemas": named,
	"minLength": size, "maxLength": size, "minItems": size, "maxItems": size, "minContains": size, "maxContains": size,
	"minProperties": size, "maxProperties": size,
	"multipleOf": positive, "type": typeName, "enum": choices,
	"$id": annotation, "$schema": annotation, "$ref": annotation, "$comment": annotation, "$anchor": annotation, "$dynamicAnchor": annotation,
	"$dynamicRef": annotation, "$vocabulary": annotation, "title": annotation, "description": annotation, "default": annotation,
	"deprecated": annotation, "readOnly": annotation, "writeOnly": annotation, "examples": annotation, "const": annotation,
	"minimum": annotation, "maximum": annotation, "exclusiveMinimum": annotation, "exclusiveMaximum": annotation, "pattern": annotation,
	"uniqueItems": annotation, "required": annotation, "dependentRequired": annotation, "dependencies": annotation, "format": annotation,
	"contentEncoding": annotation, "contentMediaType": annotation,
}

var types = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// keywords finds mistakes in a schema before it is used: a misspelled keyword or type
// would let everything through, or nothing.
func keywords(data []byte) error {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	return schema("", v)
}

func schema(at string, v any) error {
	if _, is := v.(bool); is {
		return nil
	}
	object, ok := v.(map[string]any)
	if !ok {
		return misplaced(at, "expected a schema")
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if err := keyword(at, name, object[name]); err != nil {
			return err
		}
	}
	for _, pair := range [...][2]string{{"minLength", "maxLength"}, {"minItems", "maxItems"}, {"minContains", "maxContains"},
		{"minProperties", "maxProperties"}, {"minimum", "maximum"}} {
		least, a := object[pair[0]].(float64)
		if most, b := object[pair[1]].(float64); a && b && least > most {
			return misplaced(at, "%s is greater than %s, so no value is valid", pair[0], pair[1])
		}
	}
	return nil
}

func keyword(at, name string, v any) error {
	at = join(at, name)
	list, isList := v.([]any)
	number, isNumber := v.(float64)
	switch known[name] {
	case 0:
		if near := nearest.Word(name, slices.Sorted(maps.Keys(known))); near != "" {
			return misplaced(at, "unknown keyword, did you mean %s?", near)
		}
	case oneSchema:
		if isList && name == "items" {
			return each(at, list)
		}
		return schema(at, v)
	case schemas:
		if !isList || len(list) == 0 {
			return misplaced(at, "expected a list of schemas")
		}
		return each(at, list)
	case named:
		object, ok := v.(map[string]any)
		if !ok {
			return misplaced(at, "expected schemas by name")
		}
		for _, key := range slices.Sorted(maps.Keys(object)) {
			if err := schema(join(at, key), object[key]); err != nil {
				return err
			}
		}
	case size:
		if !isNumber || number < 0 || number != float64(int64(number)) {
			return misplaced(at, "expected a whole number from 0")
		}
	case positive:
		if !isNumber || number <= 0 {
			return misplaced(at, "expected a number above 0")
		}
	case typeName:
		if !isList {
			list = []any{v}
		}
		for _, one := range list {
			if text, _ := one.(string); !slices.Contains(types, text) {
				return misplaced(at, "found %v, expected one of %s", one, strings.Join(types, ", "))
			}
		}
	case choices:
		if !isList || len(list) == 0 {
			return misplaced(at, "expected a list that is not empty")
		}
	}
	return nil
}

func each(at string, list []any) error {
	for i, one := range list {
		if err := schema(fmt.Sprintf("%s[%d]", at, i), one); err != nil {
			return err
		}
	}
	return nil
}

// misplacedError is a mistake at a path of a schema, such as properties.name.type.
type misplacedError struct{ place, message string }

func (e *misplacedError) Error() string { return strings.TrimPrefix(e.place+": "+e.message, ": ") }

func misplaced(at, format string, args ...any) error {
	return &misplacedError{at, fmt.Sprintf(format, args...)}
}
