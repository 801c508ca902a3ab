package pipeline

import (
	"sync"
	"time"

	"github.com/trammel-dev/trammel"
)

// Watchdog replies for a process that does not: most hosts take silence for
// consent. It is one timer for the whole life of the process, because each
// further one wakes a thread, and that is paid for every event.
type Watchdog struct {
	mu     sync.Mutex
	timer  *time.Timer
	until  time.Time
	reply  lastReply
	expire func(r trammel.Reply, then func())
}

// lastReply is the reply of a process that hangs, and what is done once it is
// sent.
type lastReply func() (r trammel.Reply, then func())

// patience is how long the process may take until it knows what it is about,
// and a host to send its payload.
const patience = 5 * time.Second

// Watch begins to watch. Until something better is expected, it expires with
// reply.
func Watch(reply func() (r trammel.Reply, then func()), expire func(r trammel.Reply, then func())) *Watchdog {
	w := &Watchdog{until: time.Now().Add(patience), reply: reply, expire: expire}
	w.timer = time.AfterFunc(patience, w.tick)
	return w
}

// expect sets until when there has to be a reply, and which there is if not.
func (w *Watchdog) expect(until time.Time, reply lastReply) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.until, w.reply = until, reply
}

func (w *Watchdog) tick() {
	w.mu.Lock()
	left := time.Until(w.until)
	reply, expire := w.reply, w.expire
	if left > 0 {
		w.timer.Reset(left)
	}
	w.mu.Unlock()
	if left <= 0 {
		expire(reply())
	}
}
