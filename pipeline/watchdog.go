package pipeline

import (
	"sync"
	"time"

	"github.com/trammel-dev/trammel"
)

// Watchdog replies for a process that hangs, because most hosts take silence as
// consent. The whole process has one timer: each additional one would wake a
// thread and cost time on every event.
type Watchdog struct {
	mu     sync.Mutex
	timer  *time.Timer
	until  time.Time
	reply  lastReply
	expire func(r trammel.Reply, then func())
}

// lastReply is the reply of a hung process, and what to do after it.
type lastReply func() (r trammel.Reply, then func())

// patience is how long the process may take to start, and the host to send its
// payload.
const patience = 5 * time.Second

// Watch starts the watchdog. Until expect is called, it expires with reply.
func Watch(reply func() (r trammel.Reply, then func()), expire func(r trammel.Reply, then func())) *Watchdog {
	w := &Watchdog{until: time.Now().Add(patience), reply: reply, expire: expire}
	w.timer = time.AfterFunc(patience, w.tick)
	return w
}

// expect sets the deadline, and the reply to send if it passes.
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
