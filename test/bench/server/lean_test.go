//go:build unix

package server

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// lean is a client that costs next to nothing: one connection, one request that
// is always the same, and as much of the answer as it takes to find its end.
type lean struct {
	conn    net.Conn
	in      *bufio.Reader
	request []byte
}

func dial(address, path, token string, body []byte) (*lean, error) {
	host := strings.TrimPrefix(address, "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		return nil, err
	}
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n", path, host, token, len(body))
	return &lean{conn, bufio.NewReader(conn), append([]byte(head), body...)}, nil
}

// ask makes one request, and fails if the answer is not 200.
func (l *lean) ask() error {
	if _, err := l.conn.Write(l.request); err != nil {
		return err
	}
	length := 0
	for first := true; ; first = false {
		line, err := l.in.ReadSlice('\n')
		switch {
		case err != nil:
			return err
		case first && !bytes.Contains(line, []byte(" 200 ")):
			return fmt.Errorf("found %s", line)
		case len(line) <= 2:
			_, err := l.in.Discard(length)
			return err
		}
		if n, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			length, _ = strconv.Atoi(string(bytes.TrimSpace(n)))
		}
	}
}

// many has clients make requests until more says that there are enough.
func many(tb testing.TB, address, path, token string, body []byte, more func() bool) {
	tb.Helper()
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			l, err := dial(address, path, token, body)
			if err != nil {
				tb.Error(err)
				return
			}
			defer l.conn.Close()
			for more() {
				if err := l.ask(); err != nil && err != io.EOF {
					tb.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
}

// measured is many for a while.
func measured(tb testing.TB, address, path, token string, body []byte, lasts time.Duration) rate {
	var n atomic.Int64
	before, started := used(), time.Now()
	many(tb, address, path, token, body, func() bool { n.Add(1); return time.Since(started) < lasts })
	done := n.Load() - clients // each has asked once too often whether there is more
	return rate{float64(done) / time.Since(started).Seconds(), float64((used() - before).Microseconds()) / float64(done)}
}

// BenchmarkLeanEvents is BenchmarkEvents with clients that leave the processors
// to the server.
func BenchmarkLeanEvents(b *testing.B) {
	address, token, project := start(b)
	bare, body := echo(b), payload(project)
	measured(b, address, "/v1/events", token, body, 300*time.Millisecond)
	var ours, theirs rate
	for b.Loop() {
		theirs.add(measured(b, bare, "/", token, body, time.Second))
		ours.add(measured(b, address, "/v1/events", token, body, time.Second))
	}
	report(b, ours, theirs)
}

// BenchmarkMany is for the memory that many events take: run it with
// -benchtime 1000000x. The memory is that of clients and server together.
func BenchmarkMany(b *testing.B) {
	address, token, project := start(b)
	body := payload(project)
	var n atomic.Int64
	step := max(int64(b.N)/10, 1)
	began := time.Now()
	many(b, address, "/v1/events", token, body, func() bool {
		at := n.Add(1)
		if at%step == 0 && at <= int64(b.N) {
			b.Logf("%d events in %s, %d MB", at, time.Since(began).Round(time.Second), resident()>>20)
		}
		return at <= int64(b.N)
	})
}
