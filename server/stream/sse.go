package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"
)

// The timing of a stream: bursts are combined, silence is broken, and a
// listener that reads nothing is dropped.
const (
	frame    = 250 * time.Millisecond
	silence  = 15 * time.Second
	patience = 10 * time.Second
)

// Serve sends events as they come, until the request or stop ends. render
// writes the events of one frame, nil if this listener does not want them. A
// listener that has missed something gets the event reset.
func (h *Hub) Serve(w http.ResponseWriter, r *http.Request, stop context.Context, render func(events []Event) [][2]string) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(stop, cancel)()
	defer h.enter()()
	s := sender{w, http.NewResponseController(w)}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	after := h.Now()
	hello := "retry: 1000\nid: " + h.Cursor(after) + "\n\n"
	if cursor := r.Header.Get("Last-Event-ID"); cursor != "" {
		var ok bool
		if after, ok = h.resume(cursor); ok {
			hello = "retry: 1000\n\n"
		} else {
			hello = "retry: 1000\nid: " + h.Cursor(after) + "\nevent: reset\ndata: {}\n\n"
		}
	}
	if s.send(hello) != nil {
		return
	}
	for {
		wait, done := context.WithTimeout(ctx, silence)
		events, lost, err := h.After(wait, after)
		done()
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, context.DeadlineExceeded):
			if s.send(": still here\n\n") != nil {
				return
			}
			continue
		case lost:
			after = h.Now()
			if s.send("id: "+h.Cursor(after)+"\nevent: reset\ndata: {}\n\n") != nil {
				return
			}
			continue
		}
		after = events[len(events)-1].ID
		if s.frame(render(events), h.Cursor(after)) != nil {
			return
		}
		select { // what comes until then goes with the next frame
		case <-time.After(frame):
		case <-ctx.Done():
			return
		}
	}
}

type sender struct {
	w       io.Writer
	control *http.ResponseController
}

// frame sends messages of an event's name and its data. The cursor is at
// the last one, so that a listener never resumes in the middle.
func (s *sender) frame(messages [][2]string, cursor string) error {
	text := ""
	for i, m := range messages {
		if i == len(messages)-1 {
			text += "id: " + cursor + "\n"
		}
		text += fmt.Sprintf("event: %s\n%s\n", m[0], data(m[1]))
	}
	if text == "" {
		text = "id: " + cursor + "\n\n" // nothing for this listener, but it need not resume before this
	}
	return s.send(text)
}

// data writes a text as data lines.
func data(text string) (out string) {
	for line := range lines(text) {
		out += "data: " + line + "\n"
	}
	return out
}

// send has its own write deadline: the server's would end every stream.
func (s *sender) send(text string) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(patience)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := io.WriteString(s.w, text); err != nil {
		return err
	}
	return s.control.Flush()
}

// lines are the lines of a text; a carriage return would end one, too.
func lines(text string) iter.Seq[string] {
	return strings.SplitSeq(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
}
