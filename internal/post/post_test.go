package post

import (
	"context"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

// says answers each call with the next status, the last one for ever.
func says(t *testing.T, header map[string]string, statuses ...int) (*httptest.Server, *atomic.Int32) {
	var n atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i := int(n.Add(1)) - 1
		if body, _ := io.ReadAll(r.Body); string(body) != "body" || r.Method != http.MethodPost {
			t.Errorf("attempt %d: %s %q", i+1, r.Method, body)
		}
		for k, v := range header {
			w.Header().Set(k, v)
		}
		w.WriteHeader(statuses[min(i, len(statuses)-1)])
		io.WriteString(w, "said")
	}))
	t.Cleanup(srv.Close)
	return srv, &n
}

func TestAttempts(t *testing.T) {
	for name, c := range map[string]struct {
		client   Client
		header   map[string]string
		statuses []int
		attempts int
		status   int
		code     trammel.Code
	}{
		"one is enough":                 {Client{Retries: 2}, nil, []int{200}, 1, 200, ""},
		"not taken, then taken":         {Client{Retries: 2}, nil, []int{503, 200}, 2, 200, ""},
		"each status that means later":  {Client{Retries: 4}, map[string]string{"Retry-After": "0"}, []int{429, 502, 503, 504, 200}, 5, 200, ""},
		"not taken, not to be repeated": {Client{}, nil, []int{503, 200}, 1, 503, trammel.CodeUnavailable},
		"never taken":                   {Client{Retries: 1}, nil, []int{429}, 2, 429, trammel.CodeUnavailable},
		"500 may have done something":   {Client{Retries: 2}, nil, []int{500, 200}, 1, 500, ""},
		"500 where nothing is done":     {Client{Retries: 2, RetryErrors: true}, nil, []int{500, 200}, 2, 200, ""},
		"400 does not get better":       {Client{Retries: 2, RetryErrors: true}, nil, []int{400, 200}, 1, 400, ""},
		"more time wanted than is there": {Client{Retries: 2}, map[string]string{"Retry-After": "3600"}, []int{429}, 1, 429,
			trammel.CodeUnavailable},
		"a date of long ago": {Client{Retries: 1}, map[string]string{"Retry-After": "Mon, 02 Jan 2006 15:04:05 GMT"},
			[]int{503, 200}, 2, 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			srv, n := says(t, c.header, c.statuses...)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			resp, err := c.client.Post(ctx, srv.URL, nil, []byte("body"))
			if resp.Status != c.status || trammel.CodeOf(err) != c.code || int(n.Load()) != c.attempts || resp.Attempts != c.attempts {
				t.Errorf("status %d, %v, %d attempts", resp.Status, err, n.Load())
			}
			if c.code == "" && (err != nil || string(resp.Body) != "said") {
				t.Errorf("%q, %v", resp.Body, err)
			}
		})
	}
}

func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	l.Close()
	began := time.Now()
	resp, err := (&Client{Retries: 1}).Post(t.Context(), url, nil, nil)
	if trammel.CodeOf(err) != trammel.CodeUnavailable || resp.Attempts != 2 || time.Since(began) < firstPause {
		t.Errorf("%+v, %v", resp, err)
	}
}

func TestBounds(t *testing.T) {
	stop := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			io.WriteString(w, strings.Repeat("x", 1001))
		case "/fits":
			io.WriteString(w, strings.Repeat("x", 1000))
		case "/slow":
			w.WriteHeader(200)
			w.(http.Flusher).Flush()
			<-stop
		case "/broken":
			w.Header().Set("Content-Length", "10")
			io.WriteString(w, "x")
		}
	}))
	defer srv.Close()
	defer close(stop)
	c := Client{MaxResponse: 1000, Retries: 3}
	for path, want := range map[string]trammel.Code{"/large": trammel.CodeOversized, "/fits": "", "/slow": trammel.CodeTimeout,
		"/broken": trammel.CodeUnavailable} {
		limit := time.Minute
		if want == trammel.CodeTimeout {
			limit = 300 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		if resp, err := c.Post(ctx, srv.URL+path, nil, nil); trammel.CodeOf(err) != want || resp.Attempts != 1 {
			t.Errorf("%s: %v, %d attempts", path, err, resp.Attempts)
		}
		cancel()
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := c.Post(ctx, srv.URL+"/slow", nil, nil); trammel.CodeOf(err) != trammel.CodeCanceled {
		t.Errorf("canceled: %v", err)
	}
}

func TestRedirects(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another server was told") }))
	defer other.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("/there", func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
	srv := httptest.NewServer(mux)
	defer srv.Close()
	to := func(path, target string, status int) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, target, status) })
	}
	to("/here", "/there", 307)
	to("/away", other.URL, 308)
	to("/get", "/there", 302)
	to("/round", "/round", 307)
	for path, ok := range map[string]bool{"/here": true, "/away": false, "/get": false, "/round": false} {
		resp, err := (&Client{}).Post(t.Context(), srv.URL+path, nil, []byte("body"))
		if ok && (err != nil || string(resp.Body) != "body") || !ok && trammel.CodeOf(err) != trammel.CodeUnavailable {
			t.Errorf("%s: %q, %v", path, resp.Body, err)
		}
	}
}

