package frame

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
)

// MCP-11: what is not changed keeps its bytes.
func TestRewrite(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{`{ "a" : 1.0e0 , "b":"x" }`, `{ "a" : 1.0e0 , "b":"y" }`},
		{"{\"b\":\"x\",\t\"c\":[1, 2 ,3]}", "{\"b\":\"y\",\t\"c\":[1, 2 ,3]}"},
		{`{"gone":{"x":[1]}, "b":"x"}`, `{ "b":"y"}`},
		{`{"b":"x" , "gone":1 }`, `{"b":"y" }`},
		{`{"b":"\u0078","a":"\u00e9 9007199254740993"}`, `{"b":"y","a":"\u00e9 9007199254740993"}`},
		{`{"a":9007199254740993}`, `{"a":9007199254740993,"b":"y"}`},
		{`{}`, `{"b":"y"}`},
		{`{"list":[ {"n":"1"},{"n":"gone"} ,{"n":"3"}],"b":"y"}`, `{"list":[ {"n":"1"} ,{"n":"3"}],"b":"y"}`},
		{`{"list":[{"n":"gone"}, {"n":"3"}],"b":"x"}`, `{"list":[ {"n":"3"}],"b":"y"}`},
		{`{"list":["gone"],"b":"x"}`, `{"list":[],"b":"y"}`},
	} {
		m, err := strict.Object([]byte(c.raw), strict.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		delete(m, "gone")
		m["b"] = "y"
		if list, ok := m["list"].([]any); ok {
			stay := []any{}
			for _, e := range list {
				if obj, _ := e.(map[string]any); e != "gone" && obj["n"] != "gone" {
					stay = append(stay, e)
				}
			}
			m["list"] = stay
		}
		got, err := Rewrite([]byte(c.raw), m)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %s, %v; want %s", c.raw, got, err, c.want)
		}
	}
}

