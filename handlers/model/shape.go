package model

import (
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
)

// Shape is an additional form of reply from a program that embeds the engine.
// Hooks give its name as their schema (DA-10, DA-12).
type Shape struct {
	Name string
	// Schema is the schema of the model's reply, an object that the endpoints
	// accept.
	Schema map[string]any
	// Answer makes an answer from the reply. An error is a failure of the hook,
	// like a reply without such an object, or without a required field.
	Answer func(reply map[string]any) (trammel.Answer, error)
}

// With is the factory of the kind "model" with additional shapes. They do not
// extend what a hook may do.
func With(shapes ...Shape) trammel.Factory {
	return func(spec trammel.Spec) (trammel.Handler, error) { return newHandler(spec, shapes) }
}

// decision is the built-in shape.
func decision() *Shape { return &Shape{Name: decisionSchema, Schema: decisionShape()} }

// chooseShape finds the shape that a hook asks for; context has none.
func (c *Config) chooseShape(shapes []Shape) error {
	switch c.Schema {
	case contextSchema:
		return nil
	case decisionSchema:
		c.shape = decision()
		return nil
	}
	names := []string{decisionSchema, contextSchema}
	for i := range shapes {
		if shapes[i].Name == c.Schema {
			c.shape = &shapes[i]
			return nil
		}
		names = append(names, shapes[i].Name)
	}
	return &option.Error{Key: "schema", Message: fmt.Sprintf("found %q", c.Schema), Expected: "one of " + strings.Join(names, ", ")}
}

// own is the shape with its own reader, nil for a built-in one.
func (c *Config) own() *Shape {
	if c.shape == nil || c.shape.Answer == nil {
		return nil
	}
	return c.shape
}

// read finds the only object of a reply and makes an answer from it.
func (s *Shape) read(r reply) (*trammel.Answer, error) {
	objects := r.objects
	if len(objects) == 0 {
		objects = objectsIn(r.text)
	}
	if len(objects) != 1 {
		return nil, trammel.Fail(trammel.CodeMalformed, "the model's reply holds %d objects, expected one", len(objects))
	}
	required, _ := s.Schema["required"].([]any)
	for _, key := range required {
		if name, _ := key.(string); objects[0][name] == nil {
			return nil, trammel.Fail(trammel.CodeMalformed, "the model's reply has no %s", name)
		}
	}
	a, err := s.Answer(objects[0])
	if err != nil {
		return nil, trammel.Fail(trammel.CodeMalformed, "the model's reply cannot be used: %w", err)
	}
	return &a, nil
}
