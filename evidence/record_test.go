package evidence

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/test/secrettest"
)

// A record with every field set is canonical, and so is one with none.
func TestRecordIsCanonical(t *testing.T) {
	full := &Record{}
	set(reflect.ValueOf(full).Elem())
	full.Payload = map[string]any{"é": int64(1), "a": []any{nil, 1.5, "\x01"}}
	full.Verdict.Input = map[string]any{"command": "ls"}
	for _, r := range []*Record{{}, full} {
		got := r.AppendJSON(nil)
		v := jsontext.Value(bytes.Clone(got))
		if err := v.Canonicalize(); err != nil || !bytes.Equal(v, got) {
			t.Errorf("%v\n      got %s\ncanonical %s", err, got, v)
		}
	}
	if got := string((&Record{Name: "n", Payload: []any{math.NaN()}, Project: "p"}).AppendJSON(nil)); got != `{"name":"n","project":"p"}` {
		t.Errorf("with a payload that has no canonical form: %s", got)
	}
	if _, err := (&Entry{Body: []byte("[]")}).Record(); err == nil {
		t.Error("a list was taken for a record")
	}
	if got := string((&Record{}).AppendJSON(nil)); got != "{}" {
		t.Errorf("an empty record is %s", got)
	}
}

// Each field of a record is written, and none in place of another.
func TestEveryFieldIsWritten(t *testing.T) {
	full := &Record{}
	fields := set(reflect.ValueOf(full).Elem())
	full.Payload, full.Verdict.Input = "the payload", "the input"
	line := string(full.AppendJSON(nil))
	for n := range fields {
		if strings.Count(line, fmt.Sprintf("%dté", 100+n))+strings.Count(line, fmt.Sprintf(":%d", 5000+n)) > 1 {
			t.Errorf("field %d is there twice: %s", n, line)
		}
	}
	// Whether a hook failed is a word, the time a text of its own.
	if got, want := strings.Count(line, "té")+strings.Count(line, ":5")+strings.Count(line, "true")+strings.Count(line, `"failed"`),
		fields; got != want {
		t.Errorf("%d of %d fields are in %s", got, want, line)
	}
	for _, want := range []string{`"time":"1970-01-01T00:00:01.0000005Z"`, `"payload":"the payload"`, `"input":"the input"`} {
		if !strings.Contains(line, want) {
			t.Errorf("%s is not in %s", want, line)
		}
	}
}

// set gives each field a value of its own, and returns how many that were.
func set(v reflect.Value) int {
	n := 0
	setFields(v, &n)
	return n
}

func setFields(v reflect.Value, n *int) {
	switch v.Kind() {
	case reflect.String, reflect.Int, reflect.Int64, reflect.Uint64, reflect.Bool:
		*n++
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("%dté\"xt", 99+*n))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(4999 + *n))
	case reflect.Uint64:
		v.SetUint(uint64(4999 + *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		setFields(v.Index(0), n)
		setFields(v.Index(1), n)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		setFields(v.Elem(), n)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(1, 500)))
			return
		}
		for i := range v.NumField() {
			setFields(v.Field(i), n)
		}
	}
}

const raw = `{"session_id":"3bbbded6","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash",` +
	`"tool_input":{"command":"deploy --token abc123def456","n":12345678901234567890}}`

func event() *trammel.Event {
	return &trammel.Event{
		Kind: trammel.PreToolUse, Name: "PreToolUse", Host: "claude-code", Raw: []byte(raw),
		Session: trammel.Session{ID: "3bbbded6", Dir: "/p", Project: "/p", Parents: []string{"a", "b"}},
		Tool:    &trammel.ToolCall{ID: "t1", Name: "Bash", Input: map[string]any{"command": "deploy --token abc123def456"}},
	}
}

