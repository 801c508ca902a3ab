package fst

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

func contract(more ...string) Contract {
	return Contract{Allowed: Fields(), Artifacts: true, Forbidden: ForbiddenNames(more...)}
}

// FST-20, FST-21, FST-22, FST-32, FST-33, FST-34, FST-35: what each type may
// produce, with closed values.
func TestResults(t *testing.T) {
	for _, c := range []struct {
		name string
		of   Type
		raw  string
		want error
	}{
		{"FST-32 valid", Validate, `{"status":"ok","valid":true,"diagnostics":[],"facts":{"missing":[]}}`, nil},
		{"FST-33 invalid artifact", Validate,
			`{"status":"ok","valid":false,"diagnostics":["missing required scenario: x"],"facts":{"missing":["x"]}}`, nil},
		{"FST-34 failure", Validate, `{"status":"error","valid":false,"diagnostics":["hook timeout"]}`, nil},
		{"FST-34 failure of another type", Evaluate, `{"status":"error","valid":false,"diagnostics":["broken"]}`, nil},
		{"a failure without valid", Render, `{"status":"error"}`, nil},
		{"a failure that is valid", Validate, `{"status":"error","valid":true}`, ValidFailure},
		{"FST-20 facts", Evaluate, `{"status":"ok","facts":{"a":1}}`, nil},
		{"FST-20 without facts", Evaluate, `{"status":"ok"}`, nil},
		{"FST-20 valid is not its to say", Evaluate, `{"status":"ok","valid":true}`, NotOfType},
		{"FST-20 rendered neither", Evaluate, `{"status":"ok","rendered":"x"}`, NotOfType},
		{"FST-21 without valid", Validate, `{"status":"ok"}`, BadValid},
		{"FST-21 rendered", Validate, `{"status":"ok","valid":true,"rendered":"x"}`, NotOfType},
		{"FST-22 rendered", Render, `{"status":"ok","rendered":"# x","diagnostics":["d"]}`, nil},
		{"FST-22 empty text", Render, `{"status":"ok","rendered":""}`, nil},
		{"FST-22 nothing rendered", Render, `{"status":"ok"}`, BadRendered},
		{"FST-22 rendered object", Render, `{"status":"ok","rendered":{}}`, BadRendered},
		{"FST-22 facts", Render, `{"status":"ok","rendered":"x","facts":{}}`, NotOfType},
		{"FST-35 unknown status", Evaluate, `{"status":"OK"}`, BadStatus},
		{"FST-35 status true", Evaluate, `{"status":true}`, BadStatus},
		{"FST-35 no status", Evaluate, `{"facts":{}}`, BadStatus},
		{"FST-35 status null", Evaluate, `{"status":null}`, BadStatus},
		{"FST-35 valid text", Validate, `{"status":"ok","valid":"true"}`, BadValid},
		{"FST-35 valid null", Validate, `{"status":"ok","valid":null}`, BadValid},
		{"FST-35 diagnostics text", Evaluate, `{"status":"ok","diagnostics":"x"}`, BadDiagnostics},
		{"FST-35 diagnostics numbers", Evaluate, `{"status":"ok","diagnostics":["x",1]}`, BadDiagnostics},
		{"FST-35 facts list", Evaluate, `{"status":"ok","facts":[]}`, BadFacts},
		{"candidates", Validate, `{"status":"ok","valid":true,"artifacts":[{"a":1}]}`, nil},
		{"candidates that are none", Validate, `{"status":"ok","valid":true,"artifacts":["a"]}`, BadArtifacts},
		{"unknown field", Validate, `{"status":"ok","valid":true,"extra":1}`, NotAllowed},
		{"case of a known field", Validate, `{"status":"ok","Valid":true}`, NotAllowed},
		{"FST-44 duplicate key", Validate, `{"status":"ok","valid":false,"valid":true}`, DuplicateKey},
		{"FST-44 duplicate key inside", Evaluate, `{"status":"ok","facts":{"a":1,"a":2}}`, DuplicateKey},
		{"two objects", Evaluate, `{"status":"ok"}{"status":"ok"}`, NotJSON},
		{"noise", Evaluate, `loading…`, NotJSON},
		{"noise before", Evaluate, `ok {"status":"ok"}`, NotJSON},
		{"nothing", Evaluate, ``, NotJSON},
		{"cut off", Evaluate, `{"status":"o`, NotJSON},
		{"not UTF-8", Evaluate, "{\"status\":\"ok\",\"diagnostics\":[\"\xff\"]}", NotJSON},
		{"list", Evaluate, `[{"status":"ok"}]`, NotObject},
		{"text", Evaluate, `"ok"`, NotObject},
		{"broken list", Evaluate, `[1,`, NotJSON},
		{"too deep", Evaluate, `{"status":"ok","facts":{"a":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}}`, Unreadable},
		{"a number beyond 64 bits", Evaluate, `{"status":"ok","facts":{"a":1e999}}`, Unreadable},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Decode([]byte(c.raw), c.of, contract())
			if !errors.Is(err, c.want) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			if err != nil && !reflect.DeepEqual(r, Result{}) {
				t.Errorf("something of a rejected result is used: %+v", r)
			}
			if err == nil && !r.OK() && (r.Facts != nil || *r.Valid) {
				t.Errorf("something of a failure is used: %+v", r)
			}
		})
	}
	undeclared := contract()
	undeclared.Artifacts = false
	if _, err := Decode([]byte(`{"status":"ok","valid":true,"artifacts":[]}`), Validate, undeclared); !errors.Is(err, NotAllowed) {
		t.Errorf("artifacts that no manifest declares: %v", err)
	}
	narrow := contract()
	narrow.Allowed = []string{"status", "valid"}
	if _, err := Decode([]byte(`{"status":"ok","valid":true,"facts":{}}`), Validate, narrow); !errors.Is(err, NotAllowed) {
		t.Errorf("facts that the manifest does not allow: %v", err)
	}
}

