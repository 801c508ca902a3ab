package evidence

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

// text follows keys down to a string; what is not there is "".
func text(m map[string]any, keys ...string) string {
	for _, key := range keys[:len(keys)-1] {
		m, _ = m[key].(map[string]any)
	}
	s, _ := m[keys[len(keys)-1]].(string)
	return s
}

func list(m map[string]any, keys ...string) (out []any) {
	for _, key := range keys[:len(keys)-1] {
		m, _ = m[key].(map[string]any)
	}
	out, _ = m[keys[len(keys)-1]].([]any)
	return out
}

// slowRow reads a record by decoding all of it.
func slowRow(e *Entry) (Row, error) {
	m, err := e.Record()
	if err != nil {
		return Row{}, err
	}
	r := Row{
		Seq: e.Seq, ID: text(m, "id"), Host: text(m, "host"), Event: text(m, "event"), Session: text(m, "session", "id"),
		Tool: text(m, "tool", "name"), Action: text(m, "action", "kind"), Summary: text(m, "action", "summary"),
		Decision: text(m, "verdict", "decision"), Reason: text(m, "verdict", "reason"),
		Error: text(m, "error", "code"), Detail: text(m, "error", "detail"),
	}
	r.Micros, _ = m["micros"].(int64)
	r.Time, _ = time.Parse(time.RFC3339Nano, text(m, "time"))
	for _, v := range list(m, "verdict", "rewrites") {
		s, _ := v.(string)
		r.Rewrites = append(r.Rewrites, s)
	}
	for _, h := range list(m, "hooks") {
		if h, ok := h.(map[string]any); ok {
			r.Hooks = append(r.Hooks, text(h, "id"))
			if would := text(h, "trial"); would != "" && would != "nothing" && would != "fail" {
				r.Trials = append(r.Trials, Trial{text(h, "id"), would})
			}
		}
	}
	return r, nil
}

// What a listing reads fast is what decoding the whole record gives.
func TestRowsAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 0))
	ev := event()
	bodies := [][]byte{
		FromVerdict(ev, engine(t).Dispatch(context.Background(), ev), Meta{Micros: 7}).AppendJSON(nil),
		FromVerdict(ev, nil, Meta{Err: trammel.Fail(trammel.CodeTimeout, "late")}).AppendJSON(nil),
		(&Record{ID: "ev_1", Event: "x", Time: time.Date(2024, 2, 29, 23, 59, 59, 5000, time.UTC), Payload: map[string]any{"a\n\"b": 1.5,
			"c": nil},
			Action: ActionRecord{Summary: "tab\there \"é\" \x01"}, Hooks: []HookRecord{{ID: "t", Trial: "deny"}, {ID: "u", Trial: "nothing"}},
			Verdict: &VerdictRecord{Decision: "none", Rewrites: []string{"command", "(output)"}}}).AppendJSON(nil),
		[]byte(
			`{"action":[],"error":5,"event":1,"hooks":[{},3,{"id":4}],"host":null,"micros":1.5,"session":"x","time":"noon","tool":{"name":[]}}`),
		[]byte(`{}`), []byte(`{"time":"2024-01-31T00:00:60Z"}`), []byte(`{"time":"2024-01-02T03:04:05+01:00"}`),
	}
	const bytes = "\"\\{}[],:0123456789eE+-.abtfnru \x00\x80\xc3\xa9"
	for n := range 30_000 {
		body := slices.Clone(bodies[n%len(bodies)])
		for range random.IntN(3) {
			body[random.IntN(len(body))] = bytes[random.IntN(len(bytes))]
		}
		e := Entry{Receipt: Receipt{Seq: 3}, Body: body, Segment: "s", Number: 1}
		got, gotErr := e.Row()
		want, wantErr := slowRow(&e)
		if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\ngot  %+v, %v\nwant %+v, %v", body, got, gotErr, want, wantErr)
		}
	}
}

// Findings enforcement 22: what hooks on trial would have done, and what was
// rewritten, shows in listings and can be asked for.
func TestTrialsAndRewritesAreListed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	on := []trammel.Kind{trammel.PreToolUse}
	say := func(a trammel.Answer) trammel.Handler {
		return trammel.HandlerFunc(func(context.Context, *trammel.Event) (trammel.Answer, error) { return a, nil })
	}
	for _, h := range []trammel.Hook{
		{ID: "no-rm", On: on, May: trammel.Guard, Trial: true, Handler: say(trammel.Denial("no"))},
		{ID: "tidy", On: on, May: trammel.Rewrite, Trial: true, Handler: say(trammel.Answer{Input: map[string]any{"command": "x"}})},
		{ID: "idle", On: on, May: trammel.Guard, Trial: true, Handler: say(trammel.Answer{})},
		{ID: "real", On: on, May: trammel.Rewrite, Handler: say(trammel.Answer{Input: map[string]any{"command": "x"}})},
	} {
		engine, err := trammel.New([]trammel.Hook{h})
		if err != nil {
			t.Fatal(err)
		}
		ev := event()
		if _, err := Open(dir, Options{}).Append(soon(t), FromVerdict(ev, engine.Dispatch(t.Context(), ev), Meta{}).AppendJSON(nil)); err != nil {
			t.Fatal(err)
		}
	}
	old := `{"hooks":[{"diagnostics":["on trial, would ask: sure?"],"id":"old","status":"ok"},` +
		`{"diagnostics":["on trial, would add context"],"id":"adds"}],"id":"ev_5"}`
	if _, err := Open(dir, Options{}).Append(soon(t), []byte(old)); err != nil {
		t.Fatal(err)
	}
	for want, f := range map[string]Filter{
		"1 [{no-rm deny}] []|2 [{tidy rewrite}] []|5 [{old ask} {adds context}] []": {Trial: true},
		"4 [] [command]": {Rewrites: true},
	} {
		var got []string
		if err := List(dir, f, func(r Row) error { got = append(got, fmt.Sprint(r.Seq, r.Trials, r.Rewrites)); return nil }); err != nil {
			t.Fatal(err)
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%+v: got %s, want %s", f, s, want)
		}
	}
	sound(t, dir, 5)
}
