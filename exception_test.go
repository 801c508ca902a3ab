package trammel

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TEAM-27: an exception takes back the objection of its own hook, up to the
// second at which it ends, and puts that on record.
func TestExceptions(t *testing.T) {
	until := time.Date(2026, 12, 31, 12, 0, 0, 0, time.UTC)
	except := func(m Match) []Exception {
		return []Exception{{Match: m, Until: until, Reason: "migration", Source: Source{Layer: "user", File: "/u/trammel.yaml", Line: 7}}}
	}
	says := func(id string, d Decision, x []Exception) Hook {
		return Hook{ID: id, On: []Kind{PreToolUse}, May: Guard, Except: x, Handler: HandlerFunc(func(context.Context, *Event) (Answer, error) {
			return Answer{Decision: d, Reason: id + " objects", Context: []string{"context of " + id}}, nil
		})}
	}
	all, other := except(Match{}), except(Match{Tools: []string{"Write"}})
	failing := Hook{ID: "broken", On: []Kind{PreToolUse}, May: Guard, Except: all,
		Handler: HandlerFunc(func(context.Context, *Event) (Answer, error) { return Answer{}, Fail(CodeCrash, "it fell over") })}
	second := time.Second
	for _, c := range []struct {
		name  string
		hooks []Hook
		at    time.Time
		want  Decision
		used  int
	}{
		{"a second before", []Hook{says("a", Deny, all)}, until.Add(-second), None, 1},
		{"at the second", []Hook{says("a", Deny, all)}, until, Deny, 0},
		{"a second after", []Hook{says("a", Deny, all)}, until.Add(second), Deny, 0},
		{"90 days before", []Hook{says("a", Deny, all)}, until.Add(-MaxException), None, 1},
		{"the clock was set back", []Hook{says("a", Deny, all)}, until.Add(-MaxException - second), Deny, 0},
		{"a question", []Hook{says("a", Ask, all)}, until.Add(-second), None, 1},
		{"another call", []Hook{says("a", Deny, other)}, until.Add(-second), Deny, 0},
		{"two object, one is excepted", []Hook{says("a", Deny, all), says("b", Ask, nil)}, until.Add(-second), Ask, 1},
		{"both are excepted", []Hook{says("a", Deny, all), says("b", Ask, all)}, until.Add(-second), None, 2},
		{"no objection", []Hook{says("a", Allow, all)}, until.Add(-second), Allow, 0},
		{"a failure is no objection", []Hook{failing}, until.Add(-second), Deny, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := New(c.hooks)
			if err != nil {
				t.Fatal(err)
			}
			v := e.Dispatch(context.Background(), &Event{Kind: PreToolUse, Time: c.at, Tool: &ToolCall{Name: "Bash"}})
			used := 0
			for i := range v.Runs {
				r := &v.Runs[i]
				if r.Exception == nil {
					continue
				}
				used++
				said := strings.Join(r.Answer.Diagnostics, "; ")
				if r.Would == nil || r.Would.Decision < Ask || len(r.Answer.Context) > 0 ||
					!strings.Contains(said, "exception /u/trammel.yaml:7 until 2026-12-31T12:00:00Z: migration") {
					t.Errorf("on record is %+v", r.Answer)
				}
			}
			if v.Decision != c.want || used != c.used {
				t.Errorf("found %s with %d exceptions, expected %s with %d", v.Decision, used, c.want, c.used)
			}
		})
	}
}
