package process_test

import (
	"testing"
	"time"

	"github.com/trammel-dev/trammel/packs/process"
)

// FST-72: an artifact that was found to have expired does not count again when
// the clock is set back. One that is from the future does not count until then.
func TestTheClockJumps(t *testing.T) {
	order := payload{"vendor": "acme", "amount": 400}
	for _, c := range []struct {
		jump time.Duration
		back bool // the quote counts again after the jump back
	}{{25 * time.Hour, false}, {-24 * time.Hour, true}} {
		s := newShop(t)
		s.want(s.control("purchase.request", payload{"item": "desk", "amount": 400}), "ok", process.Continue, "")
		s.want(s.control("purchase.quote", payload{"vendor": "acme", "price": 400}), "ok", process.Continue, "")
		s.clock = s.clock.Add(c.jump)
		s.want(s.control("purchase.order", order), "nok", process.InstructAgent, process.CodeMissing)
		s.clock = s.clock.Add(-c.jump)
		if got := s.control("purchase.order", order); (got.Status == "ok") != c.back {
			t.Errorf("%v and back: %+v", c.jump, got)
		}
	}
}
