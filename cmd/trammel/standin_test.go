package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// serve NAME FILE: a server at $NAME answers each POST with the content of the
// file, which the script may change, and keeps what it was sent, headers
// first, in the file requests. An empty file is status 503.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: serve NAME FILE")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	answer, requests := ts.MkAbs(args[1]), ts.MkAbs("requests")
	var mu sync.Mutex
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		f, err := os.OpenFile(requests, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return
		}
		fmt.Fprintf(f, "%s %s\n", r.Method, r.URL.Path)
		r.Header.Write(f)
		fmt.Fprintf(f, "\n%s\n", body)
		f.Close()
		data, err := os.ReadFile(answer)
		if err != nil || len(data) == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(data)
	})}
	go srv.Serve(l)
	ts.Defer(func() { srv.Close() })
	ts.Setenv(args[0], "http://"+l.Addr().String())
}
