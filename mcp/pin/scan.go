package pin

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Fact is something about an object that a reader should know (MCP-55).
type Fact struct {
	Code   string `json:"code"`
	Where  string `json:"where"` // a place in the object, as in inputSchema.properties.path.description
	Detail string `json:"detail,omitempty"`
}

// The codes. Hidden characters withhold an object, everything else warns.
const (
	HiddenCharacters = "hidden_characters"
	MixedScripts     = "mixed_scripts"
	TakenName        = "taken_name"
	NamesOther       = "names_other_tool"
	HostName         = "host_tool_name"
	NamesHost        = "names_host_tool"
	Instruction      = "instruction_wording"
	TooLong          = "too_long"
	EncodedText      = "encoded_text"
)

// maxText is the longest text that a person can be expected to read.
const maxText = 8 << 10

func hides(facts []Fact) bool {
	return slices.ContainsFunc(facts, func(f Fact) bool { return f.Code == HiddenCharacters })
}

// Scan finds what a reader should know about an object: in every text of it,
// the names of its keys among them.
func Scan(object map[string]any) []Fact {
	var facts []Fact
	walk("", object, func(where, text string) {
		add := func(code, detail string) { facts = append(facts, Fact{code, where, detail}) }
		if found := hidden(text); len(found) > 0 {
			add(HiddenCharacters, strings.Join(found, " "))
		}
		if word := mixed(text); word != "" {
			add(MixedScripts, word)
		}
		if phrase := wording(text); phrase != "" {
			add(Instruction, phrase)
		}
		if len(text) > maxText {
			add(TooLong, fmt.Sprintf("%d bytes", len(text)))
		}
		if run := encoded(text); run != "" && !strings.HasPrefix(text, "data:image/") {
			add(EncodedText, run)
		}
	})
	return facts
}

// others reports whether an object has the name of another server's tool, or
// mentions one. theirs maps those tools to their owners.
func others(name string, object map[string]any, theirs map[string]string) []Fact {
	return rivals(name, object, theirs, TakenName, NamesOther, func(word string) bool {
		return strings.ContainsAny(word, "_-") || strings.ToLower(word) != word
	})
}

// hosts does the same for the agents' own tools. Many of their names are
// ordinary words, such as Read, and a server may mention its own tools, which
// may have the same names.
func hosts(name string, object map[string]any, theirs map[string]string, own func(tool string) bool) []Fact {
	return rivals(name, object, theirs, HostName, NamesHost, func(word string) bool {
		return !own(word) && (strings.ContainsAny(word, "_-") || strings.ToLower(word[1:]) != word[1:])
	})
}

func rivals(name string, object map[string]any, theirs map[string]string, taken, speaks string, is func(word string) bool) []Fact {
	var facts []Fact
	if owner := theirs[name]; owner != "" {
		facts = append(facts, Fact{taken, "name", owner})
	}
	walk("", object, func(where, text string) {
		if !strings.Contains(text, " ") { // a name or a key, not a sentence
			return
		}
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' &&
				r != '-'
		}) {
			if owner := theirs[word]; owner != "" && word != name && is(word) {
				facts = append(facts, Fact{speaks, where, word + " of " + owner})
				return
			}
		}
	})
	return facts
}

// walk visits the texts of a value, in the order of its canonical form.
func walk(where string, v any, text func(where, text string)) {
	switch v := v.(type) {
	case string:
		text(where, v)
	case []any:
		for i, e := range v {
			walk(fmt.Sprintf("%s[%d]", where, i), e, text)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			at := strings.TrimPrefix(where+"."+key, ".")
			text(at, key)
			walk(at, v[key], text)
		}
	}
}

// invisible reports whether a character is invisible, or changes how others are
// displayed.
func invisible(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return false
	case r < 0x20 || r >= 0x7f && r <= 0x9f: // C0, C1: they can start terminal sequences
		return true
	case r == 0x200D || r == 0xFE0F: // joiners and variants of emoji
		return false
	case r == 0x00AD || r == 0x034F || r == 0x061C || r == 0x115F || r == 0x1160 || r == 0x180E || r == 0x3164 || r == 0xFFA0:
		return true
	case r >= 0x200B && r <= 0x200F, r >= 0x2028 && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r == 0xFEFF, r >= 0xFE00 && r <= 0xFE0E:
		return true
	case r >= 0xFFF9 && r <= 0xFFFB, r >= 0x1D173 && r <= 0x1D17A, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return unicode.Is(unicode.Co, r)
}

// hidden lists invisible characters, each once. A joiner is fine between two
// emoji, and only there.
func hidden(text string) []string {
	var found []string
	runes := []rune(text)
	for i, r := range runes {
		if invisible(r) || r == 0x200D && (i == 0 || i+1 == len(runes) || !pictured(runes[i-1]) || !pictured(runes[i+1])) {
			if code := fmt.Sprintf("U+%04X", r); !slices.Contains(found, code) {
				found = append(found, code)
			}
		}
	}
	return found
}

func pictured(r rune) bool {
	return r == 0xFE0F || unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) || r >= 0x1F000 && r <= 0x1FAFF ||
		unicode.In(r, unicode.Devanagari, unicode.Arabic, unicode.Sinhala, unicode.Malayalam, unicode.Kannada, unicode.Bengali)
}

// mixed is the first word with letters of scripts that look alike.
func mixed(text string) string {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		var scripts int
		for _, script := range []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee} {
			if strings.ContainsFunc(word, func(r rune) bool { return r != 'µ' && r != 'Ω' && unicode.Is(script, r) }) {
				scripts++
			}
		}
		if scripts > 1 {
			return word
		}
	}
	return ""
}

// Disguised reports whether a text has invisible characters, or words with letters that look
// like others.
func Disguised(text string) bool { return len(hidden(text)) > 0 || mixed(text) != "" }

// wording is the first phrase that addresses a model rather than a person.
func wording(text string) string {
	folded := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	for _, phrase := range []string{"ignore previous", "ignore all previous", "ignore the above", "disregard previous", "disregard the above",
		"disregard all", "forget previous", "do not tell the user", "don't tell the user", "do not mention", "don't mention",
		"without telling the user", "hide this from", "never reveal", "do not inform", "<important>", "<system>", "</system>",
		"[system]", "system prompt", "you must first", "you must always", "before using any other tool", "before calling any other tool",
		"before you call", "instead of using", "instead of calling", "always call this tool", "always use this tool first",
		"~/.ssh", "id_rsa", ".aws/credentials", "private key", "new instructions", "override your", "you are now"} {
		if strings.Contains(folded, phrase) {
			return phrase
		}
	}
	return ""
}

// encoded is the start of the first long run of base64 that contains text.
func encoded(text string) string {
	const long = 64
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r > 0x7f || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+/=-_", r)
	}) {
		bare := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(word, "="))
		if len(bare) < long || !strings.ContainsAny(bare, "0123456789+/") || strings.ToLower(bare) == bare {
			continue
		}
		if _, err := base64.RawStdEncoding.DecodeString(bare[:len(bare)/4*4]); err == nil {
			return word[:32] + "…"
		}
	}
	return ""
}
