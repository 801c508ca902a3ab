package proxy

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/trammel-dev/trammel/mcp/frame"
)

// Settings are what trammel.yaml says about a server (MCP-36). The zero value
// is what holds where it says nothing.
type Settings struct {
	// Pinning is how strictly tools are held to what they were: observe, tofu, strict.
	Pinning string `json:"pins"`
	// MaxMessage is the largest message that is passed on, in bytes.
	MaxMessage int `json:"max_message"`
	// CallsPerMinute bounds calls, reads, prompts and what the server asks for.
	CallsPerMinute int `json:"calls_per_minute"`
	// Sampling is allow where the server may use the client's model.
	Sampling string `json:"sampling"`
	// SamplingTokens is how much the client's model may say to the server at once.
	SamplingTokens int `json:"sampling_tokens"`
	// Elicitation is deny where the server may not ask the user.
	Elicitation string `json:"elicitation"`
	// Unknown is deny where methods that nobody knows are refused.
	Unknown string `json:"unknown"`
	// Env is minimal where the server gets few variables.
	Env string `json:"env"`
	// Auth is whose credentials a server that is reached over HTTP gets: relay, resource.
	Auth string `json:"auth"`
	// AuthorizationServer signs the tokens that clients send where Auth is resource,
	// for Audience if that is set.
	AuthorizationServer string `json:"authorization_server"`
	Audience            string `json:"audience"`
	// Elicit has the client's user asked about a call where nobody else can be.
	Elicit bool `json:"elicit"`
	// Progress is how often a client is told that a call waits.
	Progress time.Duration `json:"-"`
	// Hold is how long a call may wait for people, and for slow hooks: 45 seconds
	// if it is not set.
	Hold time.Duration `json:"-"`
}

// Max is the size of the largest message.
func (s *Settings) Max() int { return cmp.Or(s.MaxMessage, frame.DefaultMax) }

// read takes what the settings of a plan say about a server, or about all.
func (s *Settings) read(text, server string) error {
	all := map[string]json.RawMessage{}
	if text != "" {
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			return err
		}
	}
	for _, name := range []string{"*", server} {
		if all[name] == nil {
			continue
		}
		if err := json.Unmarshal(all[name], s); err != nil {
			return err
		}
	}
	return nil
}

// rate counts calls within the last minute, by a bucket that refills.
type rate struct {
	left float64
	last time.Time
}

// allowRate counts a call, and reports whether there may be one more.
func (s *Session) allowRate(now time.Time) bool {
	if s.CallsPerMinute <= 0 {
		return true
	}
	mem := s.memory()
	mem.mu.Lock()
	defer mem.mu.Unlock()
	r, most := &mem.rate, float64(s.CallsPerMinute)
	if r.last.IsZero() {
		r.left = most
	} else {
		r.left = min(most, r.left+now.Sub(r.last).Minutes()*most)
	}
	r.last = now
	if r.left < 1 {
		return false
	}
	r.left--
	return true
}
