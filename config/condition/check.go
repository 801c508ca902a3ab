package condition

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/trammel-dev/trammel/handlers/rule"
)

// compileAll compiles every expression of a rule, by its source, and returns
// what is wrong with the rule. An error within an expression is an *Error with
// its position.
func compileAll(c *rule.Config) (map[string]string, error) {
	if err := rule.CheckVerb(c.Do); err != nil {
		return nil, err
	}
	code := map[string]string{}
	if c.When != "" {
		if err := compileAt(code, "when", c.When, reflect.Bool); err != nil {
			return nil, err
		}
		if err := checkSpelling(c.When); err != nil {
			return nil, at("when", err)
		}
	}
	if c.After != "" {
		if err := compileAt(code, "after", c.After, reflect.Bool); err != nil {
			return nil, err
		}
	}
	if err := checkParts(c); err != nil {
		return nil, err
	}
	if err := compileTemplate(code, c.Reason); err != nil {
		return nil, at("reason", err)
	}
	if err := compileTemplate(code, c.Text); err != nil {
		return nil, at("text", err)
	}
	for _, name := range c.InputNames() {
		if err := compileAt(code, "input."+name, c.Input[name], reflect.Invalid); err != nil {
			return nil, err
		}
	}
	if c.Output != "" {
		return code, compileAt(code, "output", c.Output, reflect.Invalid)
	}
	return code, nil
}

// checkParts says which parts of a rule do not fit what it does.
func checkParts(c *rule.Config) error {
	decides := c.Do == "deny" || c.Do == "ask" || c.Do == "allow"
	switch {
	case c.Reason != "" && !decides && c.Do != "rewrite":
		return fmt.Errorf("reason is for deny, ask, allow and rewrite, but the rule does %s", c.Do)
	case c.Text != "" && c.Do != "context":
		return fmt.Errorf("text is for context, but the rule does %s", c.Do)
	case c.Text == "" && c.Do == "context":
		return fmt.Errorf("text is missing: what to tell the model")
	case (len(c.Input) > 0 || c.Output != "") && c.Do != "rewrite":
		return fmt.Errorf("input and output are for rewrite, but the rule does %s", c.Do)
	case len(c.Input) == 0 && c.Output == "" && c.Do == "rewrite":
		return fmt.Errorf("input or output is missing: what to rewrite")
	case c.Finding != nil && c.Finding.Code == "":
		return fmt.Errorf("findings.code is missing")
	}
	switch c.Unknown {
	case "", "deny", "ask", "allow":
		return nil
	}
	return fmt.Errorf("unknown is %q, expected deny, ask or allow", c.Unknown)
}

// compileAt compiles the expression at a place of the declaration.
func compileAt(code map[string]string, where, source string, want reflect.Kind) error {
	node, err := compile(source, want)
	if err != nil {
		return at(where, err)
	}
	code[source] = node.String()
	return nil
}

// compileTemplate compiles each ${expression} of a text.
func compileTemplate(code map[string]string, whole string) error {
	pieces, err := rule.Split(whole)
	var open *rule.OpenError
	if errors.As(err, &open) {
		e := &Error{Line: 1, Column: 1, Message: "${ is not closed", Expected: open.Expected()}
		return e.within(whole[:open.At])
	}
	for _, p := range pieces {
		if p.At == 0 {
			continue
		}
		err := compileAt(code, "", p.Source, reflect.Invalid)
		if e, ok := err.(*Error); ok {
			return e.within(whole[:p.At])
		} else if err != nil {
			return err
		}
	}
	return nil
}

// at adds the position of the expression to an error.
func at(where string, err error) error {
	if e, ok := err.(*Error); ok {
		e.Where = where
	}
	return err
}
