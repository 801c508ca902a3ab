package proxy

import "github.com/trammel-dev/trammel/mcp/frame"

// Waits reports whether a request of the client has no response yet.
func (s *Session) Waits(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client[frame.Key(id)] != nil
}

// Forget ends a request of the client that will never get a response.
func (s *Session) Forget(id string) { s.cancelled(&s.client, id) }

// Tool is the server's description of a tool; nil if there is none.
func (s *Session) Tool(name string) map[string]any { return s.toolNamed(name) }

// Failure is the response to a request that failed on its way. id is JSON.
func Failure(id string, code int, message string) []byte { return failure(id, code, message) }
