// Package unload is the policy unload: when another agent takes over, the local
// models of the previous one are removed from memory (DA-50).
package unload

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/post"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("unload", trammel.Observe, "takes an agent's local models out of memory when another agent takes over",
		Options{URL: "http://127.0.0.1:12434/engines", Path: "/_unload"}, build, trammel.AgentSwitch)
}

// Options are the policy's options.
type Options struct {
	URL    string              `json:"url,omitempty" jsonschema:"The base of the addresses of the server that runs the models."`
	Path   string              `json:"path,omitempty" jsonschema:"Where below it models are unloaded."`
	Agents map[string][]string `json:"agents,omitempty" jsonschema:"The models of each agent, for hosts that do not name them."`
}

// limit is how long one call may take.
const limit = 10 * time.Second

func build(o Options, _ trammel.Spec) (trammel.Handler, error) {
	if _, err := post.Parse(o.address()); err != nil {
		return nil, &option.Error{Key: "url", Message: err.Error()}
	}
	return &handler{o}, nil
}

func (o *Options) address() string {
	return strings.TrimSuffix(o.URL, "/") + "/" + strings.TrimPrefix(o.Path, "/")
}

type handler struct{ Options }

// Waits returns true: a server takes time.
func (h *handler) Waits() bool { return true }

// Handle asks the server to unload the previous agent's models. A server that
// cannot be reached has nothing in memory, so that is not an error.
func (h *handler) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Switch == nil || ev.Switch.From == ev.Switch.To {
		return trammel.Answer{}, nil
	}
	var answer trammel.Answer
	for _, m := range h.left(ev.Switch) {
		said := "model " + m.name + ": would be unloaded"
		if !ev.Rehearsal {
			said = unload(ctx, m)
		}
		answer.Diagnostics = append(answer.Diagnostics, said)
	}
	return answer, nil
}

// served is a model, and the address at which it is unloaded.
type served struct{ name, address string }

// left returns the models to unload: those that the host names and runs itself, and
// those in the options, except models that the next agent uses, too.
func (h *handler) left(s *trammel.Switch) (out []served) {
	for _, m := range s.Models {
		if address := h.unloads(m); address != "" && !h.shared(m.Name, s.To) {
			out = append(out, served{m.Name, address})
		}
	}
	for _, name := range h.Agents[s.From] {
		named := func(m served) bool { return m.name == name }
		if !h.shared(name, s.To) && !slices.ContainsFunc(out, named) {
			out = append(out, served{name, h.address()})
		}
	}
	return out
}

// unloads returns the URL that unloads a model of the host, "" if there is none:
// only Docker Model Runner (dmr) supports it.
func (h *handler) unloads(m trammel.ServedModel) string {
	base, err := url.Parse(m.URL)
	switch {
	case m.Provider != "dmr" || m.Name == "":
		return ""
	case strings.HasPrefix(m.Unload, "http://") || strings.HasPrefix(m.Unload, "https://"):
		return m.Unload
	case err != nil || base.Scheme == "" || base.Host == "":
		return ""
	case m.Unload == "":
		base.Path = strings.TrimSuffix(strings.TrimSuffix(base.Path, "/"), "/v1") + h.Path
	default:
		base.Path = "/" + strings.TrimPrefix(m.Unload, "/")
	}
	return base.String()
}

// shared reports whether the agent that takes over uses the model, too.
func (h *handler) shared(model, agent string) bool {
	return slices.Contains(h.Agents[agent], model)
}

func unload(ctx context.Context, m served) string {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var w strict.Writer
	w.Open()
	w.Text("model", m.name)
	w.Close()
	resp, err := (&post.Client{}).Post(ctx, m.address, map[string][]string{"Content-Type": {"application/json"}}, w.Bytes())
	if err != nil {
		return fmt.Sprintf("model %s: %v", m.name, err)
	}
	return fmt.Sprintf("model %s: unloaded with status %d", m.name, resp.Status)
}
