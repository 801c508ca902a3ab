package option

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Duration is a span of time, written as 500ms, 5s, 2m or 1h.
type Duration time.Duration

func (d *Duration) parse(text string) error {
	v, err := time.ParseDuration(text)
	if err != nil || v < 0 {
		return fmt.Errorf("not a duration: %q", text)
	}
	*d = Duration(v)
	return nil
}

func (*Duration) wants() string { return "a duration such as 500ms, 5s or 2m" }

func (d Duration) String() string {
	text := time.Duration(d).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// MarshalText writes it as it is read.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads it, for readers that go by that.
func (d *Duration) UnmarshalText(text []byte) error { return d.parse(string(text)) }

var sizeUnits = [...]struct {
	suffix string
	bytes  Size
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}, {"", 1}}

// Size is a number of bytes, written as 64KiB, 1MiB or a plain number.
type Size int64

func (s *Size) parse(text string) error {
	for _, u := range sizeUnits {
		digits, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 63)
		if err != nil || Size(n) > math.MaxInt64/u.bytes {
			break
		}
		*s = Size(n) * u.bytes
		return nil
	}
	return fmt.Errorf("not a size: %q", text)
}

func (*Size) wants() string { return "a size such as 64KiB, 1MiB or a number of bytes" }

func (s Size) String() string {
	for _, u := range sizeUnits[:3] {
		if s >= u.bytes && s%u.bytes == 0 {
			return strconv.FormatInt(int64(s/u.bytes), 10) + u.suffix
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

// MarshalText writes it as it is read.
func (s Size) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads it, for readers that go by that.
func (s *Size) UnmarshalText(text []byte) error { return s.parse(string(text)) }
