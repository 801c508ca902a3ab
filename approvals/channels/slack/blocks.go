package slack

import (
	"fmt"
	"time"

	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/store"
)

type object = map[string]any

// Slack's limits, and how much of them we use: a message has 50 blocks of at
// most 3000 characters.
const (
	maxHeader  = 150
	maxSection = 2900
	maxPieces  = 36
)

// The ids of actions in callbacks.
const (
	approveAction = "hook_approve"
	rejectAction  = "hook_reject"
	viewAction    = "hook_view"
	reasonView    = "hook_reject_reason"
)

// form is how much of an approval a message has: how many blocks of arguments
// at most, and how many bytes of each other line.
type form struct{ pieces, line int }

var long, short = form{maxPieces, maxSection}, form{0, 300}

// message is an approval as a message: text for notifications, and blocks.
func (s *slack) message(a *store.Approval, f form) object {
	v := show.Of(a)
	title := "Approval required"
	if !v.Open {
		title = v.Status
	}
	title, _ = show.Cut(title, maxHeader)
	fallback, _ := show.Cut(title+": "+v.Tool, 500)
	blocks := []object{
		{"type": "header", "text": plain(title, maxHeader)},
		{"type": "section", "fields": []object{mrkdwn("*Tool*\n" + code(v.Tool)), mrkdwn("*Request*\n" + code(v.ID))}},
	}
	for _, line := range []struct{ label, text string }{{"Why: ", v.Reason}, {"What: ", v.Summary}} {
		if line.text != "" {
			blocks = append(blocks, object{"type": "section", "text": plain(line.label+line.text, f.line)})
		}
	}
	args, whole := arguments(&v, f.pieces)
	blocks = append(blocks, args...)
	blocks = append(blocks, remarks(a, &v, min(f.line, 1000)))
	if v.Open {
		blocks = append(blocks, s.buttons(a, whole)...)
	}
	return object{"text": markup.Replace(fallback), "blocks": blocks}
}

// arguments are all arguments in as many blocks as it takes; or, if they do not
// fit, their beginning.
func arguments(v *show.View, most int) (blocks []object, whole bool) {
	parts := pieces(v.Args.Text, maxSection-200, most)
	if whole = parts != nil; !whole {
		start, _ := show.Cut(v.Args.Text, maxSection/6)
		parts = pieces(start, maxSection-200, maxPieces)
	}
	for i, part := range parts {
		head := ""
		if i == 0 {
			head = "*Arguments* sha256 `" + v.Digest + "`\n"
		}
		blocks = append(blocks, object{"type": "section", "text": mrkdwn(head + "```\n" + part + "\n```")})
	}
	return blocks, whole
}

// remarks are the lines of details: who asks, who must approve, the status.
func remarks(a *store.Approval, v *show.View, limit int) object {
	lines := append([]string{"Asked by " + v.Asker, "Rule " + v.Rule, "Needs " + v.Needs, v.Status}, v.Remarks()...)
	lines = append(lines, v.Votes...) // the status names who voted
	elements := make([]object, 0, 10) // Slack's limit is ten
	for _, line := range lines[:min(len(lines), 9)] {
		elements = append(elements, plain(line, limit))
	}
	if v.Open && !a.Expires.IsZero() {
		at := a.Expires.UTC()
		elements = append(elements, mrkdwn(fmt.Sprintf("Expires <!date^%d^{date_short_pretty} {time}|%s>", at.Unix(), at.Format(time.RFC3339))))
	}
	return object{"type": "context", "elements": elements}
}

// buttons are the buttons to decide. If the message does not show the whole
// call, there is no Approve button.
func (s *slack) buttons(a *store.Approval, whole bool) (blocks []object) {
	view := s.env.FullView(a)
	if !whole {
		text := "The arguments are too long for a message. Look at them with: trammel approvals show " + a.ID
		if view != "" {
			text = "The arguments are too long for a message. Look at all of them before you approve."
		}
		blocks = append(blocks, object{"type": "section", "text": plain(text, maxSection)})
	}
	var elements []object
	if whole || view != "" {
		approve := button("Approve", approveAction, "primary", value(a))
		approve["confirm"] = object{"title": plain("Approve?", 100), "text": mrkdwn("Runs exactly the call above."),
			"confirm": plain("Approve", 30), "deny": plain("Cancel", 30)}
		elements = append(elements, approve)
	}
	elements = append(elements, button("Reject", rejectAction, "danger", value(a)))
	if view != "" {
		elements = append(elements, object{"type": "button", "action_id": viewAction, "text": plain("Full view", 75), "url": view})
	}
	return append(blocks, object{"type": "actions", "block_id": a.ID, "elements": elements})
}

func button(text, action, style, value string) object {
	return object{"type": "button", "action_id": action, "style": style, "text": plain(text, 75), "value": value}
}
