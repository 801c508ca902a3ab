package proxy_test

import (
	"testing"

	"github.com/trammel-dev/trammel/mcp/pin"
	"github.com/trammel-dev/trammel/mcp/proxy"
)

// MCP-50: what the policy mcp-guard pins counts in the proxy, too, and is found
// there as the policy finds it. MCP-55: the proxy knows the tools of agents.
func TestPinsOfTheGuard(t *testing.T) {
	tool := map[string]any{"name": "a/b", "description": "Reads.", "inputSchema": map[string]any{"type": "object"}}
	changed := map[string]any{"name": "c", "description": "Reads.", "inputSchema": map[string]any{"type": "object"}}
	twice := map[string]any{"name": "d", "description": "Reads.", "inputSchema": map[string]any{"type": "object"}}
	trial := map[string]any{"name": "e", "description": "Reads.", "inputSchema": map[string]any{"type": "object"}}
	right, wrong := pin.Partial(tool), pin.Partial(map[string]any{})
	policy := newRig(t, "version: 1\nhooks:\n  - id: one\n    use: mcp-guard\n    with: {pins: {bank/a_b: '"+right+"', bank/c: '"+wrong+
		"', bank/d: '"+right+"'}}\n  - id: two\n    use: mcp-guard\n    with: {pins: {bank/d: '"+wrong+"'}}\n"+
		"  - id: three\n    use: mcp-guard\n    trial: true\n    with: {pins: {bank/e: '"+right+"'}}\n").Judge.(*proxy.Policy)
	all := []map[string]any{tool, changed, twice, trial, {"name": "WebFetch"}}
	got, err := policy.Watch(pin.Server{Name: "bank"}, nil, "strict").Listed(t.Context(), pin.Tool, all, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []pin.State{pin.IsPart, pin.Changed, pin.Changed, pin.New, pin.New} {
		if got[i].State != want {
			t.Errorf("%s is %s, want %s", got[i].Name, got[i].State, want)
		}
	}
	if facts := got[4].Facts; len(facts) != 1 || facts[0].Code != pin.HostName {
		t.Errorf("the name of an agent's tool: %+v", facts)
	}
}
