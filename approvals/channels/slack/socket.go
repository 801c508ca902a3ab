package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/internal/pause"
)

// socket is a Slack channel in Socket Mode. Clicks arrive over a connection
// that we have opened to Slack, so they need no signature.
type socket struct{ *slack }

// Limits of a connection.
const (
	maxFrame  = 1 << 20
	pingEvery = 30 * time.Second
	minPause  = 500 * time.Millisecond
	maxPause  = 30 * time.Second
	clickTime = 2500 * time.Millisecond
)

// Listen implements channels.Listener. Slack asks for a new connection now and
// then; one that ends soon after it was opened is not opened again at once.
func (s *socket) Listen(ctx context.Context, take func(context.Context, *channels.Decision) channels.Reply, report func(error)) error {
	for wait := minPause; ; wait = min(2*wait, maxPause) {
		began := time.Now()
		err := s.session(ctx, take, report)
		lasted := time.Since(began) > maxPause
		if lasted {
			wait = minPause
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			report(fmt.Errorf("slack: %w", err))
		case lasted:
			continue
		}
		if !pause.For(ctx, wait) {
			return ctx.Err()
		}
	}
}

// session is one connection, until Slack wants a new one (nil) or it breaks.
// Each frame is handled on its own, so that one click does not delay another;
// clicks in progress are completed.
func (s *socket) session(ctx context.Context, take func(context.Context, *channels.Decision) channels.Reply, report func(error)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	conn, err := s.connect(ctx)
	if err != nil {
		return err
	}
	defer conn.CloseNow()
	go ping(ctx, conn)
	var clicks sync.WaitGroup
	defer clicks.Wait()
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return fmt.Errorf("the connection broke: %w", err)
		}
		var f frame
		if err := json.Unmarshal(data, &f); err != nil {
			return errors.New("a frame is not the expected JSON")
		}
		switch {
		case f.Type == "disconnect":
			return nil
		case f.ID == "":
			continue // hello
		}
		clicks.Go(func() {
			ack, err := json.Marshal(s.handle(ctx, &f, take, report))
			if err == nil {
				err = conn.Write(ctx, websocket.MessageText, ack)
			}
			if err != nil {
				report(fmt.Errorf("slack: a click could not be acknowledged: %w", err))
			}
		})
	}
}

func (s *socket) connect(ctx context.Context) (*websocket.Conn, error) {
	var got struct{ URL string }
	if err := s.call(ctx, "apps.connections.open", s.appToken, object{}, &got); err != nil {
		return nil, err
	}
	if _, err := channels.Address(strings.Replace(got.URL, "ws", "http", 1)); err != nil {
		return nil, err
	}
	dial, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	conn, _, err := websocket.Dial(dial, got.URL, nil)
	if err != nil {
		return nil, errors.New("the socket cannot be opened") // the error would repeat its address, which is a secret
	}
	conn.SetReadLimit(maxFrame)
	return conn, nil
}

// ping detects a dead connection.
func ping(ctx context.Context, conn *websocket.Conn) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pingEvery):
		}
		wait, stop := context.WithTimeout(ctx, 10*time.Second)
		err := conn.Ping(wait)
		stop()
		if err != nil {
			conn.CloseNow()
			return
		}
	}
}

type frame struct {
	ID      string          `json:"envelope_id"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload"`
}

type ack struct {
	ID      string          `json:"envelope_id"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// handle handles a frame. Every frame is acknowledged: otherwise Slack would
// send it again, and it would be refused again.
func (s *socket) handle(ctx context.Context, f *frame, take func(context.Context, *channels.Decision) channels.Reply,
	report func(error)) ack {
	out := ack{ID: f.ID}
	if f.Type != "interactive" {
		return out
	}
	ctx, stop := context.WithTimeout(ctx, clickTime)
	defer stop()
	d, _, err := s.parse(ctx, f.Payload)
	if err != nil {
		report(err)
		return out
	}
	if d != nil {
		if reply := take(ctx, d); reply.Status == http.StatusOK {
			out.Payload = reply.Body
		}
	}
	return out
}
