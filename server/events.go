package server

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/server/auth"
)

// Wrapped is an event in the language of a host, as its hook program would get
// it.
type Wrapped struct {
	Host    string          `json:"host"`
	Event   string          `json:"event,omitempty"`
	Dir     string          `json:"dir,omitempty"`
	Payload json.RawMessage `json:"payload"`
}

// Reply is what the host's hook program would print, and its exit code.
type Reply struct {
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr,omitempty"`
	Exit   int    `json:"exit"`
}

// events judges an event. One in our own language is answered with the verdict;
// a wrapped one with the reply in the host's.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	data, err := body(r)
	if err != nil {
		s.failed(w, r, err)
		return
	}
	ctx := r.Context()
	if !wrapped(data) {
		reply := s.judge(ctx, pipeline.Call{Host: "native", Wait: waitOf(r.Header)}, data)
		if len(reply.Stdout) == 0 {
			s.refuse(w, http.StatusUnprocessableEntity, "", string(bytes.TrimSpace(reply.Stderr)))
			return
		}
		h := w.Header()
		h["Content-Type"] = jsonType
		h.Set("Trammel-Exit", strconv.Itoa(reply.Exit))
		w.Write(reply.Stdout)
		return
	}
	var in Wrapped
	if err := decode(data, &in); err != nil {
		s.failed(w, r, err)
		return
	}
	if _, known := s.Program.Dialects.Host(in.Host); !known {
		s.failed(w, r, malformed("the host "+strconv.Quote(in.Host)+" is unknown: see /v1/hosts"))
		return
	}
	reply := s.judge(ctx, pipeline.Call{Host: in.Host, Event: in.Event, Dir: in.Dir, Wait: waitOf(r.Header)}, in.Payload)
	s.answer(w, Reply{string(reply.Stdout), string(reply.Stderr), reply.Exit})
}

var jsonType = []string{"application/json"}

func (s *Server) judge(ctx context.Context, call pipeline.Call, payload []byte) trammel.Reply {
	call.Payload = payload
	call.User, call.Account = auth.Asker(ctx)
	s.judged.Store(time.Now().UnixNano())
	return s.Program.Answer(ctx, call)
}

// maxWait is the longest wait that a client can ask for.
const maxWait = 24 * time.Hour

// waitOf is how long the client waits for its answer, from a header like
// "Prefer: wait=600" (RFC 7240); 0 if there is none. As in that standard,
// unknown preferences are ignored.
func waitOf(h http.Header) time.Duration {
	for _, line := range h["Prefer"] {
		for one := range strings.SplitSeq(line, ",") {
			name, value, _ := strings.Cut(one, "=")
			if !strings.EqualFold(strings.TrimSpace(name), "wait") {
				continue
			}
			n, err := strconv.ParseUint(strings.Trim(value, " \t\""), 10, 32)
			if err != nil {
				return 0
			}
			return min(time.Duration(n)*time.Second, maxWait)
		}
	}
	return 0
}

// wrapped reports whether there is a payload in it.
func wrapped(data []byte) bool {
	if !bytes.Contains(data, []byte(`"payload"`)) && bytes.IndexByte(data, '\\') < 0 {
		return false // the quick check for nearly all events
	}
	return strict.HasKey(data, "payload")
}
