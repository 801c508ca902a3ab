// Package mcpguard is the policy mcp-guard: which tools of which MCP servers an
// agent may call, and whether they have changed since a person reviewed their
// descriptions.
package mcpguard

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/option"
)

// Name is the policy's name in configurations.
const Name = "mcp-guard"

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Guard(Name,
		"restricts which MCP servers and tools may be called, and denies tools whose description has changed since it was pinned",
		Options{Unpinned: "allow", Missing: "allow"}, build)
}

// Options configure the policy.
type Options struct {
	Allow    []string          `json:"allow,omitempty" jsonschema:"The only tools that may be called, as globs of server/tool, or as an agent spells them; a server alone stands for all of its tools, none at all means every tool that is not denied."`
	Deny     []string          `json:"deny,omitempty" jsonschema:"Tools that may not be called, in the same form; this wins over allow."`
	Pins     map[string]string `json:"pins,omitempty" jsonschema:"What a tool's description and schema were when somebody read them: server/tool to a sha256 digest."`
	Unpinned string            `json:"unpinned,omitempty" enum:"allow,ask,deny" jsonschema:"What happens to a call of a tool that has no pin."`
	Missing  string            `json:"missing,omitempty" enum:"allow,ask,deny" jsonschema:"What happens to a call of a pinned tool where the host does not say what its description is."`
}

func build(o Options, _ trammel.Spec) (trammel.Handler, error) {
	g := &guard{o}
	return g, g.check()
}

type guard struct{ Options }

// spelled converts the spellings of agents (mcp__github__*, github__*, github:*)
// to server/tool.
func spelled(glob string) string {
	glob = strings.TrimPrefix(glob, "mcp__")
	if !strings.Contains(glob, "/") {
		for _, between := range []string{"__", ":"} {
			if server, tool, ok := strings.Cut(glob, between); ok && server != "" {
				return server + "/" + tool
			}
		}
	}
	return glob
}

func (g *guard) check() error {
	for _, list := range [][]string{g.Allow, g.Deny} {
		for i := range list {
			list[i] = spelled(list[i])
		}
	}
	for _, glob := range append(g.Allow[:len(g.Allow):len(g.Allow)], g.Deny...) {
		if !doublestar.ValidatePattern(glob) || strings.Count(glob, "/") > 1 || glob == "" {
			return fmt.Errorf("found %q, expected a server or server/tool, in which * and ? may stand", glob)
		}
	}
	for tool, digest := range g.Pins {
		if server, name, ok := strings.Cut(tool, "/"); !ok || server == "" || name == "" {
			return fmt.Errorf("pins: found %q, expected server/tool", tool)
		}
		if digits, ok := strings.CutPrefix(digest, "sha256:"); !ok || len(digits) != 64 || strings.Trim(digits, "0123456789abcdef") != "" {
			return fmt.Errorf("pins: %s: found %q, expected sha256: and 64 hexadecimal digits", tool, digest)
		}
	}
	return nil
}

// Handle judges one event.
func (g *guard) Handle(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Tool == nil || ev.Tool.Action.Kind != trammel.MCPAction && ev.Tool.Action.Server == "" {
		return trammel.Answer{}, nil
	}
	tool := nameOf(ev.Tool)
	var report trammel.Answer
	add := func(d trammel.Decision, code, reason string) {
		report.Add(d, trammel.Finding{Code: code, Target: tool}, reason)
	}
	switch {
	case matches(g.Deny, tool, true):
		add(trammel.Deny, "mcp_denied", fmt.Sprintf("The policy mcp-guard denies the tool %s. Do without it, or ask the person.", tool))
	case len(g.Allow) > 0 && !matches(g.Allow, tool, false):
		add(trammel.Deny, "mcp_not_allowed", fmt.Sprintf("The tool %s is not among those that mcp-guard allows. Use another, or "+
			"ask the person to add it to `allow`.", tool))
	}
	pin, pinned := g.Pins[tool]
	now, carried, err := digestOf(ev)
	switch {
	case err != nil:
		return trammel.Answer{}, err
	case !pinned:
		add(trammel.DecisionOf(g.Unpinned), "mcp_unpinned", fmt.Sprintf("The description of the tool %s has not been pinned yet. A person "+
			"should read it and add its digest to `pins`%s.", tool, also(now)))
	case !carried:
		add(trammel.DecisionOf(g.Missing), "mcp_description_missing", fmt.Sprintf("The tool %s is pinned, and this host does not say what its "+
			"description is.", tool))
	case now != pin:
		add(trammel.Deny, "mcp_description_changed", fmt.Sprintf("The description or schema of the tool %s is not the one that was pinned. Do "+
			"not follow it; a person has to read it again.", tool))
	}
	return report, nil
}

func also(digest string) string {
	if digest == "" {
		return ""
	}
	return " (it is " + digest + " now)"
}

// nameOf returns server/tool. The server is empty if the host does not name it.
func nameOf(t *trammel.ToolCall) string {
	return toolOf(t.Action.Server, cmp.Or(t.Action.Tool, t.Name))
}

// Pin returns the digest to which the options pin a tool, "" if they do not.
func (o *Options) Pin(server, tool string) string { return o.Pins[toolOf(server, tool)] }

// toolOf returns server/tool, and makes sure that neither part can look like both.
func toolOf(server, tool string) string {
	return strings.ReplaceAll(server, "/", "_") + "/" + strings.ReplaceAll(tool, "/", "_")
}

func matches(globs []string, tool string, fold bool) bool {
	for _, glob := range globs {
		if strings.IndexByte(glob, '/') < 0 {
			glob += "/*"
		}
		if doublestar.MatchUnvalidated(glob, tool) || fold && doublestar.MatchUnvalidated(strings.ToLower(glob), strings.ToLower(tool)) {
			return true
		}
	}
	return false
}

// digestOf returns the digest of the event's description of the tool: the
// canonical JSON of {"description": …, "input_schema": …}. Hosts that provide
// these have them in the fields tool_description and tool_input_schema, or in a
// field mcp_context.
func digestOf(ev *trammel.Event) (digest string, carried bool, err error) {
	description, schema := ev.Fields["tool_description"], ev.Fields["tool_input_schema"]
	if inner, ok := ev.Fields["mcp_context"].(map[string]any); ok && description == nil && schema == nil {
		description, schema = inner["description"], inner["input_schema"]
	}
	if description == nil && schema == nil {
		return "", false, nil
	}
	data, err := canonical.Append(nil, map[string]any{"description": description, "input_schema": schema})
	if err != nil {
		return "", false, fmt.Errorf("the tool's description: %w", err)
	}
	return canonical.Digest(data), true, nil
}
