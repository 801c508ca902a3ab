package feishu

import (
	"strings"

	"github.com/trammel-dev/trammel/approvals/show"
)

// unseen is an invisible separator that breaks up markup.
const unseen = "\u200b"

// markup escapes what has a meaning in Lark's markdown: mentions, links,
// images, colors, emphasis, lists, emoji.
var markup = strings.NewReplacer("&", "&#38;", "<", "&#60;", ">", "&#62;", "*", "&#42;", "_", "&#95;", "~", "&#126;", "`", "&#96;",
	"[", "&#91;", "]", "&#93;", "(", "&#40;", ")", "&#41;", "!", "&#33;", "#", "&#35;", "-", "&#45;", "+", "&#43;", "|", "&#124;",
	":", "&#58;", "\\", "&#92;")

// markdown escapes somebody else's text for markdown.
func markdown(text string, most int) string {
	text, _ = show.Cut(text, most)
	return markup.Replace(text)
}

// inCode is for text inside code, where entities do not work: a text can
// neither end the code nor start a tag.
var inCode = strings.NewReplacer("`", "`"+unseen, "<", "<"+unseen)

func code(text string) string { return "```\n" + inCode.Replace(text) + "\n```" }
