package outputguard

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// signs are how turns of a conversation are marked for models.
var signs = [...]string{"<|im_start|>", "<|im_end|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|system|>", "<|user|>",
	"<|assistant|>", "[inst]", "<system>", "</system>", "[system]:", "<<sys>>", "<system-reminder>", "### instruction:", "### system:",
	"</tool_result>", "</function_results>", "<important>", "<instructions>"}

// turns are how a line begins that pretends to be a turn.
var turns = [...]string{"human:", "assistant:", "system: you"} // system: alone is in many logs

// addressed reports whether a text has a word without which it instructs nobody,
// in any case. Most outputs have none.
func addressed(text string) bool {
	keys, inside, wide := &phrases().keys, false, false
	for i := range len(text) {
		c := text[i]
		wide = wide || c >= utf8.RuneSelf
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if letter {
			c |= 0x20
		}
		if !inside {
			for _, key := range keys[c] {
				if len(text)-i >= len(key) && strings.EqualFold(text[i:i+len(key)], key) {
					return true
				}
			}
		}
		inside = letter
	}
	return wide && instructsInCJK(text)
}

// instructs reports whether a text, as Plain has it, tells a model what to do: to
// drop what it was told, to hide something from its user, to be somebody else.
func (r *review) instructs(plain string) bool {
	words := split(nil, plain)
	return addressed(plain) && (forged(plain) || r.begins(words, len(words)))
}

// forged reports whether a line pretends to be a turn of the conversation.
func forged(line string) bool {
	if slices.ContainsFunc(signs[:], func(sign string) bool { return strings.Contains(line, sign) }) || instructsInCJK(line) {
		return true
	}
	start := strings.TrimLeft(line, "> \t*#-'\"")
	return slices.ContainsFunc(turns[:], func(turn string) bool { return strings.HasPrefix(start, turn) })
}

// begins reports whether a phrase begins among the first n words. Words that are
// too many to be compared count as one.
func (r *review) begins(words []string, n int) bool {
	byFirst := phrases().byFirst
	for i := range n {
		for _, p := range byFirst[words[i]] {
			if r.tries++; r.tries > maxTries || p.at(words[i:]) {
				return true
			}
		}
	}
	return false
}

// split appends the words of a text. Letters that stand alone, four or more in a
// row, are one word: i g n o r e.
func split(words []string, plain string) []string {
	alone, start := 0, -1
	for i := 0; i <= len(plain); i++ {
		if i < len(plain) && (plain[i] >= 'a' && plain[i] <= 'z' || plain[i] == '\'' || plain[i] >= utf8.RuneSelf) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start < 0 {
			continue
		}
		w := strings.Trim(plain[start:i], "'")
		start = -1
		switch {
		case len(w) == 1:
			alone++
		case alone >= 4:
			words = joined(words, alone)
			fallthrough
		default:
			alone = 0
		}
		if w != "" {
			words = append(words, w)
		}
	}
	if alone >= 4 {
		words = joined(words, alone)
	}
	return words
}

// joined makes one word of the last n.
func joined(words []string, n int) []string {
	from := len(words) - n
	return append(words[:from], strings.Join(words[from:], ""))
}

// instructsInCJK is instructs for languages that are written without spaces.
func instructsInCJK(text string) bool {
	for _, signs := range [...][]string{
		{"忽略", "无视", "無視", "忘记", "忘掉", "不要理会", "무시"},
		{"之前", "以前", "以上", "先前", "上述", "前面", "これまで", "이전", "위의"},
		{"指令", "指示", "提示", "命令", "规则", "지시", "명령"},
	} {
		if !slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(text, sign) }) {
			return false
		}
	}
	return true
}
