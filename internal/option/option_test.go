package option_test

import (
	"reflect"
	"testing"

	"github.com/trammel-dev/trammel/internal/option"
)

type inner struct {
	Calls int `json:"calls"`
}

type options struct {
	Mode   string              `json:"mode" enum:"deny,ask"`
	On     bool                `json:"on"`
	Rate   float64             `json:"rate"`
	Allow  []string            `json:"allow"`
	Window option.Duration     `json:"window"`
	Size   option.Size         `json:"size"`
	Limits inner               `json:"limits"`
	More   []inner             `json:"more"`
	By     map[string][]string `json:"by"`
	Opt    *inner              `json:"opt"`
}

func TestRead(t *testing.T) {
	def := options{Mode: "ask", Allow: []string{"x"}, Limits: inner{7}}
	for _, c := range []struct {
		in   string
		want options
		err  string
	}{
		{in: ``, want: def},
		{in: `{}`, want: def},
		{in: `{"mode":"deny","on":true,"rate":2}`, want: options{Mode: "deny", On: true, Rate: 2, Allow: []string{"x"}, Limits: inner{7}}},
		{in: `{"allow":"one"}`, want: options{Mode: "ask", Allow: []string{"one"}, Limits: inner{7}}},
		{in: `{"allow":[]}`, want: options{Mode: "ask", Allow: []string{}, Limits: inner{7}}},
		{in: `{"window":"2m","size":"64KiB"}`, want: options{Mode: "ask", Allow: []string{"x"}, Window: option.Duration(120e9), Size: 65536,
			Limits: inner{7}}},
		{in: `{"size":12,"limits":{"calls":3},"more":[{"calls":1}],"by":{"a":["b"]},"opt":{"calls":9}}`,
			want: options{Mode: "ask", Allow: []string{"x"}, Size: 12, Limits: inner{3}, More: []inner{{1}}, By: map[string][]string{"a": {"b"}},
				Opt: &inner{9}}},
		{in: `{"size":"12 B"}`, want: options{Mode: "ask", Allow: []string{"x"}, Size: 12, Limits: inner{7}}},
		{in: `{"size":"9007199254740993GiB"}`, err: `size: found 9007199254740993GiB, expected a size such as 64KiB, 1MiB or a number of bytes`},
		{in: `{"size":"-1"}`, err: `size: found -1, expected a size such as 64KiB, 1MiB or a number of bytes`},
		{in: `{"mode":"dney"}`, err: `mode: found "dney", expected one of deny, ask`},
		{in: `{"mod":"deny"}`, err: `mod: unknown option, expected one of mode, on, rate, allow, window, size, limits, more, by, opt`},
		{in: `{"limits":{"calls":"x"}}`, err: `limits.calls: found x, expected a whole number`},
		{in: `{"more":[{"calls":1},{"x":1}]}`, err: `more[1].x: unknown option, expected one of calls`},
		{in: `{"window":"soon"}`, err: `window: found soon, expected a duration such as 500ms, 5s or 2m`},
		{in: `{"on":1}`, err: `on: found 1, expected true or false`},
		{in: `[]`, err: `found [, expected a mapping`},
	} {
		got := def
		err := option.Read([]byte(c.in), &got)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%s: error %v, want %s", c.in, err, c.err)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v (%v), want %+v", c.in, got, err, c.want)
		}
	}
}
