package trammel

import (
	"context"
	"testing"
	"testing/synctest"
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
	another := func(d time.Duration) Hook {
		return Hook{ID: "another", May: Guard, Timeout: time.Hour, Handler: slow{d, false}}
	}
	brief := func(d time.Duration) Hook {
		return Hook{ID: "brief", May: Guard, Timeout: 50 * ms, Handler: slow{d, false}}
	}
	look := func(d time.Duration) Hook {
		return Hook{ID: "look", May: Observe, Timeout: time.Hour, Handler: slow{d, false}}
	}
	for name, c := range map[string]struct {
		people time.Duration
		hooks  []Hook
		failed string
		want   time.Duration
	}{
		"a person beyond the budget":                 {1000 * ms, []Hook{person(400 * ms)}, "", 400 * ms},
		"an observer after that":                     {1000 * ms, []Hook{person(400 * ms), look(100 * ms)}, "", 500 * ms},
		"an observer after that, too long":           {1000 * ms, []Hook{person(400 * ms), look(5000 * ms)}, "look", 600 * ms},
		"a person without time of their own":         {0, []Hook{person(400 * ms)}, "person", 200 * ms},
		"a person who takes too long":                {600 * ms, []Hook{person(5000 * ms), look(5 * ms)}, "person", 545 * ms},
		"a program that takes too long":              {1000 * ms, []Hook{program(5000 * ms)}, "program", 200 * ms},
		"time of their own that is less than usual":  {100 * ms, []Hook{person(5000 * ms)}, "person", 100 * ms},
		"a program that takes too long, then people": {1000 * ms, []Hook{program(5000 * ms), person(1 * ms)}, "program", 100 * ms},
		"programs that wait beside each other":       {0, []Hook{program(150 * ms), another(160 * ms)}, "", 160 * ms},
		"a hook with a time of its own":              {0, []Hook{brief(5000 * ms)}, "brief", 50 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for i := range c.hooks {
					c.hooks[i].On = []Kind{PreToolUse}
				}
				e, err := New(c.hooks, WithBudget(200*ms), WithPeople(c.people))
				if err != nil {
					t.Fatal(err)
				}
				v := e.Dispatch(t.Context(), call(nil))
				if v.Took != c.want {
					t.Errorf("it took %v, want %v", v.Took, c.want)
				}
				for i := range v.Runs {
					if r := &v.Runs[i]; (r.Code != "") != (r.Hook.ID == c.failed) {
						t.Errorf("%s: %s %s", r.Hook.ID, r.Code, r.Detail)
					}
				}
			})
		})
	}
}