// MCP-11, MCP-12: what two readers could understand differently is refused, with
// the id of the request where that is sure.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		raw  string
		code int
		id   string
	}{
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}`, 0, "9007199254740993"},
		{`{"jsonrpc":"2.0","id":1.5,"method":"x","params":{},"extra":1}`, 0, "1.5"},
		{`{"jsonrpc":"2.0","id":"a","result":{}}`, 0, `"a"`},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}`, 0, "null"},
		{`{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}`, InvalidRequest, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":{"y":1,"y":2}}}`, InvalidRequest, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"a","Method":"b"}`, InvalidRequest, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"a","\u0440arams":{}}`, InvalidRequest, "1"}, // a Cyrillic letter
		{`{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}`, InvalidRequest, ""},
		{`{"jsonrpc":"2.0","id":{},"method":"a"}`, InvalidRequest, ""},
		{`{"jsonrpc":"2.0","id":null,"method":"a"}`, InvalidRequest, "null"},
		{`{"jsonrpc":"2.0","id":1,"method":"a","params":[1]}`, InvalidRequest, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"a","result":{}}`, InvalidRequest, "1"},
		{`{"jsonrpc":"2.0","id":1,"result":{},"error":{}}`, InvalidRequest, "1"},
		{`{"jsonrpc":"2.0","result":{}}`, InvalidRequest, ""},
		{`{"id":1,"method":"a"}`, InvalidRequest, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"a"`, ParseError, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"a"} {}`, ParseError, "1"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", ParseError, "1"},
		{`{"jsonrpc":"2.0","id":1,"method":"a","params":` + strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200) + `}`, InvalidRequest,
			"1"},
		{`hello`, ParseError, ""},
	} {
		m, err := Parse([]byte(c.raw))
		var refused *Refused
		switch {
		case c.code == 0 && (err != nil || m.ID != c.id):
			t.Errorf("%s: %v, %+v", c.raw, err, m)
		case c.code != 0 && (!errors.As(err, &refused) || refused.Code != c.code || refused.ID != c.id):
			t.Errorf("%.200s: got %#v, want %d for id %s", c.raw, err, c.code, c.id)
		}
	}
	if Key(`"a\u0062"`) != Key(`"ab"`) || Key(`"1"`) == Key(`1`) {
		t.Error("ids are compared by their text")
	}
}

// MCP-12: a batch is read whole or not at all.
func TestBatch(t *testing.T) {
	list, err := ParseBatch([]byte(`[{"jsonrpc":"2.0","id":1,"method":"a"}, {"jsonrpc":"2.0","method":"b"}]`))
	if err != nil || len(list) != 2 || list[0].Method != "a" || list[1].Kind != Notification {
		t.Errorf("%v, %v", list, err)
	}
	for _, raw := range []string{`[]`, `[1]`, `[{"jsonrpc":"2.0","id":1,"method":"a"}`, `[{"jsonrpc":"2.0","method":"a"}] x`,
		`[{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}]`, `[[{"jsonrpc":"2.0","method":"a"}]]`} {
		if _, err := ParseBatch([]byte(raw)); err == nil || !IsBatch([]byte(raw)) {
			t.Errorf("%s was taken", raw)
		}
	}
}

// MCP-15: lines are bounded, and a long one does not end the stream.
func TestLines(t *testing.T) {
	long := `{"id":7,"x":"` + strings.Repeat("x", 300<<10) + `"}`
	late := `{"x":"` + strings.Repeat("x", 300<<10) + `","id":8}`
	in := "one\n\n \r\ntwo\r\n" + long + "\n" + late + "\n" + strings.Repeat("y", 100) + "\nlast"
	r := NewReader(iotest.HalfReader(strings.NewReader(in)), 100<<10)
	var got []string
	for {
		line, err := r.Next()
		var large *TooLarge
		if errors.As(err, &large) {
			if PeekID(large.Head) != "7" && PeekLastID(large.Tail) != "8" {
				t.Errorf("ids %q, %q", PeekID(large.Head), PeekLastID(large.Tail))
			}
			got = append(got, "large")
			continue
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(line))
	}
	if want := "one|two\r|large|large|" + strings.Repeat("y", 100) + "|last"; strings.Join(got, "|") != want {
		t.Errorf("got %.200q", strings.Join(got, "|"))
	}
}

// MCP-93: however a stream is cut, the same lines come out.
func TestLinesSplitAtEveryByte(t *testing.T) {
	in := "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"n\":\"é\u2028\"}}\n\n{\"a\":\"" + strings.Repeat("z", 40) +
		"\"}\nend\n"
	read := func(r io.Reader) (out string) {
		lines := NewReader(r, 90)
		for {
			line, err := lines.Next()
			if errors.Is(err, io.EOF) {
				return out
			}
			out += string(line) + "|"
		}
	}
	want := read(strings.NewReader(in))
	for i := range in {
		if got := read(io.MultiReader(strings.NewReader(in[:i]), strings.NewReader(in[i:]))); got != want {
			t.Fatalf("cut at %d: %q", i, got)
		}
	}
	if got := read(iotest.OneByteReader(strings.NewReader(in))); got != want {
		t.Fatalf("byte by byte: %q", got)
	}
}

// FuzzParse: what is taken says the same when it is written again, and a rewrite
// that changes nothing changes no byte (MCP-93).
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":[1,2,{"b":null}]}}}`))
	f.Add([]byte(` {"jsonrpc":"2.0", "id":"\u00e9", "result":{"content":[{"type":"text","text":"x"}]}} `))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := Parse(raw)
		if err != nil {
			return
		}
		out, err := Rewrite(raw, m.whole)
		if err != nil || !bytes.Equal(out, raw) {
			t.Fatalf("%q became %q, %v", raw, out, err)
		}
		if m.Result == nil {
			return
		}
		result := map[string]any{"x": "y"}
		if out, err = m.With("result", result); err != nil {
			t.Fatal(err)
		}
		if again, err := Parse(out); err != nil || again.ID != m.ID || again.Result["x"] != "y" || len(again.Result) != 1 {
			t.Fatalf("%q became %q, %v", raw, out, err)
		}
	})
}

// The digest of a message is that of its bytes, whether it was computed ahead or not.
func TestDigest(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, Large + 1} {
		raw := []byte(`{"jsonrpc":"2.0","method":"m","params":{"text":"` + strings.Repeat("x", size) + `"}}`)
		m, err := Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got, want := m.Digest(), canonical.Digest(raw); got != want {
				t.Errorf("size %d: digest %s, want %s", size, got, want)
			}
		}
	}
}
