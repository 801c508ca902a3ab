package outputguard

import (
	"slices"
	"strings"
)

// addressed reports whether a text has a word without which it instructs nobody.
// Most outputs have none.
func addressed(plain string) bool {
	for _, word := range [...]string{"ignore", "disregard", "forget", "override", "bypass", "user", "prompt", "you are now", "instruction",
		"<system",
		"[system", "<|im_", "[inst]", "assistant", "agent"} {
		if strings.Contains(plain, word) {
			return true
		}
	}
	return false
}

// instructs reports whether a text, as Plain has it, tells a model what to do: to
// drop what it was told, to hide something from its user, to be somebody else.
func instructs(plain string) bool {
	if !addressed(plain) {
		return false
	}
	for _, sign := range [...]string{"<|im_start|>", "<|im_end|>", "[inst]", "<system>", "</system>", "[system]:", "<<sys>>"} {
		if strings.Contains(plain, sign) {
			return true
		}
	}
	words := strings.FieldsFunc(plain, func(r rune) bool { return (r < 'a' || r > 'z') && r != '\'' && r < 0x80 })
	for i := range words {
		rest := words[i+1 : min(len(words), i+9)]
		switch words[i] {
		case "ignore", "disregard", "forget", "override", "bypass", "ignoring", "disregarding":
			if drops(rest) {
				return true
			}
		case "don't", "not", "never", "without":
			if hides(rest) {
				return true
			}
		case "reveal", "print", "repeat", "output", "show", "leak":
			if own(rest) {
				return true
			}
		case "new", "updated", "real":
			if len(rest) > 1 && (rest[0] == "system" && (rest[1] == "prompt" || rest[1] == "instructions" || rest[1] == "message")) {
				return true
			}
		case "you":
			if len(rest) > 2 && rest[0] == "are" && rest[1] == "now" && has(rest[2:], "dan", "unrestricted", "jailbroken", "unfiltered", "root",
				"admin",
				"developer", "mode") {
				return true
			}
		case "assistant", "assistants", "agent", "agents", "llm", "llms", "ai":
			if len(rest) > 1 && (rest[0] == "must" || rest[0] == "should" || rest[0] == "please") && (rest[1] == "now" || rest[1] == "immediately" ||
				has(rest[1:min(len(rest), 3)], "run", "execute", "ignore", "send", "upload", "delete", "exfiltrate")) {
				return true
			}
		}
	}
	return false
}

// drops reports whether words go on with what a model was told: (all) previous
// instructions, your rules, the system prompt.
func drops(words []string) bool {
	for i, w := range words {
		switch w {
		case "instructions", "instruction", "prompt", "prompts":
			return has(words[:i], "previous", "prior", "above", "earlier", "preceding", "your", "system", "all", "original", "initial", "any",
				"other")
		case "rules", "directives", "guidelines", "context", "messages", "restrictions", "guardrails", "safety":
			return has(words[:i], "previous", "prior", "preceding", "your") && (i < 4)
		case "everything":
			return i+1 < len(words) && has(words[i+1:], "above", "before") && has(words[i+1:], "told", "said", "instructed", "above")
		}
	}
	return false
}

// hides reports whether words say that the user is not to know.
func hides(words []string) bool {
	if len(words) < 2 || !has(words[:1], "tell", "inform", "mention", "reveal", "alert", "notify", "telling", "informing", "alerting",
		"notifying",
		"asking") {
		return false
	}
	near := words[1:min(len(words), 6)]
	return has(near, "user", "human", "operator", "owner") && !has(near, "if", "that", "which", "about", "whether", "how")
}

// own reports whether words name what only a model has.
func own(words []string) bool {
	near := words[:min(len(words), 4)]
	return has(near, "your") && (has(near, "instructions") || has(near, "system") && has(near, "prompt"))
}

func has(words []string, any ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(any, w) })
}
