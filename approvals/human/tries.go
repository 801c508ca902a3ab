package human

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/trammel-dev/trammel"
)

// tries is how often in a row a wrong secret was typed, and when last.
type tries struct {
	Wrong int       `json:"wrong"`
	Last  time.Time `json:"last"`
}

// freeTries have no delay. After them it is half a minute, and doubles with
// each further try, up to an hour.
const (
	freeTries  = 5
	firstDelay = 30 * time.Second
	maxDelay   = time.Hour
)

func (t *tries) delay() time.Duration {
	if t.Wrong < freeTries {
		return 0
	}
	return min(firstDelay<<min(t.Wrong-freeTries, 10), maxDelay)
}

// counted keeps values for a month at most, and a delay is at most an hour.
var counted = trammel.Bucket{Name: "approvals/tries", Keep: 30 * 24 * time.Hour}

var triesKey = []trammel.Key{{"authority"}}

func (g *Gate) now() time.Time {
	if g.Now != nil {
		return g.Now()
	}
	return time.Now()
}

// patience refuses a try that comes too soon, and if the tries cannot be read.
// If the clock was set back since the last try, the delay begins again.
func (g *Gate) patience(ctx context.Context) error {
	var refused error
	err := g.State.Update(ctx, &counted, triesKey, func(values [][]byte) error {
		t, err := readTries(values[0])
		if err != nil {
			return err
		}
		now := g.now()
		if t.Last.After(now) {
			t.Last = now
			values[0], err = json.Marshal(t)
		}
		if until := t.Last.Add(t.delay()); t.Wrong >= freeTries && now.Before(until) {
			refused = &Refused{fmt.Sprintf("a wrong secret was typed %d times in a row", t.Wrong),
				fmt.Sprintf("Try again after %s.", until.Local().Format("15:04:05"))}
		}
		return err
	})
	return cmp.Or(err, refused)
}

// count counts a try as a wrong one; forget resets the count.
func (g *Gate) count(ctx context.Context) error {
	return g.State.Update(ctx, &counted, triesKey, func(values [][]byte) error {
		t, err := readTries(values[0])
		if err != nil {
			return err
		}
		values[0], err = json.Marshal(tries{t.Wrong + 1, g.now()})
		return err
	})
}

func (g *Gate) forget(ctx context.Context) error {
	return g.State.Update(ctx, &counted, triesKey, func(values [][]byte) error {
		values[0] = nil
		return nil
	})
}

func readTries(data []byte) (t tries, err error) {
	if data != nil {
		err = json.Unmarshal(data, &t)
	}
	return t, err
}
