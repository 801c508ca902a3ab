package config

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// HTTPDecl declares a server that is asked about events.
type HTTPDecl struct {
	URL        Text              `json:"url" jsonschema:"Where events are posted to: https, http to this machine, or unix:///path/of/socket:/path/on/server."`
	SecretEnv  EnvName           `json:"secret_env,omitempty" jsonschema:"The environment variable that holds the secret to sign calls with."`
	Headers    map[string]string `json:"headers,omitempty" jsonschema:"Headers to send."`
	HeadersEnv map[string]string `json:"headers_env,omitempty" jsonschema:"Headers whose values are in environment variables: the names of these variables."`
	Connect    Duration          `json:"connect,omitempty" jsonschema:"How long connecting to the server may take: 5s by default. The timeout of the hook limits the whole call."`
	Idempotent bool              `json:"idempotent,omitempty" jsonschema:"The server may be asked twice, so a call that it did not accept is repeated."`
	Insecure   bool              `json:"insecure,omitempty" jsonschema:"Events may be sent unencrypted to another machine."`
}

func (h *HTTPDecl) short() any { return &h.URL }

// ModelDecl declares a language model that is asked about events.
type ModelDecl struct {
	Endpoint    Choice     `json:"endpoint,omitempty" enum:"openai,anthropic" jsonschema:"The API of the endpoint: openai by default."`
	URL         Text       `json:"url,omitempty" jsonschema:"The base URL of the endpoint, as its own client libraries expect it."`
	Model       Text       `json:"model" jsonschema:"The name of the model."`
	KeyEnv      EnvName    `json:"key_env,omitempty" jsonschema:"The environment variable that holds the key of the endpoint."`
	Prompt      Text       `json:"prompt" jsonschema:"What is asked: a Go template over the event."`
	Schema      Choice     `json:"schema,omitempty" enum:"pre_tool_use_decision,context" jsonschema:"What the reply is: a decision, or by default context for the agent."`
	Structured  *bool      `json:"structured,omitempty" jsonschema:"Whether the endpoint has to follow a JSON schema: true by default."`
	MaxTokens   uint       `json:"max_tokens,omitempty" jsonschema:"The maximum number of tokens in a reply: 1024 by default."`
	Temperature *float64   `json:"temperature,omitempty" jsonschema:"From 0 to 2; the endpoint's own if none is given."`
	Redact      *bool      `json:"redact,omitempty" jsonschema:"Whether secrets are taken out of what is sent: true by default."`
	Cache       Duration   `json:"cache,omitempty" jsonschema:"How long an answer to exactly the same question is used again."`
	Price       *PriceDecl `json:"price,omitempty" jsonschema:"What tokens cost, for the evidence."`
	Insecure    bool       `json:"insecure,omitempty" jsonschema:"Events may be sent unencrypted to another machine."`
}

// PriceDecl is what a million tokens cost.
type PriceDecl struct {
	Input  float64 `json:"input,omitempty" jsonschema:"What a million input tokens cost."`
	Output float64 `json:"output,omitempty" jsonschema:"What a million output tokens cost."`
}

// http describes the server.
func (d *declared) http() (map[string]any, mark) {
	h := d.decl.HTTP
	parts := map[string]any{}
	put(parts, "url", string(h.URL))
	put(parts, "dialect", string(d.decl.Dialect))
	if d.speak != nil {
		speak, _ := canonical.Append(nil, d.speak) // texts and booleans, which have a JSON form
		parts["speak"] = string(speak)
	}
	put(parts, "secret_env", string(h.SecretEnv))
	if len(h.Headers) > 0 {
		parts["headers"] = h.Headers
	}
	if len(h.HeadersEnv) > 0 {
		parts["headers_env"] = h.HeadersEnv
	}
	if h.Connect > 0 {
		parts["connect"] = duration(h.Connect).String()
	}
	if d.decl.MaxOutput > 0 {
		parts["max_output"] = int64(d.decl.MaxOutput)
	}
	truth(parts, "idempotent", h.Idempotent)
	truth(parts, "insecure", h.Insecure)
	return parts, d.formMark()
}

// model describes the model. Its replies must have an effect on every event.
func (d *declared) model() (map[string]any, mark) {
	m := d.decl.Model
	parts := map[string]any{}
	put(parts, "endpoint", string(m.Endpoint))
	put(parts, "url", string(m.URL))
	put(parts, "model", string(m.Model))
	put(parts, "key_env", string(m.KeyEnv))
	put(parts, "prompt", string(m.Prompt))
	put(parts, "schema", string(m.Schema))
	if d.has(&m.MaxTokens) {
		parts["max_tokens"] = int64(m.MaxTokens)
	}
	if m.Structured != nil {
		parts["structured"] = *m.Structured
	}
	if m.Temperature != nil {
		parts["temperature"] = *m.Temperature
	}
	if m.Redact != nil {
		parts["redact"] = *m.Redact
	}
	if m.Cache > 0 {
		parts["cache"] = duration(m.Cache).String()
	}
	if m.Price != nil {
		parts["price"] = map[string]any{"input": m.Price.Input, "output": m.Price.Output}
	}
	truth(parts, "insecure", m.Insecure)
	need, what := trammel.Inject, "context"
	if m.Schema == decisionReply {
		need, what = trammel.Block|trammel.Continue, "a decision"
		if d.hook.May < trammel.Guard {
			d.source.fail(d.at(&d.decl.May), "may: guard", "the model decides, and that is more than the hook may do")
		}
	}
	for i, kind := range d.hook.On {
		if !kind.Can().Any(need) {
			d.source.fail(d.at(&d.decl.On[i]), "an event that can use "+what, "the model replies with %s, which has no effect on %s", what, kind)
		}
	}
	return parts, d.formMark()
}

func truth(parts map[string]any, key string, value bool) {
	if value {
		parts[key] = true
	}
}