// A certificate that nobody vouches for, or that is of another name, ends the
// call before anything is sent.
func TestTLSIsVerified(t *testing.T) {
	var told atomic.Int32
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		told.Add(1)
		io.WriteString(w,
			"said")
	}))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	defer srv.Close()
	known := x509.NewCertPool()
	known.AddCert(srv.Certificate())
	for _, c := range []struct {
		client Client
		url    string
	}{{Client{}, srv.URL}, {Client{roots: known}, strings.Replace(srv.URL, "127.0.0.1", "localhost", 1)}} {
		if _, err := c.client.Post(t.Context(), c.url, nil, nil); trammel.CodeOf(err) != trammel.CodeUnavailable ||
			!strings.Contains(err.Error(), "certificate") {
			t.Error(err)
		}
	}
	if told.Load() != 0 {
		t.Error("it was told")
	}
	if resp, err := (&Client{roots: known}).Post(t.Context(), srv.URL, nil, nil); err != nil || string(resp.Body) != "said" {
		t.Errorf("%q, %v", resp.Body, err)
	}
}

// A server that takes the connection and then says nothing is given up after
// the time for connecting, not after the whole.
func TestSilentHandshake(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	began := time.Now()
	_, err = (&Client{Connect: 100 * time.Millisecond}).Post(t.Context(), "https://"+l.Addr().String(), nil, nil)
	if trammel.CodeOf(err) != trammel.CodeUnavailable || time.Since(began) > time.Minute {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

func TestSocket(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("sockets in the file system")
	}
	dir, err := os.MkdirTemp("", "s") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.URL.Path) }))
	srv.Listener.Close()
	srv.Listener = l
	srv.Start()
	defer srv.Close()
	for url, want := range map[string]string{"unix://" + path: "/", "unix://" + path + ":/v1/judge": "/v1/judge"} {
		if resp, err := (&Client{}).Post(t.Context(), url, nil, nil); err != nil || string(resp.Body) != want {
			t.Errorf("%s: %q, %v", url, resp.Body, err)
		}
	}
}

// What counts is the address that is dialled, not how it is written.
func TestPublicOnly(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was told") }))
	defer srv.Close()
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0"} {
		resp, err := (&Client{Public: true, Retries: 2}).Post(t.Context(), "http://"+host+":"+port, nil, nil)
		if trammel.CodeOf(err) != trammel.CodeUnavailable || resp.Attempts != 1 {
			t.Errorf("%s: %v after %d attempts", host, err, resp.Attempts)
		}
	}
	for address, ok := range map[string]bool{
		"8.8.8.8:80": true, "[2606:4700::1111]:443": true, "10.1.2.3:80": false, "172.16.0.1:80": false, "192.168.1.1:80": false,
		"169.254.169.254:80": false,
		"100.64.0.1:80":      false, "[fe80::1]:80": false, "[fc00::1]:80": false, "[64:ff9b::7f00:1]:80": false, "[2002:7f00:1::]:80": false,
		"224.0.0.1:80":       false,
		"255.255.255.255:80": false, "[::]:80": false, "nonsense": false,
	} {
		if err := public(address); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestParse(t *testing.T) {
	for url, want := range map[string]string{
		"https://a.example/p?key=x":           "https://a.example/p",
		"unix:///run/s:/v1":                   "unix:///run/s",
		"https://user:hunter2@a.example/":     "password",
		"ftp://a.example":                     "scheme",
		"https:///p":                          "no host",
		"unix://relative":                     "socket",
		"https://a.example/#f":                "fragment",
		"https://a.example/%zz?token=hunter2": "is not valid",
		"":                                    "scheme",
	} {
		at, err := Parse(url)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = at.String()
		}
		if !strings.Contains(got, want) || strings.Contains(got, "hunter2") {
			t.Errorf("%s: %s", url, got)
		}
	}
	for url, exposed := range map[string]bool{
		"http://localhost:1/": false, "http://127.0.0.1/": false, "http://[::1]/": false, "https://a.example": false, "unix:///s": false,
		"http://a.example": true, "http://10.0.0.1": true, "http://localhost.example": true,
	} {
		if at, err := Parse(url); err != nil || at.Exposed() != exposed {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	srv, _ := says(t, nil, 200)
	before := runtime.NumGoroutine()
	for range 20 {
		if _, err := (&Client{}).Post(t.Context(), srv.URL, nil, []byte("body")); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		(&Client{}).Post(ctx, "http://10.255.255.1:81/", nil, []byte("body"))
		cancel()
	}
	srv.CloseClientConnections()
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > before+2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}
