package store

import (
	"strconv"
	"time"
)

// Time is a time as stored: microseconds, in UTC. The zero value is no time.
type Time struct{ time.Time }

// At is t as stored.
func At(t time.Time) Time {
	if t.IsZero() {
		return Time{}
	}
	return Time{time.UnixMicro(t.UnixMicro()).UTC()}
}

// Micros is the stored number: 0 for no time.
func (t Time) Micros() int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// FromMicros is the time of a stored number.
func FromMicros(n int64) Time {
	if n == 0 {
		return Time{}
	}
	return Time{time.UnixMicro(n).UTC()}
}

// MarshalJSON writes RFC 3339, or null for no time.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return strconv.AppendQuote(nil, t.Format("2006-01-02T15:04:05.000000Z")), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *Time) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*t = Time{}
		return nil
	}
	var in time.Time
	if err := in.UnmarshalJSON(data); err != nil {
		return err
	}
	*t = At(in)
	return nil
}
