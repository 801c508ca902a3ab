package languages

import "strings"

// prints notes the plain texts that inline code writes to standard output,
// where somebody reads that: what is printed into a shell is code.
func prints(tokens []token, h Host) {
	var b strings.Builder
	for i := 0; i+1 < len(tokens) && b.Len() < maxStream; i++ {
		if tokens[i].kind != nameToken || !printsText(tokens[i].text) {
			continue
		}
		from := b.Len()
		for i++; i < len(tokens); i++ {
			t := &tokens[i]
			if t.kind == textToken && t.parts == nil {
				if b.Len() > from {
					b.WriteByte(' ')
				}
				b.WriteString(strings.TrimSuffix(t.text, "%s"))
			} else if !t.is("(") && !t.is(",") {
				break
			}
		}
		if i--; b.Len() > from {
			b.WriteByte('\n')
		}
	}
	if b.Len() > 0 {
		h.Printed(b.String())
	}
}

func printsText(name string) bool {
	switch name {
	case "print", "printf", "puts", "say", "echo", "log", "write", "info":
		return true
	}
	return false
}
