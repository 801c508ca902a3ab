package outputguard

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/names"
	"github.com/trammel-dev/trammel/effects/shell/compute"
)

// escapes makes control sequences for terminals visible: links whose text is not
// their address, titles, the clipboard, concealed text. Colors and the cursor
// movements of progress bars stay.
func (r *review) escapes(output string) string {
	if strings.IndexByte(output, 0x1b) < 0 {
		return output
	}
	var out strings.Builder
	link := ""
	for rest := output; ; {
		text, after, ok := strings.Cut(rest, "\x1b")
		out.WriteString(text)
		if !ok {
			return out.String()
		}
		switch {
		case strings.HasPrefix(after, "]"), strings.HasPrefix(after, "P"), strings.HasPrefix(after, "_"), strings.HasPrefix(after, "^"):
			command, behind := sequence(after[1:])
			rest = behind
			address, isLink := strings.CutPrefix(command, "8;")
			if _, address, _ = strings.Cut(address, ";"); isLink && address == "" && link != "" {
				out.WriteString(" (" + link + ")")
				link = ""
				continue
			}
			if link = ""; isLink {
				link = address
			}
			r.found("escape_in_output", command, "commands for a terminal in it, which were taken out")
		case strings.HasPrefix(after, "[8m"):
			r.found("escape_in_output", "concealed text", "commands for a terminal in it, which were taken out")
			rest = after[len("[8m"):]
		default:
			out.WriteByte(0x1b)
			rest = after
		}
	}
}

// sequence splits a terminal command from the text after it. A command without an
// end extends to the end of its line.
func sequence(text string) (command, rest string) {
	end := strings.IndexAny(text, "\a\n\x1b")
	switch {
	case end < 0:
		return text, ""
	case text[end] == '\n':
		return text[:end], text[end:]
	case text[end] == 0x1b && strings.HasPrefix(text[end+1:], `\`):
		return text[:end], text[end+2:]
	case text[end] == 0x1b:
		return text[:end], text[end:]
	}
	return text[:end], text[end+1:]
}

// least is the minimum length of encoded text that could contain a message.
const least = 40

// encoded removes base64 that contains instructions to the model.
func (r *review) encoded(output string) string {
	var out strings.Builder
	from := 0
	for i := 0; i < len(output); i++ {
		start := i
		for i < len(output) && inBase64(output[i]) {
			i++
		}
		if i-start < least {
			continue
		}
		text, ok := compute.Base64(output[start:i])
		if !ok || !r.instructs(names.Plain(text)) {
			continue
		}
		r.found("instructions_in_output", text, "text that is addressed to you")
		out.WriteString(output[from:start] + "[encoded text that is addressed to the model was left out here]")
		from = i
	}
	if from == 0 {
		return output
	}
	return out.String() + output[from:]
}

func inBase64(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '='
}
