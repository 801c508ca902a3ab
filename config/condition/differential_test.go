package condition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/handlers/rule"
)

// vocabularies are events as expressions see them: full, with other types, and
// empty.
func vocabularies() []*rule.Vocabulary {
	full := &rule.Vocabulary{Event: "pre_tool_use", Name: "N", Host: "claude-code", Command: "git push --force", Program: "git",
		Path:  "a/b.go",
		Paths: []string{"a/b.go", "x", "é/ü.md"}, Prompt: "héllo", Reason: "3", Source: "[1, {\"k\": null}]"}
	full.Input = map[string]any{"n": int64(7), "f": 7.5, "big": uint64(1<<63 + 1), "s": "text", "t": "b", "yes": true, "none": nil,
		"zero": int64(0),
		"list": []any{int64(3), "a", 2.5, nil, true}, "ints": []any{int64(3), int64(1), int64(2), int64(1)}, "words": []any{"b", "a", "c", "a"},
		"obj": map[string]any{"k": int64(1), "a b": "x", "deep": map[string]any{"l": []any{int64(1)}}}, "nested": []any{[]any{int64(1)}, []any{}},
		"objs": []any{map[string]any{"id": int64(1), "on": true}, map[string]any{"id": int64(2), "on": false}}, "empty": []any{},
		"json": `{"a": [1]}`}
	full.Facts = map[string]map[string]any{"h": {"k": true, "n": 3, "words": []string{"p", "q"}}}
	full.Session.Mode, full.Session.Bypass, full.Session.Parents = "plan", true, []string{"root"}
	full.Action.Kind, full.Action.Paths = "shell", full.Paths
	full.Args.List, full.Args.Text = []string{"push", "--force"}, "push --force"
	odd := *full
	odd.Input = map[string]any{"n": "7", "f": int64(7), "big": -1, "s": int64(3), "t": true, "yes": "yes", "none": "x", "zero": 0.0,
		"list": "abc",
		"ints": []int{2, 1}, "words": []string{"x"}, "obj": []any{}, "nested": map[string]any{}, "objs": nil, "empty": map[string]any{},
		"json": "{"}
	out := []*rule.Vocabulary{full, &odd, {}}
	for _, v := range out {
		words := v.Args.List
		has := func(any ...string) bool {
			return slices.ContainsFunc(any, func(w string) bool { return slices.Contains(words, w) })
		}
		v.Args.Has, v.Args.Begins, v.Args.Starts = has, has, func(any ...string) bool { return len(any) > 1 }
		v.Args.Value = func(names ...string) string { return strings.Join(names, "=") }
		v.Runs, v.Reads, v.Writes, v.Deletes, v.TalksTo, v.Sends = has, has, has, has, has, has
		if v.Program == "" {
			continue
		}
		runs := reflect.MakeSlice(reflect.TypeOf(v.Commands), 2, 2)
		runs.Index(0).FieldByName("Program").SetString("git")
		runs.Index(1).FieldByName("Program").SetString("ls")
		for i := range 2 {
			runs.Index(i).FieldByName("Args").Set(reflect.ValueOf(v.Args))
		}
		reflect.ValueOf(v).Elem().FieldByName("Commands").Set(runs)
		v.Effects.Runs = v.Commands
		files := reflect.MakeSlice(reflect.TypeOf(v.Effects.Files), 3, 3)
		for i, op := range []string{"write", "read", "write"} {
			files.Index(i).FieldByName("Op").SetString(op)
			files.Index(i).FieldByName("Path").SetString(v.Paths[i])
		}
		reflect.ValueOf(&v.Effects).Elem().FieldByName("Files").Set(files)
	}
	return out
}

// plain makes results comparable: numbers by value and whether they are whole,
// lists and maps by what is in them.
func plain(v any) any {
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return r.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return int64(r.Uint())
	case reflect.Float64:
		return fmt.Sprint(math.Float64bits(r.Float()))
	case reflect.Slice, reflect.Array:
		out := []any{}
		for i := range r.Len() {
			out = append(out, plain(r.Index(i).Interface()))
		}
		return out
	case reflect.Map:
		out := map[string]any{}
		for _, key := range r.MapKeys() {
			out[fmt.Sprintf("%v", plain(key.Interface()))] = plain(r.MapIndex(key).Interface())
		}
		return out
	case reflect.Struct:
		if s, ok := v.(asScope); ok {
			return plain(s.v.Interface())
		}
		out := map[string]any{}
		for i := range r.NumField() {
			if f := r.Field(i); f.Kind() != reflect.Func {
				out[r.Type().Field(i).Name] = plain(f.Interface())
			}
		}
		return out
	}
	return v
}

// agree compares an expression with expr's machine on all vocabularies, and
// returns how many gave a value and how many a fault.
func agree(t *testing.T, source string, vocabularies []*rule.Vocabulary) (values, faults int) {
	t.Helper()
	node, refused := compile(source, reflect.Invalid)
	for i, voc := range vocabularies {
		want, fault, ok := reference(source, voc)
		if !ok || refused != nil {
			if ok && !strings.Contains(refused.Error(), "it is not a value") {
				t.Errorf("%s: refused: %v", source, refused)
			} else if !ok && refused == nil {
				t.Errorf("%s: taken, and expr does not", source)
			}
			return 0, 0
		}
		got, err := node.Run(asScope{reflect.ValueOf(voc).Elem()})
		switch {
		case fault != (err != nil):
			t.Errorf("%s on %d: got %#v %v, want %#v, fault %v\n%s", source, i, got, err, want, fault, node)
		case fault:
			faults++
		case !reflect.DeepEqual(plain(got), plain(want)):
			t.Errorf("%s on %d: got %#v, want %#v\n%s", source, i, got, want, node)
		default:
			values++
		}
	}
	return values, faults
}

// Each line of the file is an expression.
func TestEvaluationAgreesWithExpr(t *testing.T) {
	data, err := os.ReadFile("testdata/expressions.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := vocabularies()
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '%' {
			continue
		}
		if values, faults := agree(t, line, all); values+faults == 0 {
			t.Errorf("%s: it does not compile", line)
		}
	}
}

func TestMadeUpExpressionsAgreeWithExpr(t *testing.T) {
	all := vocabularies()
	r := rand.New(rand.NewPCG(3, 4))
	values, faults := 0, 0
	for range 3_000 {
		g := generator{r: r}
		v, f := agree(t, g.any(1+r.IntN(4)), all)
		values, faults = values+v, faults+f
		if t.Failed() {
			return
		}
	}
	t.Logf("%d values, %d faults", values, faults)
	if values < 3_000 || faults < 2_000 {
		t.Errorf("the made-up expressions are too uniform: %d values, %d faults", values, faults)
	}
}
