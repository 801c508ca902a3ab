package compute

import "strings"

// IsExpansion reports whether a text is nothing but one expansion.
func IsExpansion(text string) bool {
	switch {
	case strings.HasPrefix(text, "$(") && strings.HasSuffix(text, ")"):
		return strings.Count(text, "$(") == 1
	case strings.HasPrefix(text, "`") && strings.HasSuffix(text, "`"):
		return strings.Count(text, "`") == 2
	}
	return strings.HasPrefix(text, "$") && !strings.ContainsAny(text[1:], " \t\n;|&$")
}