// FST-40, FST-41, FST-43, FST-44, FST-45: each of the four, and each disguise,
// rejects the whole result, in whatever place.
func TestForbidden(t *testing.T) {
	var disguises = map[string]func(string) string{
		"as it is":   func(s string) string { return s },
		"upper case": strings.ToUpper,
		"title case": func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
		"camel case": camel,
		"hyphens":    func(s string) string { return strings.ReplaceAll(s, "_", "-") },
		"blanks":     func(s string) string { return " " + strings.ReplaceAll(s, "_", " ") + " " },
		"dots":       func(s string) string { return strings.ReplaceAll(s, "_", ".") },
		"run on":     func(s string) string { return strings.ReplaceAll(s, "_", "") },
		"more lines": func(s string) string { return "__" + s + "_" },
		"escaped":    func(s string) string { return `\u00` + "72" + s[1:] },
		"full width": func(s string) string { return shift(s, 'a', 'z', 0xFF41-'a') },
		"fraktur":    func(s string) string { return shift(s, 'a', 'z', 0x1D51E-'a') },
		"circled":    func(s string) string { return shift(s, 'a', 'z', 0x24D0-'a') },
		"Cyrillic": func(s string) string {
			return strings.NewReplacer("a", "а", "e", "е", "o", "о", "p", "р", "c", "с").Replace(s)
		},
		"Greek":       func(s string) string { return strings.NewReplacer("o", "ο", "a", "α", "t", "τ").Replace(s) },
		"Armenian":    func(s string) string { return strings.ReplaceAll(s, "o", "օ") },
		"accents":     func(s string) string { return strings.NewReplacer("o", "ö", "a", "á", "e", "é").Replace(s) },
		"combining":   func(s string) string { return strings.ReplaceAll(s, "o", "o\u0308") },
		"zero width":  func(s string) string { return strings.ReplaceAll(s, "o", "o\u200b") },
		"joiner":      func(s string) string { return s[:1] + "\u2060\ufeff" + s[1:] },
		"soft hyphen": func(s string) string { return s[:2] + "\u00ad" + s[2:] },
		"tags":        func(s string) string { return s + "\U000E0061" },
		"bidi":        func(s string) string { return "\u202e" + s + "\u202c" },
		"NUL":         func(s string) string { return s[:1] + `\u0000` + s[1:] },
		"zero":        func(s string) string { return strings.ReplaceAll(s, "o", "0") },
		"l for i":     func(s string) string { return strings.NewReplacer("l", "I", "i", "l").Replace(s) },
		"wide line":   func(s string) string { return strings.ReplaceAll(s, "_", "＿") },
	}
	places := map[string]string{
		"top":               `{"status":"ok","valid":true,"@":1}`,
		"first":             `{"@":null,"status":"ok","valid":true}`,
		"in facts":          `{"status":"ok","valid":true,"facts":{"@":1}}`,
		"deep in facts":     `{"status":"ok","valid":true,"facts":{"a":[[{"b":{"@":1}}]]}}`,
		"in artifacts":      `{"status":"ok","valid":true,"artifacts":[{"@":{}}]}`,
		"in a failure":      `{"status":"error","@":1}`,
		"behind a twin":     `{"status":"ok","status":"ok","@":1}`,
		"in the first twin": `{"status":"ok","facts":{"@":1},"facts":{}}`,
		"twice":             `{"status":"ok","@":1,"@":2}`,
	}
	for _, name := range append(Authority(), "store_writes") {
		for how, disguise := range disguises {
			key := disguise(name)
			if how == "escaped" {
				key = strings.Replace(key, "72", map[byte]string{'r': "72", 'a': "61", 'm': "6d", 'p': "70", 's': "73"}[name[0]], 1)
			}
			for where, form := range places {
				raw := strings.ReplaceAll(form, "@", key)
				r, err := Decode([]byte(raw), Validate, contract("store_writes"))
				if !errors.Is(err, Forbidden) || !reflect.DeepEqual(r, Result{}) {
					t.Errorf("%s, %s, %s: got %v for %s", name, how, where, err, raw)
				}
			}
		}
	}
	for _, fine := range []string{"routes", "router", "routed_by", "approval", "record", "approvals", "material", "publication", "profile",
		"Å", ""} {
		if contract().Forbidden.Has(fine) {
			t.Errorf("%q is forbidden", fine)
		}
	}
	// A value is not a field.
	if _, err := Decode([]byte(`{"status":"ok","valid":true,"diagnostics":["route"],"facts":{"a":"approval_record"}}`), Validate,
		contract()); err != nil {
		t.Error(err)
	}
}

