package evidence

import (
	"reflect"
	"testing"
)

// What is stored of a payload does not depend on which reader has read it.
func TestReadersAgree(t *testing.T) {
	for _, s := range []string{
		`{}`, `{"a":[1,-0,-0.0,0e5,1e-999,1.50,1E3,18446744073709551615,18446744073709551616,1e999],"b":{"c":null,"d":true}}`,
		`{"f":[-0.0]}`, `{"i":-0}`, `{"e":1e3}`, `{"s":"é\u00e9\ud83d\ude00\n"}`, `{"a":1,"a":2}`, `{"a":"\ud800"}`, `[1]`, `"x"`, `{"a":1} x`,
	} {
		got, err := decode([]byte(s))
		want, wantErr := decodeSlowly([]byte(s))
		if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v, %v, want %#v, %v", s, got, err, want, wantErr)
		}
	}
}

func FuzzReadersAgree(f *testing.F) {
	f.Add([]byte(`{"a":[1,-0.0,1.5e3,"\u00e9"],"b":{"c":null,"d":true}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := decode(data)
		want, wantErr := decodeSlowly(data)
		if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v, %v, want %#v, %v", data, got, err, want, wantErr)
		}
	})
}
