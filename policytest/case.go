// Package policytest runs the tests that people write for their rules:
// *_test.yaml files with events and the verdicts that they expect.
package policytest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/nearest"
	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// File is a *_test.yaml file.
type File struct {
	Tests []Case `yaml:"tests"`
}

// Case is one event and what is expected of its verdict.
type Case struct {
	Name string `yaml:"name"`
	// On is the event, by any agent's name for it.
	On string `yaml:"on"`
	// Host is the agent that reports it; its tools are translated as that
	// agent's are.
	Host    string         `yaml:"host,omitempty"`
	Tool    string         `yaml:"tool,omitempty"`
	Input   map[string]any `yaml:"input,omitempty"`
	Output  string         `yaml:"output,omitempty"`
	Prompt  string         `yaml:"prompt,omitempty"`
	Session Session        `yaml:"session,omitempty"`
	// Before are calls that the same session has made before, one after the other.
	Before []Call `yaml:"before,omitempty"`
	// Payload is what the host would send, instead of the fields above.
	Payload map[string]any `yaml:"payload,omitempty"`
	Expect  Expect         `yaml:"expect"`
}

// Call is a call of a tool.
type Call struct {
	Tool  string         `yaml:"tool"`
	Input map[string]any `yaml:"input,omitempty"`
}

// Session is the part of a session that rules look at.
type Session struct {
	ID    string `yaml:"id,omitempty"`
	Dir   string `yaml:"dir,omitempty"`
	Agent string `yaml:"agent,omitempty"`
	Mode  string `yaml:"mode,omitempty"`
	Model string `yaml:"model,omitempty"`
	User  string `yaml:"user,omitempty"`
}

// Expect is what a verdict must be. What is left out is not looked at, but
// for the decision: left out, it must be none.
type Expect struct {
	Decision string         `yaml:"decision,omitempty"`
	Reason   string         `yaml:"reason,omitempty"` // must be contained
	Hooks    []string       `yaml:"hooks,omitempty"`  // exactly these said something, in order
	Input    map[string]any `yaml:"input,omitempty"`  // these arguments after all rewrites
	Output   *string        `yaml:"output,omitempty"`
	Context  []string       `yaml:"context,omitempty"` // each must be contained in some context
	Notice   string         `yaml:"notice,omitempty"`  // must be contained
	Failed   []string       `yaml:"failed,omitempty"`  // exactly these hooks failed
}

// Result is how one case went. Diff is empty when it passed.
type Result struct {
	File string `json:"file"`
	Name string `json:"name"`
	// Outcome is passed or failed.
	Outcome string        `json:"result"`
	Diff    []Difference  `json:"diff,omitempty"`
	Err     string        `json:"error,omitempty"`
	Took    time.Duration `json:"took_ns"`
}

// Passed reports whether everything was as expected.
func (r *Result) Passed() bool { return len(r.Diff) == 0 && r.Err == "" }

// Difference is one thing that was not as expected.
type Difference struct {
	What string `json:"what"`
	Want string `json:"want"`
	Got  string `json:"got"`
	By   string `json:"by,omitempty"` // the hook that decided
}

