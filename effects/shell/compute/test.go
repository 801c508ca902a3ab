package compute

import (
	"strconv"
	"strings"
)

// Test is the outcome of test with these words, as far as it is known.
func Test(words []string) (holds, known bool) {
	switch len(words) {
	case 0:
		return false, true
	case 1:
		return words[0] != "", true
	case 2:
		switch words[0] {
		case "-n":
			return words[1] != "", true
		case "-z":
			return words[1] == "", true
		case "!":
			holds, known = Test(words[1:])
			return !holds, known
		}
	case 3:
		return Compare(words[0], words[1], words[2])
	}
	return false, false
}

// Compare is the outcome of a comparison, as far as it is known.
func Compare(x, op, y string) (holds, known bool) {
	switch op {
	case "=", "==":
		return x == y, !strings.ContainsAny(y, "*?[")
	case "!=":
		return x != y, !strings.ContainsAny(y, "*?[")
	}
	a, err := strconv.Atoi(x)
	b, err2 := strconv.Atoi(y)
	if err != nil || err2 != nil {
		return false, false
	}
	switch op {
	case "-eq":
		return a == b, true
	case "-ne":
		return a != b, true
	case "-lt":
		return a < b, true
	case "-le":
		return a <= b, true
	case "-gt":
		return a > b, true
	case "-ge":
		return a >= b, true
	}
	return false, false
}
