package feishu

import (
	"strings"

	"github.com/trammel-dev/trammel/approvals/show"
)

// unseen keeps apart what would be markup together, without being seen.
const unseen = "\u200b"

// markup is what means something in Lark's markdown, as entities: mentions,
// links, images, colours, emphasis, lists, emoji.
var markup = strings.NewReplacer("&", "&#38;", "<", "&#60;", ">", "&#62;", "*", "&#42;", "_", "&#95;", "~", "&#126;", "`", "&#96;",
	"[", "&#91;", "]", "&#93;", "(", "&#40;", ")", "&#41;", "!", "&#33;", "#", "&#35;", "-", "&#45;", "+", "&#43;", "|", "&#124;",
	":", "&#58;", "\\", "&#92;")

// markdown is a foreign text in which nothing is markup.
func markdown(text string, most int) string {
	text, _ = show.Cut(text, most)
	return markup.Replace(text)
}

// inCode is for text inside of code, where entities are not read: a text can
// neither end the code nor begin a tag.
var inCode = strings.NewReplacer("`", "`"+unseen, "<", "<"+unseen)

func code(text string) string { return "```\n" + inCode.Replace(text) + "\n```" }
