package model

import (
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json"
)

// reply sends a turn.
type reply func(w http.ResponseWriter, model string, t Turn)

// protocol is how agents talk to the models of one provider.
type protocol struct {
	ids    string // how the ids of calls begin
	refuse func(w http.ResponseWriter, err error)
	// read reads a request, and says how it is to be answered.
	read func(r *http.Request) (Request, reply, error)
}

func (s *Server) serve(p protocol) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		req, send, err := p.read(r)
		if err != nil {
			p.refuse(w, s.violate("POST %s: %w", r.URL.Path, err))
			return
		}
		turn, err := s.play(req, p.ids)
		if err != nil {
			p.refuse(w, err)
			return
		}
		send(w, req.Model, turn)
	}
}

// readJSON checks that each header has the value that is expected of it, and
// reads the body, up to what the protocols allow.
func readJSON(r *http.Request, headers map[string]string, body any) error {
	for name, value := range headers {
		if got := r.Header.Get(name); got != value {
			return fmt.Errorf("header %s is %q, expected %q", name, got, value)
		}
	}
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return err
	}
	if len(raw) > maxBody {
		return fmt.Errorf("body of more than %d bytes", maxBody)
	}
	return json.Unmarshal(raw, body)
}
