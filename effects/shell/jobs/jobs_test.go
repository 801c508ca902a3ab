package jobs

import (
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// fake knows nothing but one function.
type fake struct {
	f    *syntax.Stmt
	deep bool
}

func (f *fake) Step() bool                               { return true }
func (f *fake) Deep()                                    { f.deep = true }
func (f *fake) Holds([]*syntax.Stmt) (holds, known bool) { return false, false }
func (f *fake) Function(name string) (*syntax.Stmt, func()) {
	if name != "f" {
		return nil, nil
	}
	return f.f, func() {}
}

func parse(t *testing.T, text string) []*syntax.Stmt {
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		t.Fatal(err)
	}
	return file.Stmts
}

func TestOf(t *testing.T) {
	for body, want := range map[string]Jobs{
		"a & b &":                          {Running: 2, begun: true},
		"a & wait":                         {begun: true},
		"wait; a &":                        {Running: 1, Leads: true, begun: true},
		"a & b & wait -n":                  {Running: 1, begun: true},
		"(a &)":                            {Lost: true, begun: true},
		"(a & wait)":                       {begun: true},
		"a & disown":                       {Running: 1, Lost: true, begun: true},
		"a | b":                            {},
		"sleep 1":                          {Paced: true},
		"sleep 0.1":                        {},
		"read x":                           {Paced: true},
		"f":                                {Running: 1, begun: true},
		"break; a &":                       {Leaves: true},
		"x && break; a &":                  {Running: 1, begun: true},
		"if x; then a & else b; fi":        {Running: 1, begun: true},
		"if x; then exit; else a & fi":     {Running: 1, begun: true},
		"case x in y) a & ;; esac":         {Running: 1, begun: true},
		"while x; do a & break; done; b &": {Running: 2, begun: true},
		"{ a & }":                          {Running: 1, begun: true},
	} {
		if got := Of(parse(t, body), &fake{f: parse(t, "g &")[0]}); got != want {
			t.Errorf("%s: %+v, want %+v", body, got, want)
		}
	}
}

func TestDeep(t *testing.T) {
	for name, body := range map[string]string{
		"blocks":   strings.Repeat("{ ", 30) + "a & " + strings.Repeat("}; ", 30),
		"branches": "if x; then y; " + strings.Repeat("elif x; then y; ", 30) + "else a & fi",
		"itself":   "f",
	} {
		sh := &fake{f: parse(t, "f")[0]}
		if Of(parse(t, body), sh); !sh.deep {
			t.Errorf("%s: nothing says that something was left out", name)
		}
	}
}
