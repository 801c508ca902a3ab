// Package unload is the policy unload: when another agent takes over, the
// local models of the one before are taken out of memory (DA-50).
package unload

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/post"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Policy declares it.
func Policy() trammel.Policy {
	return option.Policy("unload", trammel.Observe, "takes an agent's local models out of memory when another agent takes over",
		Options{URL: "http://127.0.0.1:12434/engines", Path: "/_unload"}, build, trammel.AgentSwitch)
}

// Options are those of the policy.
type Options struct {
	URL    string              `json:"url,omitempty" jsonschema:"The base of the addresses of the server that runs the models."`
	Path   string              `json:"path,omitempty" jsonschema:"Where below it models are unloaded."`
	Agents map[string][]string `json:"agents,omitempty" jsonschema:"The models of each agent."`
}

// limit is how long one call may take.
const limit = 10 * time.Second

func build(o Options, _ trammel.Spec) (trammel.Handler, error) {
	if _, err := post.Parse(o.address()); err != nil {
		return nil, &option.Error{Key: "url", Message: err.Error()}
	}
	if len(o.Agents) == 0 {
		return nil, &option.Error{Key: "agents", Message: "no agent has a model", Expected: "a mapping of agents to their models"}
	}
	return &handler{o}, nil
}

func (o *Options) address() string {
	return strings.TrimSuffix(o.URL, "/") + "/" + strings.TrimPrefix(o.Path, "/")
}

type handler struct{ Options }

// Waits reports true: a server takes its time.
func (h *handler) Waits() bool { return true }

// Handle asks the server to unload what the agent before used. A server that
// cannot be reached has nothing in memory, so nothing is an error.
func (h *handler) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Switch == nil || ev.Switch.From == ev.Switch.To {
		return trammel.Answer{}, nil
	}
	var answer trammel.Answer
	for _, model := range h.Agents[ev.Switch.From] {
		if h.shared(model, ev.Switch.To) {
			continue
		}
		said := "model " + model + ": would be unloaded"
		if !ev.Rehearsal {
			said = h.unload(ctx, model)
		}
		answer.Diagnostics = append(answer.Diagnostics, said)
	}
	return answer, nil
}

// shared reports whether the agent that takes over uses the model, too.
func (h *handler) shared(model, agent string) bool {
	for _, m := range h.Agents[agent] {
		if m == model {
			return true
		}
	}
	return false
}

func (h *handler) unload(ctx context.Context, model string) string {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var w strict.Writer
	w.Open()
	w.Text("model", model)
	w.Close()
	resp, err := (&post.Client{}).Post(ctx, h.address(), map[string][]string{"Content-Type": {"application/json"}}, w.Bytes())
	if err != nil {
		return fmt.Sprintf("model %s: %v", model, err)
	}
	return fmt.Sprintf("model %s: unloaded with status %d", model, resp.Status)
}
