// Package desktop tells the person at this machine that a request is waiting.
// It only notifies: any program could fake a click, so that cannot decide.
package desktop

import (
	"context"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/internal/desktop"
	"github.com/trammel-dev/trammel/store"
)

type notice struct {
	show func(ctx context.Context, title, text string) error
}

// Open makes a desktop channel.
func Open(_ string, raw []byte, _ *channels.Env) (channels.Channel, error) {
	var options struct {
		Type string `json:"type"`
	}
	return &notice{desktop.Show}, channels.Read(raw, &options)
}

// Deliver implements channels.Channel.
func (n *notice) Deliver(ctx context.Context, a *store.Approval) (channels.Message, error) {
	return channels.Message{}, n.tell(ctx, "Approval required", a)
}

// Update implements channels.Channel. A notification cannot be changed, so only
// reminders are shown.
func (n *notice) Update(ctx context.Context, d *store.Delivery, a *store.Approval) error {
	if !channels.StandingOf(a).Nudges(channels.ParseStanding(d.Shows)) {
		return nil
	}
	return n.tell(ctx, "Approval still required", a)
}

func (n *notice) tell(ctx context.Context, title string, a *store.Approval) error {
	v := show.Of(a)
	text, _ := show.Cut(v.Tool+": "+v.Summary, 300)
	return n.show(ctx, title, text+"\ntrammel approvals show "+v.ID)
}

// Notify implements channels.Notifier.
func (n *notice) Notify(ctx context.Context, notice *channels.Notice) error {
	return n.show(ctx, notice.Title, notice.Text)
}
