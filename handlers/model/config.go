package model

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/post"
)

// Config is the handler's part of a declaration.
type Config struct {
	Endpoint    string          `json:"endpoint" enum:"openai,anthropic"`
	URL         string          `json:"url"`
	Model       string          `json:"model"`
	KeyEnv      string          `json:"key_env"`
	Prompt      string          `json:"prompt"`
	Schema      string          `json:"schema"`
	Structured  bool            `json:"structured"`
	MaxTokens   int64           `json:"max_tokens"`
	Temperature *float64        `json:"temperature"`
	Redact      bool            `json:"redact"`
	Cache       option.Duration `json:"cache"`
	Price       Price           `json:"price"`
	Insecure    bool            `json:"insecure"`

	shape *Shape // what Schema names, nil for context
}

// Price is what a million tokens cost.
type Price struct {
	Input  float64 `json:"input"`
	Output float64 `json:"output"`
}

// The shapes of replies.
const (
	decisionSchema = "pre_tool_use_decision"
	contextSchema  = "context"
)

// Defaults is the default configuration.
func Defaults() Config {
	return Config{Endpoint: "openai", Schema: contextSchema, Structured: true, MaxTokens: 1024, Redact: true}
}

// maxCache is the maximum time to reuse a verdict.
const maxCache = 30 * 24 * time.Hour

func (c *Config) check() error {
	wrong := func(key, message, expected string) error {
		return &option.Error{Key: key, Message: message, Expected: expected}
	}
	at, err := post.Parse(c.url())
	switch {
	case strings.TrimSpace(c.Model) == "":
		return wrong("model", "the model has no name", "the name of a model")
	case strings.TrimSpace(c.Prompt) == "":
		return wrong("prompt", "there is nothing to ask", "a prompt")
	case err != nil:
		return wrong("url", err.Error(), "")
	case at.Exposed() && !c.Insecure:
		return wrong("url", "the event would be sent unencrypted to "+at.String(), "https, a server on this machine, or insecure: true")
	case c.MaxTokens < 1:
		return wrong("max_tokens", "the model may say nothing", "a number from 1")
	case c.Temperature != nil && (*c.Temperature < 0 || *c.Temperature > 2):
		return wrong("temperature", "it is out of range", "a number from 0 to 2")
	case time.Duration(c.Cache) > maxCache:
		return wrong("cache", "that is too long", "at most 720h")
	case c.Price.Input < 0 || c.Price.Output < 0:
		return wrong("price", "it is below zero", "what a million tokens cost")
	}
	return nil
}

// url is the address for calls: the base URL as in the endpoint's own
// libraries, and the path that they add.
func (c *Config) url() string {
	base, path := c.URL, "/chat/completions"
	if c.Endpoint == "anthropic" {
		path = "/v1/messages"
		base = cmp.Or(base, "https://api.anthropic.com")
	} else if base == "" {
		base = "https://api.openai.com/v1"
	}
	return strings.TrimSuffix(base, "/") + path
}

// host is the endpoint's host, for differences between compatible endpoints.
func (c *Config) host() string {
	u, err := url.Parse(c.url())
	if err != nil {
		return ""
	}
	return u.Hostname()
}
