package stream

import (
	"context"
	"testing"
	"time"
)

// Who waits is woken by the next event, and not by the end of its patience.
func TestPublishWakes(t *testing.T) {
	h := NewHub(4)
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	got := make(chan []Event, 1)
	after := h.Now()
	go func() {
		events, _, _ := h.After(ctx, after)
		got <- events
	}()
	time.Sleep(50 * time.Millisecond)
	h.Publish("record", []byte("{}"))
	select {
	case events := <-got:
		if len(events) != 1 || string(events[0].Data) != "{}" {
			t.Errorf("%+v", events)
		}
	case <-time.After(5 * time.Second):
		t.Error("nobody was woken")
	}
}
