package conformance

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/clip"
)

// form is one way to say something that a host honours. What it does not
// mention must be empty: hosts take noise for consent.
type form struct {
	Exit   int    `json:"exit"`
	Stderr string `json:"stderr"` // has to be in it
	// Stdout is "empty", "text" (plain text with what is to be said), "echo" (the
	// payload as it came), "echo and text" (the same with what is to be said
	// behind it) or, if JSON is given, left out.
	Stdout string `json:"stdout"`
	// JSON is the object on stdout. "{text}" stands for a text that contains
	// the expected one, "{input}" for an object with the expected arguments.
	JSON map[string]any `json:"json"`
}

// said is what a form is filled in with.
type said struct {
	text    string
	input   map[string]any
	payload []byte
}

// differs says in which way a reply is not of this form, "" if it is.
func (f *form) differs(r trammel.Reply, want said, open bool) string {
	switch {
	case r.Exit != f.Exit:
		return fmt.Sprintf("exit code %d, not %d", r.Exit, f.Exit)
	case f.Stderr == "" && len(r.Stderr) > 0:
		return fmt.Sprintf("stderr is %q, not empty", cut(r.Stderr))
	case f.Stderr != "" && (len(bytes.TrimSpace(r.Stderr)) == 0 || !strings.Contains(string(r.Stderr), want.text)):
		return fmt.Sprintf("stderr is %q, without %q", cut(r.Stderr), want.text)
	}
	if f.JSON == nil {
		return f.plain(r.Stdout, want)
	}
	var got any
	if err := json.Unmarshal(r.Stdout, &got); err != nil {
		return fmt.Sprintf("stdout %q is not one JSON object: %v", cut(r.Stdout), err)
	}
	return fits("", map[string]any(f.JSON), got, want, open)
}

func (f *form) plain(stdout []byte, want said) string {
	text := want.text
	rest, echoed := bytes.CutPrefix(stdout, want.payload)
	switch {
	case f.Stdout == "echo":
		if !echoed || len(rest) > 0 {
			return fmt.Sprintf("stdout is %q, not the payload as it came", cut(stdout))
		}
	case f.Stdout == "echo and text":
		if !echoed || !strings.Contains(string(rest), text) {
			return fmt.Sprintf("stdout is %q, not the payload with %q behind it", cut(stdout), text)
		}
	case f.Stdout != "text":
		if len(stdout) > 0 {
			return fmt.Sprintf("stdout is %q, not empty", cut(stdout))
		}
	case bytes.HasPrefix(bytes.TrimSpace(stdout), []byte("{")) || !strings.Contains(string(stdout), text):
		return fmt.Sprintf("stdout is %q, not plain text with %q", cut(stdout), text)
	}
	return ""
}

// fits compares a value with what is wanted at a place.
func fits(at string, want, got any, s said, open bool) string {
	switch want := want.(type) {
	case map[string]any:
		return fitsObject(at, want, got, s, open)
	case []any:
		list, _ := got.([]any)
		if len(list) != len(want) {
			return fmt.Sprintf("%s is %v, not a list of %d", at, got, len(want))
		}
		for i := range want {
			if why := fits(fmt.Sprintf("%s[%d]", at, i), want[i], list[i], s, open); why != "" {
				return why
			}
		}
		return ""
	case string:
		switch want {
		case "{text}":
			if text, _ := got.(string); strings.TrimSpace(text) == "" || !strings.Contains(text, s.text) {
				return fmt.Sprintf("%s is %q, without %q", at, got, s.text)
			}
			return ""
		case "{input}":
			return fitsObject(at, s.input, got, s, true) // a whole object or a patch, as the host takes it
		}
	}
	if !reflect.DeepEqual(want, got) {
		return fmt.Sprintf("%s is %v, not %v", at, got, want)
	}
	return ""
}

func fitsObject(at string, want map[string]any, got any, s said, open bool) string {
	object, ok := got.(map[string]any)
	if !ok {
		return fmt.Sprintf("%s is %v, not an object", at, got)
	}
	for key, value := range want {
		if why := fits(join(at, key), value, object[key], s, open); why != "" {
			return why
		}
	}
	if open && len(want) > 0 { // no opinion has to be no opinion
		return ""
	}
	for key := range object {
		if _, known := want[key]; !known {
			return fmt.Sprintf("%s is there, which the host does not expect", join(at, key))
		}
	}
	return ""
}

func join(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

// cut shortens what is shown.
func cut(b []byte) string { return clip.Bytes(string(b), 300) }
