package strict

import (
	"strconv"

	"github.com/trammel-dev/trammel/internal/canonical"
)

// Writer writes JSON with its keys in the order in which they are given,
// because replies to hosts are compared byte for byte. It writes the commas
// itself. The zero Writer is ready to use.
type Writer struct {
	buf []byte
	err error
}

// Open begins an object, Close ends it.
func (w *Writer) Open() { w.next(); w.buf = append(w.buf, '{') }

// Close ends an object.
func (w *Writer) Close() { w.buf = append(w.buf, '}') }

// OpenList begins a list, CloseList ends it.
func (w *Writer) OpenList() { w.next(); w.buf = append(w.buf, '[') }

// CloseList ends a list.
func (w *Writer) CloseList() { w.buf = append(w.buf, ']') }

// Key begins a field; its value has to follow.
func (w *Writer) Key(key string) {
	w.next()
	w.buf = append(canonical.AppendString(w.buf, key), ':')
}

// String writes a string.
func (w *Writer) String(s string) { w.next(); w.buf = canonical.AppendString(w.buf, s) }

// Bool writes a boolean.
func (w *Writer) Bool(b bool) { w.next(); w.buf = strconv.AppendBool(w.buf, b) }

// Raw writes JSON that is known to be whole.
func (w *Writer) Raw(json []byte) { w.next(); w.buf = append(w.buf, json...) }

// Value writes a value in its canonical form. A value that has none is
// remembered and returned by Err; null stands in its place.
func (w *Writer) Value(v any) {
	w.next()
	at := len(w.buf)
	buf, err := canonical.Append(w.buf, v)
	if err != nil {
		buf = append(buf[:at], "null"...)
		w.Fail(err)
	}
	w.buf = buf
}

// Any writes a field with a value in its canonical form.
func (w *Writer) Any(key string, v any) {
	w.Key(key)
	w.Value(v)
}

// Text writes a field with a string, unless it is empty.
func (w *Writer) Text(key, s string) {
	if s != "" {
		w.Key(key)
		w.String(s)
	}
}

// Texts writes fields with strings, each after its key, but for the empty ones.
func (w *Writer) Texts(pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		w.Text(pairs[i], pairs[i+1])
	}
}

// Part writes a field with an object, whose fields write writes.
func (w *Writer) Part(key string, write func()) {
	w.Key(key)
	w.Open()
	write()
	w.Close()
}

// Each writes a field with a list of objects, one for each element, unless there is none.
func Each[T any](w *Writer, key string, list []T, write func(T)) {
	if len(list) == 0 {
		return
	}
	w.Key(key)
	w.OpenList()
	for _, e := range list {
		w.Open()
		write(e)
		w.Close()
	}
	w.CloseList()
}

// Flag writes a field with true, unless b is false.
func (w *Writer) Flag(key string, b bool) {
	if b {
		w.Any(key, true)
	}
}

// Number writes a field with an integer, unless it is 0.
func (w *Writer) Number(key string, n int64) {
	if n != 0 {
		w.Any(key, n)
	}
}

// List writes a field with a list of strings, unless it is empty.
func (w *Writer) List(key string, list []string) {
	if len(list) > 0 {
		w.Any(key, list)
	}
}

// Map writes a field with an object, unless it is nil.
func (w *Writer) Map(key string, m map[string]any) {
	if m != nil {
		w.Any(key, m)
	}
}

// Bytes returns what has been written.
func (w *Writer) Bytes() []byte { return w.buf }

// Line ends the object and returns it as a line.
func (w *Writer) Line() ([]byte, error) {
	w.Close()
	return append(w.buf, '\n'), w.err
}

// Fail remembers an error, if it is one and the first.
func (w *Writer) Fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Err returns why a value could not be written, if one could not.
func (w *Writer) Err() error { return w.err }

// next writes the comma between what is written and what comes.
func (w *Writer) next() {
	if n := len(w.buf); n > 0 {
		switch w.buf[n-1] {
		case '{', '[', ':':
		default:
			w.buf = append(w.buf, ',')
		}
	}
}