// Find returns the *_test.yaml files among the given files and below the given
// directories.
func Find(paths ...string) ([]string, error) {
	var out []string
	for _, path := range paths {
		fi, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !fi.IsDir() {
			out = append(out, path)
			continue
		}
		err = filepath.WalkDir(path, func(p string, d os.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && p != path && (d.Name()[0] == '.' || d.Name() == "node_modules" || d.Name() == "vendor"):
				return filepath.SkipDir
			}
			if ok, _ := filepath.Match("*_test.y*ml", d.Name()); ok && !d.IsDir() {
				out = append(out, p)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Read takes the cases of a file. Errors name line and column.
func Read(path string) ([]Case, error) {
	data, err := files.Named(path)
	if err != nil {
		return nil, err
	}
	return parse(path, data)
}

func parse(path string, data []byte) ([]Case, error) {
	data = yamldoc.Clean(data)
	root, wrong := yamldoc.Parse(data)
	if wrong != nil {
		return nil, config.Misread(path, data, wrong)
	}
	var f File
	if root != nil {
		dec := yaml.NewDecoder(bytes.NewReader(data), yaml.DisallowUnknownField())
		if err := dec.DecodeFromNodeContext(context.Background(), root, &f); err != nil {
			return nil, config.Misread(path, data, worded(yamldoc.Syntax(err)))
		}
	}
	if len(f.Tests) == 0 {
		return nil, fmt.Errorf("%s: no tests in it, expected a list under `tests:`", path)
	}
	for i := range f.Tests {
		if wrong := f.Tests[i].check(); wrong != nil {
			wrong.Mark = placeOf(root, i)
			return nil, config.Misread(path, data, wrong)
		}
	}
	return f.Tests, nil
}

// worded says what the decoder says in words of the file, and which key was probably
// meant by one that is unknown.
func worded(p *yamldoc.Problem) *yamldoc.Problem {
	if _, kind, ok := strings.Cut(p.Message, " of type "); ok && strings.HasPrefix(p.Message, "cannot unmarshal") {
		p.Message, p.Expected = "the value is of the wrong type", "text"
		switch {
		case strings.HasPrefix(kind, "[]"):
			p.Expected = "a list"
		case kind != "string":
			p.Expected = "a mapping"
		}
	}
	if _, kind, ok := strings.Cut(p.Message, " was used where "); ok {
		p.Message, p.Expected = "the value is of the wrong type", "a "+strings.TrimSuffix(kind, " is expected")
	}
	if name, ok := strings.CutPrefix(p.Message, "unknown field "); ok {
		p.Message = "unknown key " + name
		test, expect := keys(reflect.TypeFor[Case]()), keys(reflect.TypeFor[Expect]())
		known := slices.Concat(keys(reflect.TypeFor[File]()), test, keys(reflect.TypeFor[Call]()), keys(reflect.TypeFor[Session]()), expect)
		if near := nearest.Word(strings.Trim(name, `"`), known); near != "" {
			p.Message += fmt.Sprintf(", did you mean %q?", near)
		} else {
			p.Expected = "in a test: " + strings.Join(test, ", ") + "; in its expect: " + strings.Join(expect, ", ")
		}
	}
	return p
}

// keys are the names that YAML has for the fields of a type.
func keys(t reflect.Type) (out []string) {
	for i := range t.NumField() {
		out = append(out, strings.TrimSuffix(t.Field(i).Tag.Get("yaml"), ",omitempty"))
	}
	return out
}

// placeOf is where a test begins in its file.
func placeOf(root ast.Node, test int) yamldoc.Mark {
	list, _ := yamldoc.Pairs(root)
	for _, kv := range list {
		if tests, ok := kv.Value.(*ast.SequenceNode); ok && test < len(tests.Values) {
			at := yamldoc.MarkOf(tests.Values[test])
			return yamldoc.Mark{Line: at.Line, Column: at.Column}
		}
	}
	return yamldoc.Mark{Line: 1, Column: 1}
}

// check finds what would make a case one that can never pass.
func (c *Case) check() *yamldoc.Problem {
	switch {
	case c.Name == "":
		return &yamldoc.Problem{Message: "the test has no name", Expected: "the key name"}
	case c.On == "" && c.Payload == nil:
		return &yamldoc.Problem{Message: fmt.Sprintf("%q does not say on which event", c.Name), Expected: "on: and an event, such as PreToolUse"}
	case c.Expect.Decision == "":
		return nil
	case c.Expect.Decision == "rewrite":
		return &yamldoc.Problem{Message: fmt.Sprintf("%q: a rewrite is no decision", c.Name),
			Expected: "the rewritten arguments in expect.input, or the text in expect.output"}
	}
	if _, err := trammel.ParseDecision(c.Expect.Decision); err != nil {
		return &yamldoc.Problem{Message: fmt.Sprintf("%q: expect: %v", c.Name, err)}
	}
	return nil
}
