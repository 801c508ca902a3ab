package feishu

import (
	"encoding/json"
	"strings"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/store"
)

type object = map[string]any

// maxCard is Feishu's limit for a card, 30 KB, minus some margin. The limit is
// for the request, in which the card is a string.
const maxCard = 29 << 10

// card is an approval as a card. If its arguments do not fit, the card has
// their beginning, and a button to approve only if all of them can be seen
// elsewhere.
func (f *feishu) card(a *store.Approval) object {
	v := show.Of(a)
	for _, limit := range []int{800, 150} {
		card := f.build(a, &v, true, limit)
		if body, err := json.Marshal(text(card)); err == nil && len(body) <= maxCard {
			return card
		}
	}
	return f.short(a)
}

// short is a card with the beginning of the arguments.
func (f *feishu) short(a *store.Approval) object {
	v := show.Of(a)
	return f.build(a, &v, false, 150)
}

// build makes a card whose lines, except for the arguments, have at most this length.
func (f *feishu) build(a *store.Approval, v *show.View, whole bool, limit int) object {
	title, color := "Approval required", "orange"
	if !v.Open {
		title, color = v.Status, colors(a.State)
	}
	title, _ = show.Cut(title, 200)
	args := v.Args.Text
	if !whole {
		args, _ = show.Cut(args, 1000)
	}
	lines := []object{}
	if v.Reason != "" {
		lines = append(lines, mark("**Why** "+markdown(v.Reason, limit)))
	}
	if v.Summary != "" {
		lines = append(lines, mark("**What** "+markdown(v.Summary, limit)))
	}
	lines = append(lines, columns(mark("**Tool**\n"+markdown(v.Tool, 150)), mark("**Request**\n`"+v.ID+"`")), object{"tag": "hr"},
		mark("**Arguments** (sha256 `"+v.Digest+"`)\n"+code(args)), small(v, limit))
	if v.Open {
		lines = append(lines, f.form(a, whole)...)
	}
	return object{"schema": "2.0", "config": object{"update_multi": true},
		"header": object{"title": plain(title), "template": color},
		"body":   object{"direction": "vertical", "padding": "12px 12px 12px 12px", "elements": lines}}
}

func colors(s store.State) string {
	switch s {
	case store.Approved, store.Consumed:
		return "green"
	case store.Rejected, store.Revoked:
		return "red"
	}
	return "grey"
}

// small are the lines of details: who asks, who must approve, the status.
func small(v *show.View, limit int) object {
	lines := []string{"Asked by " + v.Asker, "Rule " + v.Rule, "Needs " + v.Needs, v.Status}
	lines = append(append(lines, v.Votes[:min(len(v.Votes), 10)]...), v.Remarks()...)
	for i, line := range lines {
		lines[i] = markdown(line, limit)
	}
	return mark(strings.Join(lines, "\n"))
}

// form has a field for a comment, and the buttons to decide.
func (f *feishu) form(a *store.Approval, whole bool) []object {
	var out []object
	view := f.env.FullView(a)
	if !whole {
		note := "The arguments are too long for a card. See them with: trammel approvals show " + a.ID
		if view != "" {
			note = "The arguments are too long for a card. Look at all of them before you approve."
		}
		out = append(out, mark(markdown(note, 500)))
	}
	if view != "" {
		out = append(out, object{"tag": "button", "name": "btn_view_" + a.ID, "text": plain("Full view"), "type": "default",
			"behaviors": []object{{"type": "open_url", "default_url": view}}})
	}
	var buttons []object
	if whole || view != "" {
		approve := button(a, "approve", "Approve", "primary_filled")
		approve["confirm"] = object{"title": plain("Approve?"), "text": plain("Runs exactly the call above.")}
		buttons = append(buttons, approve)
	}
	buttons = append(buttons, button(a, "reject", "Reject", "danger_filled"))
	comment := object{"tag": "input", "name": "comment", "placeholder": plain("Comment"), "max_length": 1000, "required": false}
	return append(out, object{"tag": "form", "name": "form_" + a.ID, "elements": []object{comment, columns(buttons...)}})
}

// button needs a name, or the click fails in the client.
func button(a *store.Approval, decision, label, style string) object {
	return object{"tag": "button", "name": "btn_" + decision + "_" + a.ID, "text": plain(label), "type": style, "width": "default",
		"size": "medium", "form_action_type": "submit",
		"behaviors": []object{{"type": "callback", "value": object{"confirmation_id": a.ID, "decision": decision, "nonce": a.Nonce,
			"digest": approvals.Shown(a)}}}}
}

func plain(text string) object { return object{"tag": "plain_text", "content": text} }
func mark(text string) object  { return object{"tag": "markdown", "content": text} }

func columns(elements ...object) object {
	var out []object
	for _, e := range elements {
		out = append(out, object{"tag": "column", "width": "weighted", "weight": 1, "elements": []object{e}})
	}
	return object{"tag": "column_set", "horizontal_spacing": "8px", "columns": out}
}
