package model

import (
	"bytes"
	std "cmp"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// auth is how each protocol wants to be told the key.
var auth = map[string]map[string]string{
	"/v1/responses":                          {"Authorization": "Bearer " + Key},
	"/v1/chat/completions":                   {"Authorization": "Bearer " + Key},
	"/v1beta/models/m:streamGenerateContent": {"X-Goog-Api-Key": Key},
}

// TestProtocols sends good and bad requests in the other protocols: a good one
// is answered and nothing is noted, a bad one is refused and noted once.
func TestProtocols(t *testing.T) {
	for _, file := range []string{"responses", "chat", "gemini"} {
		raw, err := os.ReadFile("testdata/" + file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var cases []struct {
			Name, Method, Path, Raw, Violation, Reply string
			Header                                    map[string]string
			Body                                      jsontext.Value
		}
		if err := json.Unmarshal(raw, &cases, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(file, err)
		}
		path := cases[0].Path // the first case names it for all
		for _, c := range cases {
			t.Run(file+"/"+c.Name, func(t *testing.T) {
				s := Start(script)
				defer s.Close()
				header := map[string]string{"X-Api-Key": ""}
				for name, value := range auth[path] {
					header[name] = value
				}
				for name, value := range c.Header {
					header[name] = value
				}
				res, reply := send(t, s, std.Or(c.Method, "POST"), std.Or(c.Path, path), std.Or(c.Raw, string(c.Body)), header)
				got := s.Violations()
				if c.Violation == "" {
					if res.StatusCode != 200 || len(got) > 0 || !bytes.Contains(reply, []byte(c.Reply)) {
						t.Errorf("status %d, violations %q, expected 200, none, and %q in\n%s", res.StatusCode, got, c.Reply, reply)
					}
					return
				}
				if res.StatusCode/100 != 4 || len(got) != 1 || !strings.Contains(got[0], c.Violation) {
					t.Errorf("status %d, violations %q, expected a refusal because of %q", res.StatusCode, got, c.Violation)
				}
			})
		}
	}
}
