package rule

import (
	"fmt"
	"reflect"
)

// Check says what is wrong with a rule: it compiles every expression. What is
// wrong within an expression is an *Error with its place.
func Check(c Config) error {
	d, err := parseVerb(c.Do)
	if err != nil {
		return err
	}
	if c.When != "" {
		if _, err := compileAt("when", c.When, reflect.Bool); err != nil {
			return err
		}
		if err := checkSpelling(c.When); err != nil {
			return at("when", err)
		}
	}
	decides := d == deny || d == ask || d == allow
	switch {
	case c.Reason != "" && !decides:
		return fmt.Errorf("reason is for deny, ask and allow, but the rule does %s", d)
	case c.Text != "" && d != addContext:
		return fmt.Errorf("text is for context, but the rule does %s", d)
	case c.Text == "" && d == addContext:
		return fmt.Errorf("text is missing: what to tell the model")
	case (len(c.Input) > 0 || c.Output != "") && d != rewrite:
		return fmt.Errorf("input and output are for rewrite, but the rule does %s", d)
	case len(c.Input) == 0 && c.Output == "" && d == rewrite:
		return fmt.Errorf("input or output is missing: what to rewrite")
	case c.Finding != nil && c.Finding.Code == "":
		return fmt.Errorf("findings.code is missing")
	}
	switch c.Unknown {
	case "", "deny", "ask", "allow":
	default:
		return fmt.Errorf("unknown is %q, expected deny, ask or allow", c.Unknown)
	}
	_, err = compileOutcome(&c)
	return err
}
