package sse

import "bytes"

// Raw is the unchanged bytes of the event.
func (e *Event) Raw() []byte { return bytes.Join(e.lines, nil) }

// Data is the joined data lines of the event.
func (e *Event) Data() []byte {
	var parts [][]byte
	for _, line := range e.lines {
		if name, value := field(line); name == "data" {
			parts = append(parts, value)
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return bytes.Join(parts, []byte("\n"))
}

// ID is the event's id, and whether it has one.
func (e *Event) ID() (id string, ok bool) { return e.last("id") }

// Type is the event's type; "" is a message.
func (e *Event) Type() string {
	t, _ := e.last("event")
	return t
}

// Retry is how long the server wants a client to wait before it reconnects, in
// milliseconds, as written in the event.
func (e *Event) Retry() string {
	ms, _ := e.last("retry")
	return ms
}

func (e *Event) last(want string) (found string, ok bool) {
	for _, line := range e.lines {
		if name, value := field(line); name == want {
			found, ok = string(value), true
		}
	}
	return found, ok
}

// With is the event with other data; nil removes the data, but the id still
// counts. Everything else stays.
func (e *Event) With(data []byte) []byte {
	var out []byte
	for _, line := range e.lines {
		if name, _ := field(line); name != "data" {
			if len(text(line)) == 0 { // the end of the event
				out = appendData(out, data)
				data = nil
			}
			out = append(out, line...)
		}
	}
	return out
}

// Append appends an event that has only data. Line endings in JSON are white
// space; each line becomes a data line.
func Append(out, data []byte) []byte { return append(appendData(out, data), '\n') }

func appendData(out, data []byte) []byte {
	if data == nil {
		return out
	}
	data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		out = append(append(append(out, "data: "...), line...), '\n')
	}
	return out
}

// field is what a line sets; the name of a comment is "".
func field(line []byte) (name string, value []byte) {
	before, value, _ := bytes.Cut(text(line), []byte(":"))
	return string(before), bytes.TrimPrefix(value, []byte(" "))
}
