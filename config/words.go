package config

import (
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// word is a scalar with its own rules: parse is for the reader, schema for the
// schema. parse only reports whether the text is valid; wants describes what is
// valid.
type word interface {
	parse(text string) bool
	wants() string
	schema() *jsonschema.Schema
}

// alternatives lists the possible values of a word, if they are few enough to list.
func alternatives(w word) []string {
	s := w.schema()
	if len(s.AnyOf) > 0 {
		s = s.AnyOf[0]
	}
	var words []string
	for _, e := range s.Enum {
		if name, ok := e.(string); ok {
			words = append(words, name)
		}
	}
	return words
}

// numeric is a word that can also, or only, be written as a number.
type numeric interface{ numeric() (only bool) }

// OneOrMore is a list that may be written as its only element.
type OneOrMore[T any] []T

func (OneOrMore[T]) oneOrMore() {}

// choice describes a word that is one of a few.
func choice(words ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}

// oneOf lists words in a sentence.
func oneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
