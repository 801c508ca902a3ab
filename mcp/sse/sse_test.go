package sse

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// stream has every kind of line that a server may send.
const stream = ": alive\n\n" +
	"id: 1\ndata:\n\n" +
	"event: message\nid: 2\nretry: 300\ndata: {\"a\":1}\n\n" +
	"data: {\ndata: \"b\":2}\nunknown: kept\nid\n\n" +
	"data:{\"c\": \"ü: x\"}\r\n\r\n" +
	"data: {\"d\":4}\r\r" +
	"data: lost, no blank line\n"

// TestEvents proves MCP-11: however the bytes of a stream arrive, its events
// are the same, and what goes on is what came.
func TestEvents(t *testing.T) {
	want := []string{"", "", "", `{"a":1}`, "{\n\"b\":2}", `{"c": "ü: x"}`, `{"d":4}`}
	for name, in := range map[string]io.Reader{
		"whole":     strings.NewReader(stream),
		"bytes":     iotest.OneByteReader(strings.NewReader(stream)),
		"with mark": strings.NewReader("\xef\xbb\xbf" + stream),
	} {
		r := NewReader(in, 100)
		var raw []byte
		for i := range want {
			e, err := r.Next()
			if err != nil {
				t.Fatalf("%s: event %d: %v", name, i, err)
			}
			if got := string(e.Data()); got != want[i] {
				t.Errorf("%s: event %d says %q, want %q", name, i, got, want[i])
			}
			raw = append(raw, e.Raw()...)
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("%s: the end is %v", name, err)
		}
		if got := string(raw); name == "whole" && got != strings.TrimSuffix(stream, "data: lost, no blank line\n") {
			t.Errorf("%s: the bytes are %q", name, got)
		}
	}
}

// TestEventFields proves that ids, types and waiting times stay with an event
// whose data is another or none (MCP-20).
func TestEventFields(t *testing.T) {
	e, err := NewReader(strings.NewReader("event: message\nid: 2\nretry: 300\n: why\ndata: {\ndata: }\n\n"), 100).Next()
	if err != nil {
		t.Fatal(err)
	}
	if id, ok := e.ID(); id != "2" || !ok || e.Type() != "message" || e.Retry() != "300" {
		t.Errorf("id %q, type %q, retry %q", id, e.Type(), e.Retry())
	}
	const rest = "event: message\nid: 2\nretry: 300\n: why\n"
	if got := string(e.With([]byte("{\r\n}"))); got != rest+"data: {\ndata: \ndata: }\n\n" {
		t.Errorf("with other data: %q", got)
	}
	if got := string(e.With(nil)); got != rest+"\n" {
		t.Errorf("without data: %q", got)
	}
	if got := string(Append(nil, []byte(`{}`))); got != "data: {}\n\n" {
		t.Errorf("new: %q", got)
	}
}

// TestEventTooLarge proves MCP-15: what is too large is skipped, one line or
// many, and the stream goes on.
func TestEventTooLarge(t *testing.T) {
	for _, large := range []string{"data: " + strings.Repeat("x", 1<<20), strings.Repeat("data: x\n", 1<<10), strings.Repeat("data:\n", 20)} {
		r := NewReader(strings.NewReader(strings.TrimSuffix(large, "\n")+"\n\ndata: next\n\n"), 100)
		_, err := r.Next()
		if tooLarge := new(TooLarge); !errors.As(err, &tooLarge) {
			t.Fatalf("%.20q: %v", large, err)
		}
		if e, err := r.Next(); err != nil || string(e.Data()) != "next" {
			t.Errorf("%.20q: behind it %v", large, err)
		}
	}
}

// TestEventAtOnce proves that an event that ends with a carriage return does
// not wait for what may follow.
func TestEventAtOnce(t *testing.T) {
	in, out := io.Pipe()
	got := make(chan []byte, 2)
	go func() {
		r := NewReader(in, 100)
		for range 2 {
			if e, err := r.Next(); err == nil {
				got <- e.Data()
			}
		}
	}()
	for i, part := range []string{"data: 0\r\n\r", "\ndata: 1\r\n\r"} {
		out.Write([]byte(part))
		select {
		case data := <-got:
			if string(data) != strconv.Itoa(i) {
				t.Errorf("%q, want %d", data, i)
			}
		case <-time.After(time.Minute):
			t.Fatal("the event waits")
		}
	}
}
