package conformance

import (
	"bytes"
	"fmt"
	"strings"
)

// Spoil is a way in which a payload is damaged, by accident or on purpose.
type Spoil struct {
	name  string
	apply func([]byte) []byte
}

var spoils = map[string]func([]byte) []byte{
	// truncated: the pipe broke in the middle.
	"truncated": func(raw []byte) []byte { return raw[:len(raw)/2] },
	// empty: nothing came at all.
	"empty": func([]byte) []byte { return nil },
	// duplicate: every key stands twice; parsers differ in which of the two
	// they take.
	"duplicate": func(raw []byte) []byte {
		inner := raw[1 : len(raw)-1]
		return fmt.Appendf(nil, "{%s,%s}", inner, inner)
	},
	// oversize: more than the fixture's policy judges.
	"oversize": func(raw []byte) []byte {
		return append([]byte(strings.Repeat(" ", 1<<20)), raw...)
	},
	// binary: bytes that are not text.
	"binary": func(raw []byte) []byte {
		return bytes.Replace(raw, []byte(`:"`), []byte(":\"\xff\xfe"), 1)
	},
	// trailing: a second object after the first.
	"trailing": func(raw []byte) []byte { return append(raw[:len(raw):len(raw)], "{}"...) },
}

// UnmarshalText finds the damage by its name.
func (s *Spoil) UnmarshalText(text []byte) error {
	s.name = string(text)
	s.apply = spoils[s.name]
	return nil
}

func (s Spoil) on(raw []byte) []byte {
	if s.apply == nil {
		return raw
	}
	return s.apply(raw)
}
