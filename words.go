package trammel

import "fmt"

// wordOf is the word for a value, or its number where there is none.
func wordOf[T ~uint8](words []string, what string, v T) string {
	if int(v) < len(words) {
		return words[v]
	}
	return fmt.Sprintf("%s(%d)", what, uint8(v))
}

// parseWord finds the value of a word. Those before first are not for people to
// write.
func parseWord[T ~uint8](words []string, first int, what, s, expected string) (T, error) {
	for i := first; i < len(words); i++ {
		if words[i] == s {
			return T(i), nil
		}
	}
	return 0, fmt.Errorf("unknown %s %q, expected %s", what, s, expected)
}
