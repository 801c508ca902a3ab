package strict

import (
	"reflect"
	"strings"
	"testing"
)

// quickSamples are objects that Quick must read itself.
var quickSamples = []string{
	`{}`, ` { "a" : [ 1 , -2 ,3.5, 1e3,2E-1 ] , "b":{"c":null,"d":[]},` + "\n\t\r" + `"t":true,"f":false} `,
	`{"s":"é\u00e9\n\"\\\/\ud83d\ude00","":"","é":"\u0000","i":9223372036854775807}`,
	`{"n":-9223372036854775808,"u":18446744073709551615,"z":-0}`,
	`{"event":"pre_tool_use","session":{"id":"s1","dir":"/src"},"tool":{"name":"shell","input":{"command":"go test ./..."}}}`,
	`{"long":"` + strings.Repeat("x", maxShared) + `"}`,
	`{"deep":` + strings.Repeat("[", DefaultDepth-1) + strings.Repeat("]", DefaultDepth-1) + `}`,
}

// notQuick is left to the slow reader, which refuses some of it.
var notQuick = []string{
	``, ` `, `[]`, `1`, `{`, `}`, `{}}`, `{}{}`, `{} x`, `{"a"}`, `{"a":}`, `{"a":1,}`,
	`{,"a":1}`, `{"a":1 "b":2}`, `{"a":[1,]}`, `{"a":[,1]}`,
	`{"a":[1 2]}`, `{"a":[1}}`, `{a:1}`, `{"a":01}`, `{"a":-01}`, `{"a":+1}`, `{"a":1.}`, `{"a":.5}`, `{"a":1e}`,
	`{"a":-}`, `{"a":0x1}`, `{"a":1_0}`,
	`{"a":Infinity}`, `{"a":tru}`, `{"a":trueish}`, `{"a":nul`, `{"a":"b`, `{"a":"\`, `{"a":"\x"}`,
	`{"a":"\u12"}`, `{"a":"\ud800"}`, "{\"a\":\"\t\"}",
	"{\"a\":\"\xff\"}", "{\"\xff\":1}", "{\"a\":\"\xed\xa0\x80\"}", "{\"a\":\"\\n\xff\"}", "{\x00}", "{\"a\":1\x00}", `{"a":1,"a":2}`,
	`{"a":1,"\u0061":2}`, `{"x":[{"a":1,"a":1}]}`, `{"a":18446744073709551616}`, `{"a":-9223372036854775809}`, `{"a":1e999}`, `{"a":-0.0}`,
	`{"a":1e-999}`, "\ufeff{}", `{"a":` + strings.Repeat("[", DefaultDepth) + strings.Repeat("]", DefaultDepth) + `}`,
	`{"a":"` + strings.Repeat("x", maxQuick) + `"}`,
}

func TestQuick(t *testing.T) {
	for _, s := range quickSamples {
		if _, ok := Quick([]byte(s)); !ok {
			t.Errorf("%.60s is not read quickly", s)
		}
		sameReading(t, []byte(s))
	}
	for _, s := range notQuick {
		if obj, ok := Quick([]byte(s)); ok {
			t.Errorf("%.60s is read quickly, as %v", s, obj)
		}
	}
}

// sameReading checks that what is read quickly is what the slow reader reads.
func sameReading(t *testing.T, raw []byte) {
	t.Helper()
	got, ok := Quick(raw)
	if !ok {
		return
	}
	if want, err := slowly(raw, DefaultDepth); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q\ngot  %#v\nwant %#v, %v", raw, got, want, err)
	}
}

func FuzzQuick(f *testing.F) {
	for _, s := range append(quickSamples, notQuick...) {
		if len(s) < 1<<10 {
			f.Add([]byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) { sameReading(t, raw) })
}

func BenchmarkObject(b *testing.B) {
	raw := []byte(quickSamples[3])
	for name, read := range map[string]func([]byte) (map[string]any, error){
		"quick": func(raw []byte) (map[string]any, error) { return Object(raw, Limits{}) },
		"slow":  func(raw []byte) (map[string]any, error) { return slowly(raw, DefaultDepth) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := read(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
