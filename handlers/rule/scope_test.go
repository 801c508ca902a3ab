package rule

import (
	"reflect"
	"testing"

	"github.com/trammel-dev/trammel"
)

// Every name that expressions are checked against stands for a value of the
// type that it has there, also where the event has no such part.
func TestScopeKnowsTheVocabulary(t *testing.T) {
	for _, ev := range []*trammel.Event{{}, {Tool: &trammel.ToolCall{Name: "Bash", Action: trammel.Action{Kind: trammel.ShellAction,
		Command: "curl -o x h.io"}}}} {
		s := &scope{ev: ev}
		var walk func(prefix string, typ reflect.Type)
		walk = func(prefix string, typ reflect.Type) {
			for i := range typ.NumField() {
				f := typ.Field(i)
				name := prefix + f.Tag.Get("expr")
				if f.Type.Kind() == reflect.Func {
					for _, called := range []string{name, prefix + "#" + f.Tag.Get("expr")} {
						if v, ok := s.Ask(called, []string{"x"}); !ok || reflect.TypeOf(v) != f.Type.Out(0) {
							t.Errorf("%s answers %T", called, v)
						}
					}
					continue
				}
				v, ok := s.Value(name)
				if text, isText := s.Text(name); isText {
					v, ok = text, true
				}
				record := f.Type
				if f.Type.Kind() == reflect.Slice {
					record = f.Type.Elem()
				}
				switch {
				case !ok:
					t.Errorf("%s stands for nothing", name)
				case f.Type.Kind() == reflect.Struct:
					walk(name+".", f.Type)
				case record.Kind() == reflect.Struct:
					items(t, name, v, record)
				case reflect.TypeOf(v) != f.Type:
					t.Errorf("%s is %T, expected %v", name, v, f.Type)
				}
			}
		}
		walk("", reflect.TypeFor[Vocabulary]())
	}
}

// items compares the fields of the items of a list.
func items(t *testing.T, name string, list any, record reflect.Type) {
	for _, item := range list.([]any) {
		for i := range record.NumField() {
			f := record.Field(i)
			v, ok := item.(interface{ Field(string) (any, bool) }).Field(f.Tag.Get("expr"))
			if !ok || f.Type.Kind() != reflect.Struct && reflect.TypeOf(v) != f.Type {
				t.Errorf("%s of %s is %T, expected %v", f.Name, name, v, f.Type)
			}
		}
	}
}
