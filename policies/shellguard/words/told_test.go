package words

import (
	"slices"
	"testing"
)

// What a tool that nobody has listed does is told by its name and its arguments.
func TestTool(t *testing.T) {
	for _, c := range []struct {
		name  string
		input map[string]any
		want  []string
	}{
		{"transfer", map[string]any{"amount": 100, "to": "DE12"}, []string{"spends"}},
		{"withdraw_funds", map[string]any{"currency": "BTC"}, []string{"spends"}},
		{"transfer", map[string]any{"from": "a", "to": "b"}, nil},
		{"list_transfers", map[string]any{"amount": 100}, nil},
		{"refund_status", map[string]any{"amount": 1}, nil},
		{"disable_mfa", map[string]any{"user": "bob"}, []string{"security_disabled"}},
		{"firewall_off", nil, []string{"security_disabled"}},
		{"get_firewall_rules", nil, nil},
		{"power_off", map[string]any{"server": "prod-1"}, []string{"stops_remote"}},
		{"reboot_instance", nil, []string{"stops_remote"}},
		{"shutdown", nil, nil},
		{"add_collaborator", nil, []string{"cloud_change"}},
	} {
		if got := Tool(c.name, c.input); !slices.Equal(got, c.want) {
			t.Errorf("%s %v: %v, not %v", c.name, c.input, got, c.want)
		}
	}
}
