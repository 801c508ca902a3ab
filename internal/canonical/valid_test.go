package canonical

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// closely is what Valid stands for: the value, canonicalized by another library
// that keeps integers, is the same.
func closely(data string) bool {
	v := jsontext.Value(data)
	if v.Canonicalize(jsontext.CanonicalizeRawInts(false)) != nil {
		return false
	}
	return string(v) == data
}

var samples = []string{
	`{}`, `[]`, `null`, `true`, `false`, `0`, `-1`, `123456789012345678`, `9223372036854775808`, `-9223372036854775808`,
	`18446744073709551615`, `1e+21`, `100000000000000000000`, `0.1`, `-1.5e-7`, `""`, `"\u001f\b\n\"\\"`, `"é€😀"`,
	`{"a":1,"b":[true,null,"x"],"c":{"d":{},"e":[]}}`, `{"":0,"A":"","a":"0123456789abcdef\t","é":"","":1}`,
	`{"\t":1,"\n":{"\"":2,"\\":3},"a":1}`,
	`{"body":{"x":"` + strings.Repeat("y", 40) + `"},"seq":12}`,
}

func TestValid(t *testing.T) {
	for _, s := range samples {
		if !Valid([]byte(s)) {
			t.Errorf("%s is not recognized", s)
		}
	}
	for _, s := range []string{
		``, ` {}`, `{} `, `{"b":1,"a":2}`, `{"a":1,"a":2}`, `{"a": 1}`, `[1,]`, `[,1]`, `{"a"}`, `{"a":1,}`, `{a:1}`, `01`, `-0`, `-`, `1.0`,
		`1e3`, `+1`, `1+1`, `1.50`, `1E3`, `18446744073709551616`,
		`"\u0041"`, `"\u000A"`, `"\u000a"`, `"\/"`, `"a`, `"\u00"`, `"\`, "\"\n\"", "\"\xff\"", "\"\xed\xa0\x80\"", `tru`, `nul`, `{}{}`,
		strings.Repeat("[", 2000) + strings.Repeat("]", 2000),
		`{"b":1,"\u0001":1}`, `{"\n":1,"\t":1}`, `{"\n":1,"\n":1}`,
	} {
		if Valid([]byte(s)) {
			t.Errorf("%s is taken for canonical", s)
		}
	}
}

// Whatever is damaged, Valid never takes it for canonical if it is not.
func TestValidIsSound(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const bytes = "\"\\{}[],:0123456789eE+-.abtfnru \n\x00\x1f\x7f\x80\xc3\xa9\xed\xa0\xff"
	for range 200_000 {
		data := []byte(samples[random.IntN(len(samples))])
		for range 1 + random.IntN(3) {
			at := random.IntN(len(data))
			switch c := bytes[random.IntN(len(bytes))]; random.IntN(3) {
			case 0:
				data[at] = c
			case 1:
				data = append(data[:at], append([]byte{c}, data[at:]...)...)
			case 2:
				if len(data) > 1 {
					data = append(data[:at], data[at+1:]...)
				}
			}
		}
		if Valid(data) && !closely(string(data)) {
			t.Fatalf("%q is taken for canonical", data)
		}
	}
}

func FuzzValid(f *testing.F) {
	for _, s := range samples {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if Valid([]byte(s)) && !closely(s) {
			t.Errorf("%q is taken for canonical", s)
		}
	})
}

func BenchmarkValid(b *testing.B) {
	data := []byte(samples[len(samples)-1])
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if !Valid(data) {
			b.Fatal("not recognized")
		}
	}
}
