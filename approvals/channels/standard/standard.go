// Package standard lists the channels that are linked: one line each.
package standard

import (
	"context"
	"encoding/json"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/approvals/channels/desktop"
	"github.com/trammel-dev/trammel/approvals/channels/feishu"
	"github.com/trammel-dev/trammel/approvals/channels/slack"
	"github.com/trammel-dev/trammel/approvals/channels/webhook"
)

// Kinds are the channels by the value of type.
func Kinds() map[string]channels.Kind {
	return map[string]channels.Kind{
		"desktop": desktop.Open,
		"feishu":  feishu.Open,
		"slack":   slack.Open,
		"webhook": webhook.Open,
	}
}

// Check says what is wrong with the options of a channel.
func Check(options []byte) error { return channels.Check(options, Kinds()) }

// Open makes the channels that settings declare.
func Open(declared map[string]json.RawMessage, env *channels.Env) (map[string]channels.Channel, error) {
	return channels.Open(declared, Kinds(), env)
}

// Notify sends a notice through the channels that are named, or all of them.
func Notify(ctx context.Context, declared map[string]json.RawMessage, env *channels.Env, names []string,
	n *channels.Notice) ([]string, error) {
	return channels.Notify(ctx, declared, Kinds(), env, names, n)
}
