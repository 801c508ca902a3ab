package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema returns the JSON Schema of a configuration file, for editors. It is
// generated from the types that the reader fills, and from the options of the
// registered policies.
func Schema(reg Registry) ([]byte, error) {
	return schemaOf(reflect.TypeFor[File](), "trammel", "Trammel configuration", func(s *jsonschema.Schema) error {
		s.Required = []string{"version"}
		hook := s.Properties["hooks"].Items
		formSchemas(hook)
		return policySchemas(hook, reg)
	})
}

// RepositoryHookSchema returns the JSON Schema of a file below .system/hooks,
// for editors, from the types that the reader fills. Only the reader checks
// that a match key fits its event.
func RepositoryHookSchema() ([]byte, error) {
	return schemaOf(reflect.TypeFor[RepositoryHook](), "repository-hook", "Repository hook", func(*jsonschema.Schema) error { return nil })
}

// schemaOf is the schema of a file of the given type; add puts in what the types
// do not say.
func schemaOf(t reflect.Type, name, title string, add func(*jsonschema.Schema) error) ([]byte, error) {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: typeSchemas(t)})
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.ID = "https://trammel.dev/" + name + ".schema.json"
	s.Title = title
	enums(s, t)
	if err := add(s); err != nil {
		return nil, err
	}
	each(s, withoutNull)
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return append(data, '\n'), nil
}

// enums adds the words that tags list.
func enums(s *jsonschema.Schema, t reflect.Type) {
	switch {
	case s == nil:
	case t.Kind() == reflect.Pointer:
		enums(s, t.Elem())
	case t.Kind() == reflect.Slice:
		enums(s.Items, t.Elem())
	case t.Kind() == reflect.Map:
		enums(s.AdditionalProperties, t.Elem())
	case t.Kind() == reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			name, _ := jsonName(f)
			p := s.Properties[name]
			enums(p, f.Type)
			if words := f.Tag.Get("enum"); words != "" {
				if p.Items != nil {
					p = p.Items
				}
				p.Enum = choice(strings.Split(words, ",")...).Enum
			}
		}
	}
}

// typeSchemas gives every type with its own rules a schema.
func typeSchemas(root reflect.Type) map[reflect.Type]*jsonschema.Schema {
	all := formatTypes(root, nil)
	types := map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[Options](): {Type: "object"}}
	for _, t := range all {
		if w, ok := reflect.New(t).Interface().(word); ok {
			types[t] = w.schema()
		}
	}
	for _, t := range all {
		switch _, many := reflect.New(t).Interface().(interface{ oneOrMore() }); {
		case many:
			elem := types[t.Elem()]
			types[t] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{elem, {Type: "array", Items: elem.CloneSchemas(), MinItems: new(1)}}}
		case t.Kind() == reflect.Map && types[t.Key()] != nil:
			types[t] = &jsonschema.Schema{Type: "object", PropertyNames: types[t.Key()], AdditionalProperties: &jsonschema.Schema{Type: "string"}}
		}
	}
	return types
}

// formatTypes lists the types that a file is made of.
func formatTypes(t reflect.Type, list []reflect.Type) []reflect.Type {
	if slices.Contains(list, t) {
		return list
	}
	list = append(list, t)
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return formatTypes(t.Elem(), list)
	case reflect.Map:
		return formatTypes(t.Elem(), formatTypes(t.Key(), list))
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() {
				list = formatTypes(f.Type, list)
			}
		}
	}
	return list
}

// formSchemas says that a hook has exactly one form, which keys go with it, and
// which forms have a short notation.
func formSchemas(hook *jsonschema.Schema) {
	for _, key := range formKeys() {
		hook.OneOf = append(hook.OneOf, &jsonschema.Schema{Required: []string{key}})
	}
	hook.Properties["exec"].MinItems = new(1)
	hook.DependentSchemas = map[string]*jsonschema.Schema{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[HookDecl]()) {
		name, _ := jsonName(f)
		if goes := f.Tag.Get("beside"); goes != "" {
			with := &jsonschema.Schema{}
			for _, key := range strings.Split(goes, ",") {
				with.AnyOf = append(with.AnyOf, &jsonschema.Schema{Required: []string{key}})
			}
			hook.DependentSchemas[name] = with
		}
		if s, ok := reflect.New(indirect(f.Type)).Interface().(shortened); ok {
			whole := hook.Properties[name]
			short := s.short().(word).schema()
			hook.Properties[name] = &jsonschema.Schema{Description: whole.Description, AnyOf: []*jsonschema.Schema{short, whole}}
			whole.Description = ""
		}
	}
}

// policySchemas adds the names of the policies, and the options of each.
func policySchemas(hook *jsonschema.Schema, reg Registry) error {
	var names []string
	for _, p := range reg.Policies() {
		names = append(names, p.Name)
		options := &jsonschema.Schema{Type: "object", MaxProperties: new(0)}
		if p.Options != nil {
			var err error
			if options, err = optionSchema(p.Options); err != nil {
				return fmt.Errorf("schema of policy %s: %w", p.Name, err)
			}
		}
		hook.AllOf = append(hook.AllOf, &jsonschema.Schema{
			If:   &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"use": {Const: new(any(p.Name))}}, Required: []string{"use"}},
			Then: &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"with": options}},
		})
	}
	if len(names) > 0 {
		use := choice(names...)
		use.Description = hook.Properties["use"].Description
		hook.Properties["use"] = use
	}
	return nil
}

// each visits a schema and everything inside.
func each(s *jsonschema.Schema, visit func(*jsonschema.Schema)) {
	if s == nil {
		return
	}
	visit(s)
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, {s.Items, s.AdditionalProperties, s.PropertyNames, s.Not, s.If,
		s.Then}} {
		for _, e := range list {
			each(e, visit)
		}
	}
	for _, m := range []map[string]*jsonschema.Schema{s.Properties, s.DependentSchemas} {
		for _, e := range m {
			each(e, visit)
		}
	}
}

// withoutNull drops null: it comes from Go's nil, but no file may contain it.
func withoutNull(s *jsonschema.Schema) {
	if s.Types = slices.DeleteFunc(s.Types, func(t string) bool { return t == "null" }); len(s.Types) == 1 {
		s.Type, s.Types = s.Types[0], nil
	}
	if len(s.Types) == 0 {
		s.Types = nil
	}
}
