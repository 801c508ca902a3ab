package standin

import (
	"strings"
	"unicode/utf8"
)

// check holds a message against Slack's limits.
func (k *Slack) check(in map[string]any) {
	bad := func(format string, args ...any) { k.s.t.Errorf("slack message: "+format, args...) }
	if str(in, "text") == "" {
		bad("no text for notifications")
	}
	k.harmless(str(in, "text"))
	blocks, _ := in["blocks"].([]any)
	if len(blocks) == 0 || len(blocks) > 50 {
		bad("%d blocks", len(blocks))
	}
	for _, b := range blocks {
		switch str(b, "type") {
		case "header":
			k.text(at(b, "text"), "plain_text", 150)
		case "section":
			if text := at(b, "text"); text != nil {
				k.text(text, "", 3000)
			}
			k.list(at(b, "fields"), 10, func(e any) { k.text(e, "", 2000) })
		case "context":
			k.list(at(b, "elements"), 10, func(e any) { k.text(e, "", 2000) })
		case "actions":
			k.list(at(b, "elements"), 25, k.button)
		default:
			bad("unknown block %v", b)
		}
	}
}

func (k *Slack) list(v any, most int, each func(any)) {
	list, _ := v.([]any)
	if len(list) > most {
		k.s.t.Errorf("slack message: %d elements", len(list))
	}
	for _, e := range list {
		each(e)
	}
}

func (k *Slack) text(v any, kind string, most int) {
	text := str(v, "text")
	if n := utf8.RuneCountInString(text); n == 0 || n > most {
		k.s.t.Errorf("slack message: a text of %d characters: %.80s", n, text)
	}
	switch str(v, "type") {
	case "plain_text":
	case "mrkdwn":
		k.harmless(text)
		if kind == "plain_text" {
			k.s.t.Errorf("slack message: %v, expected plain_text", v)
		}
	default:
		k.s.t.Errorf("slack message: text %v", v)
	}
}

// harmless: nothing that a model could have written mentions people, links, or
// ends the code around it.
func (k *Slack) harmless(text string) {
	for i := range text {
		if text[i] == '<' && !strings.HasPrefix(text[i:], "<!date^") {
			k.s.t.Errorf("slack message: markup in %q", text)
		}
	}
	if n := strings.Count(text, "```"); n != 0 && n != 2 {
		k.s.t.Errorf("slack message: code that ends early: %q", text)
	}
}

func (k *Slack) button(b any) {
	k.text(at(b, "text"), "plain_text", 75)
	if str(b, "type") != "button" || str(b, "action_id") == "" || len(str(b, "action_id")) > 255 || len(str(b, "value")) > 2000 ||
		len(str(b, "url")) > 3000 {
		k.s.t.Errorf("slack message: button %v", b)
	}
}
