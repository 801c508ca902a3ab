package proxy

import (
	"bytes"
	"context"
	"sync"

	"github.com/trammel-dev/trammel/mcp/frame"
)

// batch reads a batch, if the negotiated version has batches. Before that,
// there are none.
func (s *Session) batch(raw []byte) ([]*frame.Message, error) {
	s.mu.Lock()
	version := s.version
	s.mu.Unlock()
	if version == "" || version >= "2025-06-18" {
		return nil, &frame.Refused{Code: frame.InvalidRequest, Why: "this version of the protocol has no batches"}
	}
	return frame.ParseBatch(raw)
}

// clientBatch judges every message of a batch. If one is held back, all are
// (MCP-12).
func (s *Session) clientBatch(ctx context.Context, raw []byte, l Link) (rest func()) {
	list, err := s.batch(raw)
	if err != nil {
		s.RefuseClient(err, l)
		return nil
	}
	return func() {
		var b box
		b.each(list, l, func(m *frame.Message, inner Link) func() { return s.fromClient(ctx, m, inner) })
		if len(b.back) == 0 {
			b.send(raw, b.on, l.ToServer)
			return
		}
		for _, m := range list { // what was allowed is not sent either
			if m.Kind != frame.Request {
				continue
			}
			if e := s.close(&s.client, m.ID); e != nil {
				b.back = append(b.back, failure(m.ID, deniedCode, "Another message of this batch was denied, so nothing of it was sent."))
			}
		}
		_ = l.ToClient(joined(b.back))
	}
}

// serverBatch judges every message of a batch separately.
func (s *Session) serverBatch(ctx context.Context, raw []byte, l Link) (rest func()) {
	list, err := s.batch(raw)
	if err != nil {
		s.RefuseServer(err, l)
		return nil
	}
	return func() {
		var b box
		b.each(list, l, func(m *frame.Message, inner Link) func() {
			inner.ToServer, inner.ToClient = inner.ToClient, inner.ToServer
			return s.fromServer(ctx, m, inner)
		})
		if len(b.back) > 0 {
			_ = l.ToServer(joined(b.back))
		}
		b.send(raw, b.on, l.ToClient)
	}
}

// box collects the results of a batch: messages to pass on, and answers.
type box struct {
	mu       sync.Mutex
	on, back [][]byte
	same     bool
}

// each judges messages one after another. l is where the batch came from.
func (b *box) each(list []*frame.Message, l Link, judge func(*frame.Message, Link) func()) {
	add := func(to *[][]byte) func([]byte) error {
		return func(raw []byte) error {
			b.mu.Lock()
			defer b.mu.Unlock()
			*to = append(*to, raw)
			return nil
		}
	}
	inner := Link{ToServer: add(&b.on), ToClient: add(&b.back), outer: &l}
	b.same = true
	for i, m := range list {
		if rest := judge(m, inner); rest != nil {
			rest()
		}
		b.same = b.same && len(b.on) == i+1 && bytes.Equal(b.on[i], m.Raw)
	}
}

// send passes a batch on, unchanged if nothing in it was rewritten.
func (b *box) send(raw []byte, list [][]byte, to func([]byte) error) {
	switch {
	case b.same:
		_ = to(raw)
	case len(list) > 0:
		_ = to(joined(list))
	}
}

func joined(list [][]byte) []byte {
	return append(append([]byte{'['}, bytes.Join(list, []byte{','})...), ']')
}