func engine(t testing.TB) *trammel.Engine {
	t.Helper()
	answer := func(a trammel.Answer, err error) trammel.Handler {
		return trammel.HandlerFunc(func(context.Context, *trammel.Event) (trammel.Answer, error) { return a, err })
	}
	on := []trammel.Kind{trammel.PreToolUse}
	e, err := trammel.New([]trammel.Hook{
		{ID: "rewrites", Kind: "rule", On: on, May: trammel.Rewrite,
			Handler: answer(trammel.Answer{Input: map[string]any{"command": "deploy --token zzz999yyy888"}}, nil)},
		{ID: "denies", Kind: "builtin", On: on, May: trammel.Guard, Source: trammel.Source{File: "trammel.yaml", Line: 3},
			Handler: answer(trammel.Answer{
				Decision: trammel.Deny, Reason: "no: password=hunter22", Context: []string{"use a vault, not token=abc123def456"},
				Diagnostics: []string{"saw token=abc123def456"}, Findings: []trammel.Finding{{Code: "secret", Severity: "high", Target: "command"}}},
				nil)},
		{ID: "program", Kind: "command", On: on, May: trammel.Guard, Handler: answer(trammel.Answer{
			Trace: &trammel.Trace{Entrypoint: "sha256:e", Input: "sha256:i", Output: "sha256:o", Stderr: "api_key=abc123def456"}}, nil)},
		{ID: "fails", Kind: "command", On: on, May: trammel.Observe, Handler: answer(trammel.Answer{},
			&trammel.Failure{Code: trammel.CodeCrash, Detail: "exit 3", Trace: &trammel.Trace{Input: "sha256:sent"}})},
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// FST-60 and FST-61: which hook, of which kind, with which program, given what,
// giving back what, noticing what, and how it went.
func TestRecordOfAVerdict(t *testing.T) {
	ev := event()
	v := engine(t).Dispatch(t.Context(), ev)
	v.Degraded = []trammel.Degradation{{Wanted: "ask", Became: "deny", Why: "no channel"}}
	r := FromVerdict(ev, v, Meta{Config: "sha256:c", Engine: "v1", Started: time.Unix(1000, 0), Micros: 42})
	if r.Input != canonical.Digest([]byte(raw)) || r.Size != len(raw) {
		t.Errorf("input %s, size %d: not of the original bytes", r.Input, r.Size)
	}
	got := map[string]HookRecord{}
	for _, h := range r.Hooks {
		got[h.ID] = h
	}
	before := canonical.DigestOf(map[string]any{"name": "Bash", "input": map[string]any{"command": "deploy --token abc123def456"}})
	after := canonical.DigestOf(map[string]any{"name": "Bash", "input": map[string]any{"command": "deploy --token zzz999yyy888"}})
	if h := got["rewrites"]; h.Input != before || h.Phase != "transform" || fmt.Sprint(h.Rewrites) != "[command]" {
		t.Errorf("transform: %+v", h)
	}
	if h := got["denies"]; h.Input != after || h.Output == "" || h.Decision != "deny" || h.Source != "trammel.yaml:3" || h.Context != 1 ||
		len(h.Diagnostics) != 1 || h.Failed {
		t.Errorf("guard: %+v", h)
	}
	if h := got["program"]; h.Entrypoint != "sha256:e" || h.Input != "sha256:i" || h.Output != "sha256:o" {
		t.Errorf("program: %+v", h)
	}
	if h := got["fails"]; !h.Failed || h.Code != "crash" || h.Input != "sha256:sent" || h.Output != "" {
		t.Errorf("failure: %+v", h)
	}
	if got["denies"].Output == got["rewrites"].Output {
		t.Error("different answers have the same digest")
	}
	line := string(r.AppendJSON(nil))
	for _, value := range []string{"abc123def456", "zzz999yyy888", "hunter22"} {
		if strings.Contains(line, value) {
			t.Errorf("%s is in %s", value, line)
		}
	}
	for _, want := range []string{`"n":12345678901234567890`, `"became":"deny"`, `"codes":["crash"]`, `"status":"failed"`,
		`"rewrites":["command"]`, `"parents":["a","b"]`,
		`"command":"deploy --token [REDACTED:token]"`, `"stderr":"api_key=[REDACTED:api-key]"`, `"summary":"deploy --token [REDACTED:token]"`} {
		if !strings.Contains(line, want) {
			t.Errorf("%s is not in %s", want, line)
		}
	}
}

func TestPayloadModes(t *testing.T) {
	ev := event()
	for mode, want := range map[PayloadMode]string{
		PayloadNone: "", PayloadFull: "--token abc123def456", PayloadRedacted: "--token [REDACTED:token]", "": "--token [REDACTED:token]",
	} {
		out, err := canonical.Append(nil, FromVerdict(ev, nil, Meta{PayloadMode: mode}).Payload)
		if err != nil || !strings.Contains(string(out), want) || mode == PayloadNone && string(out) != "null" {
			t.Errorf("%q: %s, %v", mode, out, err)
		}
	}
}

// Of bytes that cannot be read, only the digest and the size are kept.
func TestUnreadablePayload(t *testing.T) {
	for _, bad := range []string{"{", `{"a":1,"a":2}`, "{\"token\":\"\xff\"}", "{} {}", strings.Repeat("[", 5000) +
		strings.Repeat("]", 5000)} {
		ev := &trammel.Event{Kind: trammel.PreToolUse, Raw: []byte(bad)}
		r := FromVerdict(ev, nil, Meta{PayloadMode: PayloadFull, Err: trammel.Fail(trammel.CodeInput, "token=abc123def456")})
		if r.Payload != nil || r.Size != len(bad) || r.Input != canonical.Digest([]byte(bad)) {
			t.Errorf("%.20q: %+v", bad, r)
		}
		if line := string(r.AppendJSON(nil)); !strings.Contains(line, `"error":{"code":"input","detail":"token=[REDACTED:token]"}`) {
			t.Errorf("%s", line)
		}
	}
}

func TestContentOfSensitiveFilesIsNotKept(t *testing.T) {
	const value = "plain words of a file"
	for name, ev := range map[string]*trammel.Event{
		"read": {Tool: &trammel.ToolCall{Name: "Read", Action: trammel.Action{Kind: trammel.ReadAction, Paths: []string{"/p/.env"}}},
			Raw: []byte(`{"tool_input":{"file_path":"/p/.env"},"tool_response":{"type":"text","file":{"filePath":"/p/.env","content":"` + value +
				`"}}}`)},
		"write": {Tool: &trammel.ToolCall{Name: "Write", Action: trammel.Action{Kind: trammel.WriteAction, Paths: []string{"id_rsa"},
			Content: value}},
			Raw: []byte(`{"tool_input":{"file_path":"id_rsa","content":"` + value + `"}}`)},
		"shell": {Tool: &trammel.ToolCall{Name: "Bash", Action: trammel.Action{Kind: trammel.ShellAction, Command: "cat .env"}},
			Raw: []byte(`{"tool_input":{"command":"cat .env"},"tool_response":{"stdout":"` + value + `"}}`)},
		"heredoc": {Tool: &trammel.ToolCall{Name: "Bash", Action: trammel.Action{Kind: trammel.ShellAction, Command: "cat > .env <<X\n" +
			value + "\nX"}},
			Raw: []byte(`{"tool_input":{"command":"cat > .env <<X\n` + value + `\nX"}}`)},
		"embedded": {Tool: &trammel.ToolCall{Name: "read", Input: map[string]any{"path": ".netrc"}, Done: true, Output: value,
			Action: trammel.Action{Kind: trammel.ReadAction, Paths: []string{".netrc"}}}},
	} {
		line := string(FromVerdict(ev, &trammel.Verdict{Event: ev}, Meta{}).AppendJSON(nil))
		if strings.Contains(line, value) || !strings.Contains(line, "sensitive-file") {
			t.Errorf("%s: %s", name, line)
		}
	}
}

// Secrets of every kind, in every place of a payload, never reach the file.
func TestGeneratedSecretsDoNotReachTheFile(t *testing.T) {
	const seed = 7
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	dir := filepath.Join(t.TempDir(), "log")
	log := Open(dir, Options{})
	var values []string
	for _, m := range secrettest.Makers() {
		for _, c := range secrettest.Carriers() {
			s, value := m.Make(random)
			values = append(values, value)
			s = c.Wrap(s)
			payload, err := canonical.Append(nil, map[string]any{"prompt": s, "tool_input": map[string]any{"command": s, "list": []any{s}}})
			if err != nil {
				t.Fatal(err)
			}
			ev := event()
			ev.Raw, ev.Tool.Input, ev.Tool.Action = payload, map[string]any{"command": s}, trammel.Action{Kind: trammel.ShellAction, Command: s}
			v := &trammel.Verdict{Event: ev, Answer: trammel.Answer{Decision: trammel.Deny, Reason: s, Notice: s, Context: []string{s},
				Input: map[string]any{"command": s}}}
			if _, err := log.Append(soon(t), FromVerdict(ev, v, Meta{Err: trammel.Fail(trammel.CodeError, "%s", s)}).AppendJSON(nil)); err != nil {
				t.Fatal(err)
			}
		}
	}
	sound(t, dir, len(values))
	data := string(read(t, filepath.Join(dir, currentName)))
	for _, value := range values {
		if strings.Contains(data, value) {
			t.Errorf("%q is in the file", value)
		}
	}
}

// Every real payload of a host goes through the whole way.
func TestRealPayloads(t *testing.T) {
	data, err := os.ReadFile("testdata/claude-code.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "log")
	n := 0
	for line := range strings.Lines(string(data)) {
		ev := &trammel.Event{Kind: trammel.PreToolUse, Host: "claude-code", Raw: []byte(strings.TrimSpace(line))}
		r := FromVerdict(ev, nil, Meta{})
		if out, _ := canonical.Append(nil, r.Payload); r.Payload == nil || strings.Contains(string(out), "REDACTED") {
			t.Errorf("%s\nbecame %s", line, out)
		}
		if _, err := Open(dir, Options{}).Append(soon(t), r.AppendJSON(nil)); err != nil {
			t.Fatal(err)
		}
		n++
	}
	sound(t, dir, n)
}

func TestSummaryIsShort(t *testing.T) {
	ev := event()
	ev.Tool.Action = trammel.Action{Kind: trammel.ShellAction, Command: strings.Repeat("é", 1000)}
	if s := FromVerdict(ev, nil, Meta{}).Action.Summary; len([]rune(s)) != maxSummary || !strings.HasSuffix(s, "é…") {
		t.Errorf("%d characters: %s", len([]rune(s)), s)
	}
}

func FuzzPayload(f *testing.F) {
	f.Add([]byte(raw))
	f.Add([]byte(`[1e999,-0.0,1e20,0.1,9223372036854775808,-9223372036854775809,"\ud800"]`))
	f.Add([]byte(`{"\u0000":"x","password":{"a":["b1c2d3e4"]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, mode := range []PayloadMode{PayloadRedacted, PayloadFull} {
			line := FromVerdict(&trammel.Event{Raw: raw}, nil, Meta{PayloadMode: mode}).AppendJSON(nil)
			v := verifier{}
			if err := v.line(rawLine{data: bytes.TrimSuffix(Receipt{}.next(line).line(line), []byte("\n")), ended: true}); err != nil {
				t.Fatalf("%q is recorded as %s: %v", raw, line, err)
			}
		}
	})
}

func BenchmarkRecord(b *testing.B) {
	data, err := os.ReadFile("testdata/claude-code.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	ev := event()
	for line := range strings.Lines(string(data)) {
		if strings.Contains(line, `"PostToolUse"`) {
			ev.Raw = []byte(strings.TrimSpace(line))
		}
	}
	plain := *ev
	plain.Tool = &trammel.ToolCall{ID: "t1", Name: "Bash", Input: map[string]any{"command": "touch /home/dev/project/RAN && echo tool-ran"}}
	one, err := trammel.New([]trammel.Hook{{ID: "one", Kind: "builtin", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard,
		Handler: trammel.HandlerFunc(func(context.Context, *trammel.Event) (trammel.Answer, error) { return trammel.Answer{}, nil })}})
	if err != nil {
		b.Fatal(err)
	}
	for name, c := range map[string]struct {
		ev     *trammel.Event
		engine *trammel.Engine
	}{"one-hook": {&plain, one}, "four-hooks-with-secrets": {ev, engine(b)}} {
		v := c.engine.Dispatch(context.Background(), c.ev)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				FromVerdict(c.ev, v, Meta{Config: "sha256:c", Engine: "v1"}).AppendJSON(nil)
			}
		})
	}
}
