package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trammel-dev/trammel"
)

// Option describes one option of a policy.
type Option struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Default string `json:"default,omitempty"`
	About   string `json:"about"`
}

// OptionsOf describes the options of a policy, nested ones as limits.max.
func OptionsOf(p trammel.Policy) ([]Option, error) {
	if p.Options == nil {
		return nil, nil
	}
	s, err := optionSchema(p.Options)
	if err != nil {
		return nil, fmt.Errorf("options of %s: %w", p.Name, err)
	}
	each(s, withoutNull)
	return described(s, ""), nil
}

func described(s *jsonschema.Schema, prefix string) []Option {
	names := s.PropertyOrder
	if len(names) == 0 {
		for name := range s.Properties {
			names = append(names, name)
		}
		slices.Sort(names)
	}
	var out []Option
	for _, name := range names {
		p := s.Properties[name]
		out = append(out, Option{prefix + name, typeWords(p), string(p.Default), p.Description})
		switch {
		case len(p.Properties) > 0:
			out = append(out, described(p, prefix+name+".")...)
		case p.Items != nil && len(p.Items.Properties) > 0:
			out = append(out, described(p.Items, prefix+name+"[].")...)
		}
	}
	return out
}

// typeWords says in words what a value must be.
func typeWords(s *jsonschema.Schema) string {
	switch {
	case len(s.Enum) > 0:
		words := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			words[i] = fmt.Sprint(e)
		}
		return strings.Join(words, " | ")
	case len(s.AnyOf) == 2 && s.AnyOf[1].Items != nil:
		return "list of " + typeWords(s.AnyOf[0])
	case len(s.AnyOf) == 2:
		return "size"
	case s.Type == "string" && s.Pattern != "":
		return "duration"
	case s.Type == "string":
		return "text"
	case s.Type == "integer":
		return "whole number"
	case s.Type == "boolean":
		return "true | false"
	case s.Type == "array" && s.Items != nil:
		return "list of " + typeWords(s.Items)
	case s.Type == "object" && s.AdditionalProperties != nil && len(s.Properties) == 0:
		return "mapping to " + typeWords(s.AdditionalProperties)
	case s.Type == "object":
		return "mapping"
	}
	return s.Type
}
