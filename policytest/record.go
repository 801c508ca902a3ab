package policytest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/lazy"
	"github.com/trammel-dev/trammel/internal/secret"
)

// record is what a case needs of a record of the evidence.
type record struct {
	ID, Host, Event, Name string
	Session               struct{ Agent, Mode string }
	Verdict               *struct{ Decision string }
	Payload               json.RawMessage
}

// FromRecord makes a case of a record of the evidence: the same event, and the
// decision that there should have been. "" for that is the contrary of what was
// decided: deny where the call was let through, and none where it was not.
func FromRecord(body []byte, known *dialects.Set, decision string) (*Case, error) {
	var r record
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, err
	}
	if r.Verdict == nil {
		return nil, fmt.Errorf("record %s was not judged", r.ID)
	}
	was := trammel.None.String()
	if r.Verdict.Decision != "" {
		was = r.Verdict.Decision
	}
	if decision == "" {
		if decision = trammel.None.String(); was == decision || was == trammel.Allow.String() {
			decision = trammel.Deny.String()
		}
	}
	if _, err := trammel.ParseDecision(decision); err != nil {
		return nil, err
	}
	c := &Case{Name: fmt.Sprintf("record %s was wrong: %s", r.ID, was), On: r.Event, Host: r.Host, Expect: Expect{Decision: decision},
		Session: Session{Agent: r.Session.Agent, Mode: r.Session.Mode}}
	if len(r.Payload) == 0 {
		return nil, fmt.Errorf("the evidence keeps no payload of record %s: see evidence.payload in the settings", r.ID)
	}
	dialect, ok := known.Host(r.Host)
	if !ok {
		return nil, fmt.Errorf("record %s is of an unknown host %q", r.ID, r.Host)
	}
	ev, err := dialect.DecodeEvent(r.Payload, cmp.Or(r.Name, r.Event))
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", r.ID, err)
	}
	if ev.Tool != nil {
		c.Tool, c.Input, c.Output = ev.Tool.Name, ev.Tool.Input, ev.Tool.Output
	}
	if ev.Prompt != nil {
		c.Prompt = ev.Prompt.Text
	}
	return c, nil
}

// Text is the case as an item of a list of tests, indented like the others.
func (c *Case) Text(indent string) ([]byte, error) {
	text, err := yaml.MarshalWithOptions([]*Case{c}, yaml.UseLiteralStyleIfMultiline(true))
	if err != nil {
		return nil, err
	}
	if secret.Marked(string(text)) {
		text = append([]byte("# What is [REDACTED] was a secret: put something like it there.\n"), text...)
	}
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		out.WriteString(indent + line)
	}
	return []byte(out.String()), nil
}

// item is the first of a list of tests.
var item = lazy.Regexp(`(?m)^( *)- +name:`)

// Save appends a case to a *_test.yaml file, and makes the file if there is none.
// A file that it would not fit into stays as it is.
func Save(path string, c *Case) error {
	before, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		before = []byte("tests:\n")
	case err != nil:
		return err
	case len(before) > 0 && before[len(before)-1] != '\n':
		before = append(before, '\n')
	}
	indent := "  "
	if m := item().FindSubmatch(before); m != nil {
		indent = string(m[1])
	}
	text, err := c.Text(indent)
	if err != nil {
		return err
	}
	whole := append(before, text...)
	cases, err := parse(path, whole)
	if err != nil {
		return fmt.Errorf("the case does not fit into the file, its list of tests has to be the last thing in it: %w", err)
	}
	for _, other := range cases[:len(cases)-1] {
		if other.Name == c.Name {
			return fmt.Errorf("%s has this case already: %s", path, c.Name)
		}
	}
	return os.WriteFile(path, whole, 0o644)
}
