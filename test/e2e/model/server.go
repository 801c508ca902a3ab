package model

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
)

// Key is the API key that the server expects.
const Key = "e2e-not-a-secret"

// maxBody is the size of the largest request that the protocols allow.
const maxBody = 32 << 20

// Server plays a script.
type Server struct {
	URL string // http://127.0.0.1:port

	http   *httptest.Server
	script Script

	mu         sync.Mutex
	requests   []Request
	violations []string
	played     map[[2]int]bool // part and turn
}

// Start starts a server on a free port of 127.0.0.1.
func Start(script Script) *Server {
	s := &Server{script: script, played: map[[2]int]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("HEAD /{$}", func(http.ResponseWriter, *http.Request) {}) // agents ask whether we are there
	for _, mount := range []func(*http.ServeMux, *Server){mountAnthropic, mountResponses, mountChat, mountGemini} {
		mount(mux, s)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.violate("%s %s: no such endpoint", r.Method, r.URL.Path)
		http.NotFound(w, r)
	})
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL
	return s
}

// Close stops the server; requests under way are cut off.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Requests are the well-formed requests of the conversations so far, without
// the side ones, in order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.requests), func(r Request) bool { return r.Side })
}

// Violations are the breaches of protocol or script so far.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// Unplayed names the turns of the script that were not asked for.
func (s *Server) Unplayed() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var left []string
	for part := range 1 + len(s.script.Agents) {
		for turn, t := range s.turns(part) {
			if !t.Maybe && !s.played[[2]int{part, turn}] {
				left = append(left, fmt.Sprintf("part %d turn %d", part, turn))
			}
		}
	}
	return left
}

// Results are what the model was told about its calls in one conversation, in
// order: those in the longest history that the agent has sent.
func (s *Server) Results(part int) []Result {
	var longest []Result
	for _, r := range s.Requests() {
		var all []Result
		for _, m := range r.Messages {
			all = append(all, m.Results...)
		}
		if r.Part == part && len(all) > len(longest) {
			longest = all
		}
	}
	return longest
}

func (s *Server) violate(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.violations = append(s.violations, err.Error())
	return err
}
