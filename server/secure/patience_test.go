package secure

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// hasty serves with short times.
func hasty(t *testing.T, h http.HandlerFunc) net.Addr {
	t.Helper()
	body, part := bodyTime, partTime
	bodyTime, partTime = 300*time.Millisecond, 300*time.Millisecond
	t.Cleanup(func() { bodyTime, partTime = body, part })
	s := httptest.NewUnstartedServer(Headers(false, h))
	s.Listener = Patient{s.Listener}
	s.Start()
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.Listener.Addr()
}

func dial(t *testing.T, at net.Addr, request string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", at.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprint(c, request)
	return c
}

// Nobody holds a connection by sending slowly, whatever the handler does with the body.
func TestSlowBodies(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"reads":    func(_ http.ResponseWriter, r *http.Request) { io.ReadAll(r.Body) },
		"a form":   func(_ http.ResponseWriter, r *http.Request) { r.PostFormValue("secret") },
		"refuses":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
		"part":     func(_ http.ResponseWriter, r *http.Request) { r.Body.Read(make([]byte, 1)) },
		"notfound": http.NotFound,
	} {
		t.Run(name, func(t *testing.T) {
			c := dial(t, hasty(t, h), "POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"+
				"Content-Length: 100000\r\n\r\n")
			go func() {
				for {
					if _, err := c.Write([]byte("a")); err != nil {
						return
					}
					time.Sleep(20 * time.Millisecond)
				}
			}()
			if _, err := io.Copy(io.Discard, c); err != nil && strings.Contains(err.Error(), "timeout") {
				t.Error("the connection does not end")
			}
		})
	}
}

// No body is larger than the limit, whatever reads it.
func TestLargeBodies(t *testing.T) {
	for size, ok := range map[int64]bool{MaxBody: true, MaxBody + 1: false} {
		var got error
		h := Headers(false, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, got = io.Copy(io.Discard, r.Body) }))
		r := httptest.NewRequest(http.MethodPost, "/", io.LimitReader(endless{}, size))
		h.ServeHTTP(httptest.NewRecorder(), r)
		if (got == nil) != ok {
			t.Errorf("%d bytes: %v", size, got)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// The wait for people that comes after the body has no limit, and neither has one without a body.
func TestWaitsAfterTheBody(t *testing.T) {
	for _, request := range []string{"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi", "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"} {
		at := hasty(t, func(w http.ResponseWriter, r *http.Request) {
			io.ReadAll(r.Body)
			select {
			case <-time.After(800 * time.Millisecond):
				io.WriteString(w, "decided")
			case <-r.Context().Done():
			}
		})
		res, err := http.ReadResponse(bufio.NewReader(dial(t, at, request)), nil)
		if err != nil {
			t.Fatalf("%q: %v", request, err)
		}
		if text, _ := io.ReadAll(res.Body); string(text) != "decided" {
			t.Errorf("%q: %q", request, text)
		}
		res.Body.Close()
	}
}

// Nobody holds a connection by taking nothing.
func TestNothingIsTaken(t *testing.T) {
	ended := make(chan error, 1)
	at := hasty(t, func(w http.ResponseWriter, _ *http.Request) {
		part := make([]byte, 1<<20)
		for {
			if _, err := w.Write(part); err != nil {
				ended <- err
				return
			}
		}
	})
	dial(t, at, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Error("the answer does not end")
	}
}
