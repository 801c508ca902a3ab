package proxy

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/trammel-dev/trammel/mcp/frame"
)

// Settings are what trammel.yaml says about a server (MCP-36). The zero value
// is the default.
type Settings struct {
	// Pinning is how strictly changed tools are treated: observe, tofu, strict.
	Pinning string `json:"pins"`
	// MaxMessage is the largest message that is passed on, in bytes.
	MaxMessage int `json:"max_message"`
	// CallsPerMinute limits calls, reads, prompts and requests of the server.
	CallsPerMinute int `json:"calls_per_minute"`
	// Sampling is "allow" if the server may use the client's model.
	Sampling string `json:"sampling"`
	// SamplingTokens limits one reply of the client's model to the server.
	SamplingTokens int `json:"sampling_tokens"`
	// Elicitation is "deny" if the server may not ask the user.
	Elicitation string `json:"elicitation"`
	// Unknown is "deny" if unknown methods are refused.
	Unknown string `json:"unknown"`
	// Env is "minimal" if the server gets few environment variables.
	Env string `json:"env"`
	// Auth says whose credentials an HTTP server gets: relay, resource.
	Auth string `json:"auth"`
	// AuthorizationServer signs the clients' tokens if Auth is resource, for
	// Audience if that is set.
	AuthorizationServer string `json:"authorization_server"`
	Audience            string `json:"audience"`
	// Elicit asks the client's user about a call if nobody else can be asked.
	Elicit bool `json:"elicit"`
	// Progress is how often a client gets progress about a waiting call.
	Progress time.Duration `json:"-"`
	// Hold is how long a call may wait for people and slow hooks; the default
	// is 45 seconds.
	Hold time.Duration `json:"-"`
}

// Max is the size of the largest message.
func (s *Settings) Max() int { return cmp.Or(s.MaxMessage, frame.DefaultMax) }

// read takes the settings for a server, or for all servers, from a plan.
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
