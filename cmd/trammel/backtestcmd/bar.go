package backtestcmd

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/terminal"
)

// bar shows the progress of a replay on a terminal: the number of records, and
// how much of their time span is done.
type bar struct {
	from, to time.Time
	on       bool
}

const barWidth = 30

func newBar(from, to time.Time) *bar { return &bar{from, to, terminal.Is(os.Stderr)} }

// show is nil if there is no terminal.
func (b *bar) show() func(int, time.Time) {
	if !b.on {
		return nil
	}
	first := true
	return func(done int, at time.Time) {
		if first && at.After(b.from) {
			b.from = at
		}
		first = false
		full := 0
		if all := b.to.Sub(b.from); all > 0 {
			full = min(max(int(barWidth*at.Sub(b.from)/all), 0), barWidth)
		}
		fmt.Fprintf(os.Stderr, "\r[%s%s] %d records", strings.Repeat("#", full), strings.Repeat(".", barWidth-full), done)
	}
}

func (b *bar) clear() {
	if b.on {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
