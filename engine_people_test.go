package trammel

import (
	"context"
	"testing"
	"time"
)

// slow takes its time, as people and programs do.
type slow struct {
	takes time.Duration
	gates bool
}

func (slow) Waits() bool   { return true }
func (s slow) Gates() bool { return s.gates }

func (s slow) Handle(ctx context.Context, _ *Event) (Answer, error) {
	select {
	case <-time.After(s.takes):
		return Answer{}, nil
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

// People may take longer than hooks: their time does not count against the
// budget, programs keep theirs, and all of it ends in time (APR-23).
func TestPeopleHaveTimeOfTheirOwn(t *testing.T) {
	const ms = time.Millisecond
	person := func(d time.Duration) Hook {
		return Hook{ID: "person", May: Rewrite, Timeout: time.Hour, Handler: slow{d, true}}
	}
	program := func(d time.Duration) Hook {
		return Hook{ID: "program", May: Guard, Timeout: time.Hour, Handler: slow{d, false}}
	}
	look := func(d time.Duration) Hook {
		return Hook{ID: "look", May: Observe, Timeout: time.Hour, Handler: slow{d, false}}
	}
	for name, c := range map[string]struct {
		people time.Duration
		hooks  []Hook
		failed string
		most   time.Duration
	}{
		"a person beyond the budget":                 {1000 * ms, []Hook{person(400 * ms)}, "", 700 * ms},
		"an observer after that":                     {1000 * ms, []Hook{person(400 * ms), look(100 * ms)}, "", 800 * ms},
		"a person without time of their own":         {0, []Hook{person(400 * ms)}, "person", 350 * ms},
		"a person who takes too long":                {600 * ms, []Hook{person(5000 * ms), look(5 * ms)}, "person", 620 * ms},
		"a program that takes too long":              {1000 * ms, []Hook{program(5000 * ms)}, "program", 350 * ms},
		"time of their own that is less than usual":  {100 * ms, []Hook{person(5000 * ms)}, "person", 200 * ms},
		"a program that takes too long, then people": {1000 * ms, []Hook{program(5000 * ms), person(1 * ms)}, "program", 350 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i := range c.hooks {
				c.hooks[i].On = []Kind{PreToolUse}
			}
			e, err := New(c.hooks, WithBudget(200*ms), WithPeople(c.people))
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			v := e.Dispatch(t.Context(), call(nil))
			if took := time.Since(began); took > c.most {
				t.Errorf("it took %v, at most %v were expected", took, c.most)
			}
			for i := range v.Runs {
				if r := &v.Runs[i]; (r.Code != "") != (r.Hook.ID == c.failed) {
					t.Errorf("%s: %s %s", r.Hook.ID, r.Code, r.Detail)
				}
			}
		})
	}
}
