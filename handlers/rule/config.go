package rule

import (
	"fmt"
	"maps"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Config is a rule as declared.
type Config struct {
	// Do is what happens if the condition is true: deny, ask, allow, context, rewrite.
	Do string
	// When is the condition; empty is always true.
	When string
	// After is a condition on what the session has done before, which must also
	// be true.
	After string
	// Reason explains a deny, ask, allow or rewrite, Text is what context adds. Both may
	// contain ${expression}; $${ means a literal ${.
	Reason string
	Text   string
	// Input are expressions for the arguments that a rewrite replaces, by
	// name; Output is one for the tool's output.
	Input  map[string]string
	Output string
	// Match selects the effects for which the condition is evaluated, one after
	// the other. Its Doubt follows from Unknown.
	Match match.Spec
	// Unknown is what happens if it is unknown whether the rule applies: deny,
	// ask or allow. Empty means ask for rules that deny or ask, and allow for
	// all others.
	Unknown string
	// Finding is the typed reason that goes with the answer, if any.
	Finding *Finding

	// Set by config/condition. Prepared is false if that has not run.
	Prepared bool
	Code     map[string]string // compiled expressions, by their source
	Each     bool              // the condition is about one program at a time
	Needs    []match.Need      // terms that must all be true
	Whole    bool              // they are the whole condition
}

// Finding is the code and severity of trammel.Finding.
type Finding struct{ Code, Severity string }

// Read reads a Config from JSON. It refuses unknown fields.
func Read(data []byte) (Config, error) {
	f, err := strict.Read(data)
	if err != nil {
		return Config{}, err
	}
	c := Config{Do: f.String("do"), When: f.String("when"), After: f.String("after"), Reason: f.String("reason"), Text: f.String("text"),
		Output: f.String("output"), Unknown: f.String("unknown")}
	f.Part("match", func(f *strict.Fields) { err = c.readMatch(f) })
	if err != nil {
		return c, err
	}
	if err := readTexts(f, "input", "an expression", &c.Input); err != nil {
		return c, err
	}
	f.Part("findings", func(f *strict.Fields) { c.Finding = &Finding{f.String("code"), f.String("severity")} })
	c.Prepared = f.Part("prepared", func(f *strict.Fields) { err = c.readPrepared(f) })
	if err == nil {
		err = f.Done()
	}
	return c, err
}

func (c *Config) readMatch(f *strict.Fields) error {
	c.Match = match.Spec{Programs: f.Strings("programs"), Paths: f.Strings("paths"), To: f.Strings("to")}
	for _, word := range f.Strings("actions") {
		a, err := trammel.ParseActionKind(word)
		if err != nil {
			return err
		}
		c.Match.Actions = append(c.Match.Actions, a)
	}
	return nil
}

// readTexts reads an object of strings; it leaves the map nil if there is none.
func readTexts(f *strict.Fields, key, expected string, out *map[string]string) error {
	obj := f.Object(key)
	if obj != nil {
		*out = make(map[string]string, len(obj))
	}
	for name, v := range obj {
		text, ok := v.(string)
		if !ok {
			return fmt.Errorf("%s.%s is not a string, expected %s", key, name, expected)
		}
		(*out)[name] = text
	}
	return nil
}

func (c *Config) readPrepared(f *strict.Fields) error {
	c.Each, c.Whole = f.Bool("each"), f.Bool("whole")
	if err := readTexts(f, "code", "a compiled expression", &c.Code); err != nil {
		return err
	}
	for i, v := range f.List("needs") {
		obj, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("needs[%d] is not an object", i)
		}
		f := strict.FieldsOf(obj, fmt.Sprintf("needs[%d]", i))
		n := match.Need{Field: f.String("field"), Op: match.Op(f.String("op")), Values: f.Strings("values")}
		if err := f.Done(); err != nil {
			return err
		}
		if err := n.Check(); err != nil {
			return fmt.Errorf("needs[%d]: %w", i, err)
		}
		c.Needs = append(c.Needs, n)
	}
	return nil
}

// JSON writes the Config in canonical form, so that equal rules have equal bytes.
func (c *Config) JSON() ([]byte, error) {
	obj := map[string]any{"do": c.Do}
	for key, text := range map[string]string{"when": c.When, "after": c.After, "reason": c.Reason, "text": c.Text, "output": c.Output} {
		if text != "" {
			obj[key] = text
		}
	}
	if len(c.Input) > 0 {
		obj["input"] = c.Input
	}
	if m := MatchJSON(&c.Match); m != nil {
		obj["match"] = m
	}
	if c.Unknown != "" {
		obj["unknown"] = c.Unknown
	}
	if c.Finding != nil {
		obj["findings"] = map[string]string{"code": c.Finding.Code, "severity": c.Finding.Severity}
	}
	if c.Prepared {
		needs := make([]any, len(c.Needs))
		for i, n := range c.Needs {
			needs[i] = map[string]any{"field": n.Field, "op": string(n.Op), "values": n.Values}
		}
		obj["prepared"] = map[string]any{"each": c.Each, "whole": c.Whole, "needs": needs, "code": c.Code}
	}
	return canonical.Append(nil, obj)
}

// MatchJSON is a Spec as stored in a Config, nil if it is empty.
func MatchJSON(s *match.Spec) map[string]any {
	if s.Empty() {
		return nil
	}
	obj := map[string]any{}
	if len(s.Actions) > 0 {
		words := make([]string, len(s.Actions))
		for i, a := range s.Actions {
			words[i] = a.String()
		}
		obj["actions"] = words
	}
	for key, list := range map[string][]string{"programs": s.Programs, "paths": s.Paths, "to": s.To} {
		if len(list) > 0 {
			obj[key] = list
		}
	}
	return obj
}

// doubts is what happens if something is unknown: deny, ask or allow.
func (c *Config) doubts() verb {
	switch {
	case c.Unknown != "":
		return verb(c.Unknown)
	case verb(c.Do) == deny || verb(c.Do) == ask:
		return ask
	}
	return allow
}

// InputNames are the arguments that a rewrite replaces, in a fixed order.
func (c *Config) InputNames() []string { return slices.Sorted(maps.Keys(c.Input)) }

// Prefilter is what was derived from the condition, so that an index can skip
// the rule without reading it.
func (c *Config) Prefilter() match.Prefilter {
	p := match.Prefilter{Spec: c.Match, Each: c.Each, Needs: c.Needs}
	p.Doubt = c.doubts() != allow
	return p
}

// Rewrites reports whether the rule changes the call or its output.
func (c *Config) Rewrites() bool { return verb(c.Do) == rewrite }
