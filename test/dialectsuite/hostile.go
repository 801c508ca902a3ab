package dialectsuite

import (
	"errors"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

// Wire is how a host writes a tool call that is about to run, so that it can
// be broken in every way.
type Wire struct {
	// Good is a payload that is read without complaint: an event of kind
	// PreToolUse, with these words in it exactly once, and the event's name
	// before the tool call. The command it holds is "ls".
	Good string
	// EventField is the field with the event's name, as it is spelled:
	// `"hook_event_name":"PreToolUse",`.
	EventField string
	ToolKey    string // "tool_name"
	ToolName   string // "Bash"
	Input      string // `{"command":"ls"}`
	Event      string // the host's name of the event: "PreToolUse"
	OtherEvent string // the host's name of an event that cannot be blocked
}

// Hostile checks that a payload which two readers could understand differently
// is an error, that the kind is given as far as it is known, and that the host
// can then be given a denial in a form that it honours.
func Hostile(t *testing.T, d trammel.HostDialect, w Wire) {
	if _, err := d.DecodeEvent([]byte(w.Good), ""); err != nil {
		t.Fatalf("the good payload: %v", err)
	}
	tool := `"` + w.ToolKey + `":"` + w.ToolName + `"`
	swap := func(old, new string) string {
		if strings.Count(w.Good, old) != 1 {
			t.Fatalf("%q does not stand in the good payload exactly once", old)
		}
		return strings.Replace(w.Good, old, new, 1)
	}
	arg := func(value string) string { return swap(w.Input, `{"command":`+value+`}`) }
	upper := strings.ToUpper(w.ToolKey)
	title := strings.ToUpper(w.ToolKey[:1]) + w.ToolKey[1:]

	for name, c := range map[string]struct {
		raw    string
		called string // the event's name from the wiring
		untold bool   // the kind is unknown
	}{
		"duplicate key":                 {raw: swap(tool, tool+`,`+tool)},
		"duplicate key with an escape":  {raw: swap(tool, tool+`,"\u00`+hex(w.ToolKey[0])+w.ToolKey[1:]+`":"Read"`)},
		"duplicate key in the input":    {raw: swap(w.Input, `{"command":"ls","command":"rm"}`)},
		"upper-case key":                {raw: swap(tool, tool+`,"`+upper+`":"Read"`)},
		"upper-case key alone":          {raw: swap(tool, `"`+upper+`":"`+w.ToolName+`"`)},
		"title-case key":                {raw: swap(tool, tool+`,"`+title+`":"Read"`)},
		"twins in the input":            {raw: swap(w.Input, `{"command":"ls","Command":"rm"}`)},
		"nested 10,000 deep":            {raw: arg(strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000))},
		"invalid UTF-8":                 {raw: arg("\"ls \xff\"")},
		"lone surrogate":                {raw: arg(`"\ud800"`)},
		"raw NUL":                       {raw: arg("\"ls\x00\"")},
		"escaped NUL":                   {raw: arg(`"ls\u0000"`)},
		"1e999":                         {raw: arg("1e999")},
		"2^70":                          {raw: arg("1180591620717411303424")},
		"empty":                         {raw: "", untold: true},
		"empty, called":                 {raw: "", called: w.Event},
		"null":                          {raw: "null", untold: true},
		"null, called":                  {raw: "null", called: w.Event},
		"a list":                        {raw: "[]", untold: true},
		"a list, called":                {raw: "[]", called: w.Event},
		"trailing garbage":              {raw: w.Good + "x"},
		"two objects":                   {raw: w.Good + w.Good},
		"two objects, the second other": {raw: w.Good + "{}"},
		"no event":                      {raw: swap(w.EventField, ""), untold: true},
		"no event, called":              {raw: swap(w.EventField, ""), called: w.Event},
		"another event is called":       {raw: w.Good, called: w.OtherEvent},
		"another event is meant":        {raw: swap(w.EventField, strings.Replace(w.EventField, w.Event, w.OtherEvent, 1)), called: w.Event},
		"event not a string":            {raw: swap(w.EventField, strings.Replace(w.EventField, `"`+w.Event+`"`, "1", 1)), untold: true},
		"input a string":                {raw: swap(w.Input, `"ls"`)},
		"input a list":                  {raw: swap(w.Input, `["ls"]`)},
		"tool name a number":            {raw: swap(tool, `"`+w.ToolKey+`":1`)},
		"tool name null":                {raw: swap(tool, `"`+w.ToolKey+`":null`)},
		"tool name missing":             {raw: swap(tool+",", "")},
		"tool name empty":               {raw: swap(tool, `"`+w.ToolKey+`":""`)},
		// What is larger than the limit reaches a dialect cut off.
		"1 MiB and more, cut": {raw: arg(`"` + strings.Repeat("x", 2<<20) + `"`)[:1<<20]},
	} {
		t.Run(name, func(t *testing.T) {
			ev, err := d.DecodeEvent([]byte(c.raw), c.called)
			var f *trammel.Failure
			if !errors.As(err, &f) || f.Code != trammel.CodeInput {
				t.Fatalf("got the error %v, want one with code %s", err, trammel.CodeInput)
			}
			if ev == nil {
				t.Fatal("there is no event to answer to")
			}
			want := trammel.PreToolUse
			if c.untold {
				want = trammel.Other
			}
			if ev.Kind != want {
				t.Errorf("kind %v, want %v", ev.Kind, want)
			}
			if c.untold && ev.Name != "" {
				t.Errorf("name %q, want none", ev.Name)
			}
			v := &trammel.Verdict{Answer: trammel.Denial("cannot be judged"), Event: ev}
			r := d.EncodeVerdict(ev, v)
			wellFormed(t, r)
			saysWhy(t, "denial", r, "cannot be judged")
		})
	}
}

func hex(c byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[c>>4], digits[c&15]})
}