func camel(s string) string {
	parts := strings.Split(s, "_")
	for i := 1; i < len(parts); i++ {
		parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
	}
	return strings.Join(parts, "")
}

func shift(s string, from, to, by rune) string {
	return strings.Map(func(r rune) rune {
		if r >= from && r <= to {
			return r + by
		}
		return r
	}, s)
}

// FST-30, FST-31: the whole record goes out, in a fixed order on one line, and
// the minimal form is read as well.
func TestCall(t *testing.T) {
	full := Call{Hook: "h", Run: "run_001", Profile: "p", ProfileVersion: "0.1.0", ArtifactType: "a", Payload: map[string]any{"b": int64(1),
		"a": []any{"x\ny"}}}
	line, err := full.AppendLine(nil)
	const want = `{"protocol_version":"fst.hook.call.v1","hook_id":"h","run_id":"run_001","profile_id":"p","profile_version":"0.1.0",` +
		`"input_artifact_type":"a","payload":{"a":["x\ny"],"b":1}}` + "\n"
	if err != nil || string(line) != want {
		t.Errorf("got %s, %v", line, err)
	}
	if got, err := DecodeCall(line); err != nil || !reflect.DeepEqual(got, full) {
		t.Errorf("read %+v, %v", got, err)
	}
	if got, err := DecodeCall([]byte(`{"hook_id":"h","payload":{}}`)); err != nil || got.Hook != "h" || got.Payload == nil {
		t.Errorf("the minimal form: %+v, %v", got, err)
	}
	for _, bad := range []string{`{}`, `{"payload":{}}`, `{"hook_id":1}`, `{"hook_id":"h","payload":[]}`, `{"hook_id":"h","x":1}`,
		`{"hook_id":"h","protocol_version":"fst.hook.call.v2"}`, `[]`, ``} {
		if _, err := DecodeCall([]byte(bad)); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// allFaults are the faults as fault.go declares them.
func allFaults(t *testing.T) (out []Fault) {
	t.Helper()
	source, err := os.ReadFile("fault.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^\t\w+ +Fault = "(.*)"$`).FindAllSubmatch(source, -1) {
		out = append(out, Fault(m[1]))
	}
	return out
}

// FST-54: no two failures share a diagnostic, and each has a class.
func TestFaults(t *testing.T) {
	seen := map[Fault]bool{}
	for _, f := range allFaults(t) {
		if f == "" || seen[f] || f.Code() == "" {
			t.Errorf("%q", f)
		}
		seen[f] = true
	}
	if r := Failed(Timeout); r.OK() || *r.Valid || !reflect.DeepEqual(r.Diagnostics, []string{"hook timeout"}) {
		t.Errorf("got %+v", r)
	}
}

func found(_ string, found bool) bool { return found }

func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"status":"ok","valid":true,"facts":{"a":[1,{"b":null}]},"diagnostics":["x"]}`, `{"status":"error"}`,
		`{"rοute":1}`, `{"a":1,"a":2}`, "\xff"} {
		f.Add([]byte(s))
	}
	c := contract()
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, of := range Types() {
			r, err := Decode(raw, of, c)
			var fault Fault
			if err != nil && (!errors.As(err, &fault) || !reflect.DeepEqual(r, Result{})) {
				t.Fatalf("%q: %v, %+v", raw, err, r)
			}
			if err == nil && (found(c.Forbidden.In(raw)) || r.Status != "ok" && r.Status != "error") {
				t.Fatalf("%q is taken", raw)
			}
		}
		DecodeCall(raw)
	})
}

// FST-54: the page tells every diagnostic there is, with its code.
func TestPageTellsAllFaults(t *testing.T) {
	page, err := os.ReadFile("../../docs/packs.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "<!-- faults -->\n")
	got, _, _ := strings.Cut(rest, "<!-- end -->")
	want := "| diagnostic | code |\n|---|---|\n"
	for _, f := range allFaults(t) {
		want += fmt.Sprintf("| %s | `%s` |\n", f, f.Code())
	}
	if got != want {
		t.Errorf("the table in docs/packs.md should be\n%s", want)
	}
}

// However a result of the greatest length is made, reading it takes no time
// that anybody would notice.
func TestHostileResultsAreReadSoon(t *testing.T) {
	const size = 4 << 20
	for name, unit := range map[string]string{
		"many keys":             `"é%d":1,`,
		"many ASCII keys":       `"k%d":1,`,
		"long keys":             `"` + strings.Repeat("ж", 10_000) + `%d":1,`,
		"keys that are nothing": `"` + strings.Repeat("\u200b", 10_000) + `%d":1,`,
		"many lists":            `"l%d":[[[[]]]],`,
		"texts":                 `"t%d":"` + strings.Repeat("route ", 1000) + `",`,
	} {
		var b strings.Builder
		b.WriteString(`{"status":"ok","facts":{`)
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, unit, i)
		}
		b.WriteString(`"end":1}}`)
		begin := time.Now()
		Decode([]byte(b.String()), Evaluate, contract())
		took := time.Since(begin)
		t.Logf("%s: %v", name, took)
		if took > 60*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

// FST-55: which lines belong to a call.
func TestAnswers(t *testing.T) {
	c := Call{ID: "7-ab"}
	for line, want := range map[string]bool{
		`{"status":"ok","call_id":"7-ab"}`:                true,
		`{"status":"ok", "call_id" : "7-ab" } `:           true,
		`{"call_id":"7-ab"}`:                              true,
		`{"call_id":"7-ab","status":"ok"}`:                false, // the end may be another's
		`{"status":"ok","call_id":"6-ab"}`:                false,
		`{"status":"ok"}`:                                 false,
		`{"status":"ok","facts":{"call_id":"7-ab"}}`:      false,
		`{"a":{"status":"ok","call_id":"7-ab"}`:           false,
		`{"call_id":"6-ab","call_id":"7-ab"}`:             false,
		`{"status":"ok"}{"status":"ok","call_id":"7-ab"}`: false,
		`["call_id":"7-ab"}`:                              false,
		``:                                                false,
	} {
		if got := c.Answers([]byte(line)); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	if (&Call{}).Answers([]byte(`{"call_id":""}`)) {
		t.Error("a call without an ID has no answers")
	}
	for raw, want := range map[string]string{`{"status":"ok","facts":{},"call_id":"x"}`: "x", `{"status":"ok","call_id":null}`: ""} {
		if r, err := Decode([]byte(raw), Evaluate, contract()); err != nil || r.Call != want {
			t.Errorf("%s: %+v, %v", raw, r, err)
		}
	}
}

// FST-06, FST-41: a fault that is about a field names it, beside its fixed text.
func TestRefusalNamesTheField(t *testing.T) {
	for raw, want := range map[string]Refusal{
		`{"status":"ok","zeta":1,"confidence":1}`:            {NotAllowed, "confidence"},
		`{"status":"ok","valid":true}`:                       {NotOfType, "valid"},
		`{"status":"ok","facts":{"deep":[{"Route":"x"}]}}`:   {Forbidden, "Route"},
		`{"status":"ok","facts":{},"call_id":{"route":"x"}}`: {Forbidden, "route"},
		`{"status":"ok","facts":{},"call_id":["x"]}`:         {NotAllowed, "call_id"},
	} {
		var got *Refusal
		if _, err := Decode([]byte(raw), Evaluate, contract()); !errors.As(err, &got) || *got != want || !errors.Is(err, want.Fault) {
			t.Errorf("%s: %v", raw, err)
		}
	}
}
