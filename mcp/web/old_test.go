package web

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// talk is a client on two streams of a bridge to a server.
func talk(t *testing.T, s *server) (say func(string), hear func() string) {
	up, err := NewUpstream(s.URL + "/sse")
	if err != nil {
		t.Fatal(err)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	b := Bridge{Upstream: up, Session: newSession(), In: inR, Out: outW}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.Run(t.Context())
		outW.Close()
	}()
	t.Cleanup(func() { inW.Close(); <-done })
	lines := bufio.NewReader(outR)
	return func(line string) { io.WriteString(inW, line+"\n") },
		func() string {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Error(err)
			}
			return strings.TrimSpace(line)
		}
}

// oldServer is a server of 2024-11-05: a stream, and an address for messages that
// the stream names. It answers on the stream that was opened last.
func oldServer(t *testing.T, endpoint string) *server {
	var stream atomic.Value // a chan string
	return newServer(t, func(w http.ResponseWriter, r *http.Request, body string) {
		switch {
		case r.Method == http.MethodGet:
			answers := make(chan string, 10)
			stream.Store(answers)
			w.Header().Set("Content-Type", eventStream)
			fmt.Fprintf(w, "event: endpoint\ndata: %s\n\n", endpoint)
			w.(http.Flusher).Flush()
			for {
				select {
				case a, ok := <-answers:
					if !ok {
						return
					}
					fmt.Fprintf(w, "event: message\ndata: %s\n\n", a)
					w.(http.Flusher).Flush()
				case <-r.Context().Done():
					return
				}
			}
		case r.URL.Path == "/messages" && r.URL.Query().Get("session") == "7":
			answers := stream.Load().(chan string)
			if strings.Contains(body, `"end"`) {
				close(answers)
			} else if _, rest, ok := strings.Cut(body, `"id":`); ok {
				id, _, _ := strings.Cut(rest, ",")
				answers <- `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[]}}`
			}
			w.WriteHeader(http.StatusAccepted)
		default:
			http.Error(w, "no such place", http.StatusMethodNotAllowed)
		}
	})
}

// MCP-10: a server that only knows the streams of 2024-11-05 is reached, and what
// is denied does not reach it.
func TestOldServer(t *testing.T) {
	s := oldServer(t, "/messages?session=7")
	say, hear := talk(t, s)
	want := func(line string) {
		t.Helper()
		if got := hear(); !strings.Contains(got, line) {
			t.Errorf("got %s, want %s", got, line)
		}
	}
	say(`{"jsonrpc":"2.0","id":0,"method":"server/discover"}`)
	want(`"id":0,"error"`)
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}`)
	want(`{"jsonrpc":"2.0","id":1,"result"`)
	say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fine"}}`)
	want(`{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`)
	say(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"forbidden"}}`)
	want("not here")
	if got := s.saw("forbidden"); len(got) > 0 {
		t.Errorf("it reached the server: %+v", got)
	}
	say(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"end"}}`)
	want(`"id":4,"error"`)
}

// MCP-63: an old server cannot have messages sent elsewhere.
func TestOldServerElsewhere(t *testing.T) {
	other := newServer(t, func(w http.ResponseWriter, _ *http.Request, _ string) { w.WriteHeader(http.StatusAccepted) })
	s := oldServer(t, other.URL+"/messages?session=7")
	say, hear := talk(t, s)
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	if got := hear(); !strings.Contains(got, `"id":1,"error"`) || len(other.saw("")) > 0 {
		t.Errorf("%s; elsewhere: %+v", got, other.asked)
	}
}
