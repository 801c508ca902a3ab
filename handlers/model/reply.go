package model

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/clip"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/strict"
)

// api is the API of an endpoint.
type api interface {
	authorize(h http.Header, key string)
	headers(h http.Header)
	request(c *Config, q question) ([]byte, error)
	response(c *Config, body []byte) (reply, usage, error)
}

func (c *Config) api() api {
	if c.Endpoint == "anthropic" {
		return anthropic{}
	}
	return openai{}
}

// decisionShape is the schema of a decision that both endpoints accept.
func decisionShape() map[string]any {
	return map[string]any{
		"type": "object", "additionalProperties": false, "required": []any{"decision", "reason"},
		"properties": map[string]any{
			"decision": map[string]any{"type": "string", "enum": []any{"allow", "ask", "deny"}},
			"reason":   map[string]any{"type": "string"},
		},
	}
}

// reply is a model's reply: text, and arguments of the tool that it was given.
type reply struct {
	text    string
	objects []map[string]any
}

// result is the parsed reply.
type result struct {
	decision trammel.Decision
	reason   string
	context  string
	own      *trammel.Answer // of a shape with its own reader
}

// maxReason limits the model's reason that is passed on.
const maxReason = 2000

func (h *handler) understand(r reply) (result, error) {
	if own := h.own(); own != nil {
		a, err := own.read(r)
		return result{own: a}, err
	}
	if h.shape != nil {
		return decide(r)
	}
	text := strings.TrimSpace(r.text)
	if text == "" {
		return result{}, trammel.Fail(trammel.CodeMalformed, "the model's reply is empty")
	}
	return result{context: text}, nil
}

// decide finds the decision in a reply, whatever is around it: prose, fences,
// capital letters. Several decisions must all be the same: a reply that quotes
// one and gives another is not an answer.
func decide(r reply) (result, error) {
	objects := append(r.objects[:len(r.objects):len(r.objects)], objectsIn(r.text)...)
	var found *result
	for _, o := range objects {
		word, there := o["decision"]
		if !there {
			continue
		}
		text, ok := word.(string)
		if !ok {
			return result{}, trammel.Fail(trammel.CodeMalformed, "the model's decision is not a word")
		}
		d, err := trammel.ParseDecision(strings.ToLower(strings.TrimSpace(text)))
		if err != nil || d == trammel.None {
			return result{}, trammel.Fail(trammel.CodeMalformed, "the model decided %.40q, expected allow, ask or deny", text)
		}
		if found != nil && found.decision != d {
			return result{}, trammel.Fail(trammel.CodeMalformed, "the model decided both %s and %s", found.decision, d)
		}
		if found == nil {
			reason, _ := o["reason"].(string)
			found = &result{decision: d, reason: reasonOf(reason, d)}
		}
	}
	switch {
	case found != nil:
		return *found, nil
	case strings.TrimSpace(r.text) == "" && len(r.objects) == 0:
		return result{}, trammel.Fail(trammel.CodeMalformed, "the model's reply is empty")
	}
	return result{}, trammel.Fail(trammel.CodeMalformed, "the model's reply holds no decision: %s", excerpt([]byte(r.text)))
}

func reasonOf(text string, d trammel.Decision) string {
	text = clip.Bytes(strings.TrimSpace(text), maxReason)
	if text == "" && d > trammel.Allow {
		return "A model that judges this kind of call objected and gave no reason."
	}
	return text
}

// objectsIn finds the JSON objects in a text that are not part of another. A
// brace in prose is skipped; text that begins like an object but is not
// strictly valid counts as unclear.
func objectsIn(text string) []map[string]any {
	var out []map[string]any
	for range maxTries {
		i := strings.IndexByte(text, '{')
		if i < 0 {
			return out
		}
		text = text[i:]
		raw, err := jsontext.NewDecoder(bytes.NewBuffer([]byte(text)), jsontext.AllowDuplicateNames(true)).ReadValue()
		if err != nil {
			text = text[1:]
			if strings.HasPrefix(strings.TrimSpace(text), `"`) {
				out = append(out, unclear)
			}
			continue
		}
		o, err := strict.Object(raw, strict.Limits{})
		if err != nil { // two readers could understand it differently
			o = unclear
		}
		out = append(out, o)
		text = text[len(raw):]
	}
	return append(out, unclear)
}

// unclear is an object without a valid decision.
var unclear = map[string]any{"decision": nil}

// maxTries limits the search: a reply of only braces must not take long.
const maxTries = 64

func unreadable(err error) error {
	return trammel.Fail(trammel.CodeMalformed, "the endpoint's response cannot be read: %w", err)
}

func refused(why string) error {
	return trammel.Fail(trammel.CodeMalformed, "the model did not answer: %s", clip.Bytes(why, 200))
}

func cutOff() error {
	return trammel.Fail(trammel.CodeMalformed, "the model's reply was cut off; max_tokens may be too low")
}

func count(v any) int64 {
	n, _ := v.(int64)
	return max(0, n)
}

// usageIn reads the usage from a reply. Input tokens are the sum of several fields.
func usageIn(top map[string]any, in []string, out string) usage {
	fields, _ := top["usage"].(map[string]any)
	used := usage{output: count(fields[out])}
	for _, name := range in {
		used.input += count(fields[name])
	}
	return used
}

// excerpt is the beginning of an endpoint's response, for a message. Some
// repeat the key.
func excerpt(body []byte) string {
	text, _ := secret.Redact(strings.Join(strings.Fields(strings.ToValidUTF8(string(body), "\uFFFD")), " "))
	return clip.Bytes(text, 200)
}
