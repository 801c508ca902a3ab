package compute

import (
	"strconv"
	"strings"
)

// Integer reads 12, 0x1f, 017 and 16#ff.
func Integer(text string) (int, bool) {
	if base, digits, ok := strings.Cut(text, "#"); ok {
		b, err := strconv.Atoi(base)
		if err != nil || b < 2 || b > 36 {
			return 0, false
		}
		n, err := strconv.ParseInt(digits, b, 64)
		return int(n), err == nil
	}
	if strings.ContainsAny(text, "_bBoO") {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 0, 64)
	return int(n), err == nil
}

// Calculate is an operation of arithmetic; ok is whether both sides are known.
func Calculate(op string, a, b int, ok bool) (int, bool) {
	is := func(v bool) (int, bool) {
		if v {
			return 1, ok
		}
		return 0, ok
	}
	if !ok {
		return 0, false
	}
	switch op {
	case "+":
		return a + b, true
	case "-":
		return a - b, true
	case "*":
		return a * b, true
	case "/", "%":
		if b == 0 || b == -1 && a == -1<<63 {
			return 0, false
		}
		if op == "/" {
			return a / b, true
		}
		return a % b, true
	case "<<":
		return a << (uint(b) & 63), true
	case ">>":
		return a >> (uint(b) & 63), true
	case "&":
		return a & b, true
	case "|":
		return a | b, true
	case "^":
		return a ^ b, true
	case "**":
		n := 1
		if b < 0 || b > 64 {
			return 0, false
		}
		for range b {
			n *= a
		}
		return n, true
	case "==":
		return is(a == b)
	case "!=":
		return is(a != b)
	case "<":
		return is(a < b)
	case ">":
		return is(a > b)
	case "<=":
		return is(a <= b)
	case ">=":
		return is(a >= b)
	case "&&":
		return is(a != 0 && b != 0)
	case "||":
		return is(a != 0 || b != 0)
	}
	return 0, false
}
