package canonical

import (
	"math"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestAppendIsCanonical(t *testing.T) {
	for _, v := range []any{
		nil, true, "a\"\\\n\u0001é€😀</script>", int64(math.MaxInt64), uint64(math.MaxUint64), 0.1, 1e21, 1e-7, 100.0,
		[]any{int64(1), "x", []any{}}, []string{"b", "a"},
		map[string]any{"b": int64(1), "a": map[string]any{"z": nil}, "\ue000": true, "\U00010000": false, "é": 1.5, "": "x"},
		map[string]string{"k": "v", "K": "V"},
	} {
		got, err := Append(nil, v)
		if err != nil {
			t.Fatalf("%v: %v", v, err)
		}
		want := jsontext.Value(append([]byte(nil), got...))
		if err := want.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		if string(got) != string(want) {
			t.Errorf("%v: got %s, canonical is %s", v, got, want)
		}
	}
}

func TestAppendRefusesWhatIsNotJSON(t *testing.T) {
	for _, v := range []any{math.NaN(), math.Inf(1), struct{}{}, []any{make(chan int)}} {
		if out, err := Append(nil, v); err == nil {
			t.Errorf("%v: got %s, want an error", v, out)
		}
	}
}

func TestInvalidUTF8IsRepaired(t *testing.T) {
	if got := string(AppendString(nil, "a\xffb")); got != "\"a\uFFFDb\"" {
		t.Errorf("got %s", got)
	}
}
