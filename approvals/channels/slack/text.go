package slack

import (
	"strings"

	"github.com/trammel-dev/trammel/approvals/show"
)

// unseen is an invisible separator between backticks, so that a text cannot end
// its code block.
const unseen = "\u200b"

// markup escapes what has a meaning in Slack's texts, even in code: mentions,
// links, the end of the code.
var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "`"+unseen)

// code is somebody else's short text as code.
func code(text string) string {
	text, _ = show.Cut(text, 300) // an escape is five times as long, and a field has 2000
	return "`" + markup.Replace(strings.ReplaceAll(text, "`", "'")) + "`"
}

// plain is somebody else's text, without markup.
func plain(text string, most int) object {
	text, _ = show.Cut(text, most)
	return object{"type": "plain_text", "text": text, "emoji": false}
}

// mrkdwn is our own text, with markup.
func mrkdwn(text string) object { return object{"type": "mrkdwn", "text": text, "verbatim": true} }

// pieces splits a text into parts that are at most that many bytes once their
// markup is escaped. It returns nil if there would be too many.
func pieces(text string, most, count int) []string {
	if count == 0 {
		return nil
	}
	var out []string
	var part strings.Builder
	for _, r := range text {
		safe := markup.Replace(string(r))
		if part.Len()+len(safe) > most {
			if out = append(out, part.String()); len(out) == count {
				return nil
			}
			part.Reset()
		}
		part.WriteString(safe)
	}
	return append(out, part.String())
}
