package strict

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
)

func TestObject(t *testing.T) {
	raw := ` {"s":"é\u00e9","i":9223372036854775807,"n":-9223372036854775808,"u":18446744073709551615,"f":1.5,"e":1e3,
		"b":true,"z":null,"l":[1,[],{}],"o":{"k":"v"}}` + "\n"
	got, err := Object([]byte(raw), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"s": "éé", "i": int64(math.MaxInt64), "n": int64(math.MinInt64), "u": uint64(math.MaxUint64), "f": 1.5, "e": 1000.0,
		"b": true, "z": nil, "l": []any{int64(1), []any{}, map[string]any{}}, "o": map[string]any{"k": "v"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
}

// Each of these is understood differently by some reader; none may pass.
func TestObjectRefuses(t *testing.T) {
	for name, c := range map[string]struct{ raw, says string }{
		"empty":              {"", "nothing"},
		"white space":        {" \n", "nothing"},
		"null":               {"null", "a JSON null"},
		"list":               {"[]", "a JSON list"},
		"string":             {`"x"`, "a JSON string"},
		"number":             {"1", "a JSON number"},
		"duplicate":          {`{"a":1,"a":2}`, "duplicate"},
		"duplicate escaped":  {`{"a":1,"\u0061":2}`, "duplicate"},
		"duplicate below":    {`{"x":[{"a":1,"a":2}]}`, "/x/0"},
		"two objects":        {`{}{}`, "second JSON value at byte"},
		"garbage after":      {`{} x`, "at byte 3"},
		"comma at end":       {`{"a":1,}`, "at byte"},
		"cut":                {`{"a":"b`, "at byte"},
		"invalid UTF-8":      {"{\"a\":\"\xff\"}", "UTF-8"},
		"invalid UTF-8 key":  {"{\"\xff\":1}", "UTF-8"},
		"lone surrogate":     {`{"a":"\ud800"}`, "at byte"},
		"raw NUL":            {"{\"a\":\"\x00\"}", "at byte"},
		"2^64":               {`{"a":18446744073709551616}`, "64 bits"},
		"2^70":               {`{"a":{"b":1180591620717411303424}}`, "/a/b"},
		"below int64":        {`{"a":-9223372036854775809}`, "64 bits"},
		"1e999":              {`{"a":1e999}`, "64 bits"},
		"NaN":                {`{"a":NaN}`, "at byte"},
		"leading zero":       {`{"a":01}`, "at byte"},
		"byte order mark":    {"\ufeff{}", "at byte 0"},
		"deep":               {`{"a":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "}", "deeper than 128"},
		"deep beyond reason": {`{"a":` + strings.Repeat("[", 100_000), "deeper than 128"},
	} {
		t.Run(name, func(t *testing.T) {
			obj, err := Object([]byte(c.raw), Limits{})
			if err == nil {
				t.Fatalf("got %v, want an error", obj)
			}
			if trammel.CodeOf(err) != trammel.CodeInput || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %q (%s), want %q", err, trammel.CodeOf(err), c.says)
			}
		})
	}
}

func TestDepthLimit(t *testing.T) {
	nested := func(n int) []byte { return []byte(strings.Repeat(`{"a":`, n-1) + "{}" + strings.Repeat("}", n-1)) }
	if _, err := Object(nested(3), Limits{Depth: 3}); err != nil {
		t.Error(err)
	}
	if _, err := Object(nested(4), Limits{Depth: 3}); err == nil {
		t.Error("4 levels passed a limit of 3")
	}
	if _, err := Object(nested(DefaultDepth), Limits{}); err != nil {
		t.Error(err)
	}
}

func TestCaseVariant(t *testing.T) {
	known := []string{"tool_name", "cwd"}
	for _, key := range []string{"TOOL_NAME", "Tool_Name", "tool_namE", "ｔｏｏｌ＿ｎａｍｅ",
		"tооl_name" /* Cyrillic o */, "tool\u200b_name", "tool_nam\u0435", "𝐭𝐨𝐨𝐥_name", "CWD", "сwd" /* Cyrillic s */, "ⓒwd",
		"⒞wd", "🅲wd", "🇨wd", "tool_na\u0301me", "TOOL‗NAME"} {
		if err := CaseVariant(map[string]any{"tool_name": 1, key: 2}, known...); trammel.CodeOf(err) != trammel.CodeInput {
			t.Errorf("%q passed", key)
		}
	}
	for _, key := range []string{"tool_name", "cwd", "toolname", "名前", "tool", "naïve"} {
		if err := CaseVariant(map[string]any{key: 2}, known...); err != nil {
			t.Errorf("%q: %v", key, err)
		}
	}
}

func TestFoldedTwins(t *testing.T) {
	for _, twin := range []string{"Command", "COMMAND", "ｃommand", "c\u043emmand", "comman\u0501"} {
		if err := FoldedTwins(map[string]any{"command": "ls", twin: "rm"}); trammel.CodeOf(err) != trammel.CodeInput {
			t.Errorf("%q passed beside command", twin)
		}
	}
	fine := map[string]any{"command": "ls", "commands": "x", "env": map[string]any{"PATH": 1, "Path": 2}}
	if err := FoldedTwins(fine); err != nil {
		t.Error(err)
	}
}

func TestNUL(t *testing.T) {
	for _, v := range []any{"a\x00", map[string]any{"a": []any{"b", "\x00"}}, []any{map[string]any{"k\x00": 1}}} {
		if err := NUL(v); trammel.CodeOf(err) != trammel.CodeInput {
			t.Errorf("%#v passed", v)
		}
	}
	if err := NUL(map[string]any{"a": []any{"b", int64(0), nil, true}}); err != nil {
		t.Error(err)
	}
}

func TestPeek(t *testing.T) {
	for raw, want := range map[string][]string{
		`{"e":"A"}`:                            {"A"},
		`{"e":"A","x":1e999,"e":"B"}`:          {"A", "B"},
		`{"x":{"e":"no"},"e":"A","y":"cut`:     {"A"},
		"{\"x\":\"\xff\",\"e\":\"A\"}":         {"A"},
		`{"e":1,"e":{"e":"no"}}`:               nil,
		`["e"]`:                                nil,
		``:                                     nil,
		`{"x":` + strings.Repeat("[", 100_000): nil,
	} {
		if got := Peek([]byte(raw), "e"); !reflect.DeepEqual(got, want) {
			t.Errorf("%.40s: got %q, want %q", raw, got, want)
		}
	}
}

func TestPeekInside(t *testing.T) {
	for raw, want := range map[string][]string{
		`{"x":{"e":"no"},"event":{"y":{"e":"no"},"e":"A"},"event":{"e":"B"}}`: {"A", "B"},
		`{"event":"no","event":{"e":"A","cut`:                                 {"A"},
		`{"event":{"e":1,"e":{}},"e":"no"}`:                                   nil,
		`{"event":{"x":1}}`:                                                   nil,
	} {
		if got := Peek([]byte(raw), "event", "e"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
	}
}

func TestHasKey(t *testing.T) {
	for raw, want := range map[string]bool{
		`{"k":1}`: true, `{"x":{"k":1},"x":2,"k":null,`: true, `{"\u006b":1}`: true,
		`{"x":{"k":1}}`: false, `{"x":"k"}`: false, `["k"]`: false, `{"x":]`: false, ``: false,
	} {
		if HasKey([]byte(raw), "k") != want {
			t.Errorf("%s: want %v", raw, want)
		}
	}
}

func TestFields(t *testing.T) {
	obj, err := Object([]byte(`{"s":"x","b":true,"i":3,"f":2,"l":["a"],"o":{"k":1},"n":null,"rest":1}`), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f := FieldsOf(obj, "")
	if f.String("s") != "x" || !f.Bool("b") || f.Int("i") != 3 || f.Float("f") != 2 || len(f.Strings("l")) != 1 || f.Object("n") != nil {
		t.Error("a field is not what it was")
	}
	if !f.Part("o", func(p *Fields) { p.Int("k") }) {
		t.Error("part o was not found")
	}
	if f.Err() != nil {
		t.Error(f.Err())
	}
	if err := f.Done(); trammel.CodeOf(err) != trammel.CodeUnknownField || !strings.Contains(err.Error(), "rest") {
		t.Errorf("got %v, want rest as an unknown field", err)
	}

	f = FieldsOf(map[string]any{"o": map[string]any{"list": []any{"a", int64(1)}}}, "")
	f.Part("o", func(p *Fields) { p.Strings("list") })
	if err := f.Done(); trammel.CodeOf(err) != trammel.CodeInput || !strings.Contains(err.Error(), "o.list") {
		t.Errorf("got %v, want o.list to be named", err)
	}
}

func TestWriterKeepsOrder(t *testing.T) {
	var w Writer
	w.Open()
	w.Text("z", "1\"")
	w.Text("empty", "")
	w.Key("a")
	w.Open()
	w.Flag("no", false)
	w.Flag("yes", true)
	w.Close()
	w.Key("list")
	w.OpenList()
	w.Open()
	w.Close()
	w.Open()
	w.Number("n", 2)
	w.Close()
	w.CloseList()
	w.List("l", []string{"x", "y"})
	w.Map("m", map[string]any{"b": 1, "a": nil})
	w.Key("raw")
	w.Raw([]byte(`[]`))
	w.Key("bad")
	w.Value(math.NaN())
	w.Close()
	want := `{"z":"1\"","a":{"yes":true},"list":[{},{"n":2}],"l":["x","y"],"m":{"a":null,"b":1},"raw":[],"bad":null}`
	if got := string(w.Bytes()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if w.Err() == nil {
		t.Error("NaN was written without an error")
	}
}

// Whatever is taken must come out the same when it is written and read again.
func FuzzObject(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5e3,"x",null,{"b":true}]}`, `{"a":1,"A":2}`, `{"a":18446744073709551615}`,
		"{\"a\":\"\\u0000\xff\"}", `{}{}`, `{"ｔ":"\ud83d\ude00"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		Peek(raw, "a")
		obj, err := Object(raw, Limits{})
		if err != nil {
			if trammel.CodeOf(err) != trammel.CodeInput {
				t.Fatalf("code %q: %v", trammel.CodeOf(err), err)
			}
			return
		}
		_ = CaseVariant(obj, "tool_name")
		_ = FoldedTwins(obj)
		_ = NUL(obj)
		out, err := canonical.Append(nil, obj)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Object(out, Limits{})
		if err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		once, _ := canonical.Append(nil, again)
		if string(once) != string(out) {
			t.Fatalf("%s became %s", out, once)
		}
	})
}

// A long payload is read like a short one: the same texts, and the same errors.
func TestLongText(t *testing.T) {
	t.Parallel()
	padding := strings.Repeat(" ", longText+1)
	for _, in := range []string{
		`{"a":"plain","b":["x"],"c":{"d":""}}`, `{"a":"é\n\u00e9\ud83d\ude00\\\"\/"}`, `{"a":"\ud83d"}`, `{"a":"\u00zz"}`, `{"a":"\x"}`,
		"{\"a\":\"\xff\"}", "{\"a\":\"tab\t\"}", `{"a":"no end`, `{"a":"1","a":"2"}`, `{"a":"\u0000"}`,
	} {
		short, shortErr := Object([]byte(in), Limits{})
		long, longErr := Object([]byte(in+padding), Limits{})
		if !reflect.DeepEqual(short, long) {
			t.Errorf("%s\nshort: %v\n long: %v", in, short, long)
		}
		if (shortErr == nil) != (longErr == nil) {
			t.Errorf("%s\nshort: %v\n long: %v", in, shortErr, longErr)
		}
	}
}
