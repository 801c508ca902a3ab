package config

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/trammel-dev/trammel/config/foreign"
	"github.com/trammel-dev/trammel/internal/nearest"
)

// jsonName is a field's name in a file, "" if it has none, and whether it must
// be given.
func jsonName(f reflect.StructField) (name string, required bool) {
	if !f.IsExported() || f.Anonymous {
		return "", false
	}
	tag, ok := f.Tag.Lookup("json")
	name, options, _ := strings.Cut(tag, ",")
	switch {
	case tag == "-":
		return "", false
	case name == "":
		name = f.Name
	}
	return name, ok && !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero")
}

// fields are those of a struct that have a name in a file, in their order.
type fields struct {
	names    []string
	required []string
	byName   map[string]reflect.StructField
}

var known sync.Map // from reflect.Type to *fields: many hooks share one type

func fieldsOf(t reflect.Type) *fields {
	if f, ok := known.Load(t); ok {
		return f.(*fields)
	}
	all := &fields{byName: map[string]reflect.StructField{}}
	for _, f := range reflect.VisibleFields(t) {
		name, required := jsonName(f)
		if name == "" {
			continue
		}
		all.names = append(all.names, name)
		all.byName[name] = f
		if required {
			all.required = append(all.required, name)
		}
	}
	known.Store(t, all)
	return all
}

// didYouMean is a suggestion to append to a message, or nothing.
func didYouMean(word string, known []string) string {
	if meant := foreign.Word(word, known); meant != "" {
		return ": " + meant
	}
	if best := nearest.Word(word, known); best != "" {
		return fmt.Sprintf(", did you mean %q?", best)
	}
	return ""
}
