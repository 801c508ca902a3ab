package frame

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Kind is what a message is.
type Kind uint8

// The kinds of messages.
const (
	Request Kind = iota + 1
	Notification
	Response
)

// Message is one message of JSON-RPC.
type Message struct {
	Kind   Kind
	Raw    []byte // as it came
	ID     string // its JSON, as it came; "" if there is none
	Method string
	// Params are those of a request or notification, Result and Error what a
	// response has. Objects, as strict.Object reads them.
	Params map[string]any
	Result map[string]any
	Error  map[string]any

	whole  map[string]any
	digest func() string
}

// Large is the size above which events do not hold a message's bytes, only their digest.
const Large = 256 << 10

// Digest is the digest of the message's bytes. For large messages it is
// computed while the message is read.
func (m *Message) Digest() string { return m.digest() }

// digesting computes the digest of raw: now and in the background if it is
// large, otherwise when it is asked for.
func digesting(raw []byte) func() string {
	if len(raw) <= Large {
		return func() string { return canonical.Digest(raw) }
	}
	sum := make(chan string, 1)
	go func() { sum <- canonical.Digest(raw) }()
	return sync.OnceValue(func() string { return <-sum })
}

// The codes of JSON-RPC's own errors.
const (
	ParseError     = -32700
	InvalidRequest = -32600
	MethodNotFound = -32601
	InvalidParams  = -32602
	InternalError  = -32603
	ServerGone     = -32000
)

// Refused is the error for a text that is not a message, or that two readers
// could understand differently.
type Refused struct {
	Code int
	Why  string
	ID   string // of the request, if known
}

func (e *Refused) Error() string { return e.Why }

var envelope = []string{"jsonrpc", "id", "method", "params", "result", "error"}

// Parse reads one message. The error is a *Refused.
func Parse(raw []byte) (*Message, error) {
	digest := digesting(raw)
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		code := ParseError
		if jsontext.Value(raw).IsValid(jsontext.AllowDuplicateNames(true)) {
			code = InvalidRequest
		}
		return nil, &Refused{code, err.Error(), PeekID(raw)}
	}
	m := &Message{Raw: raw, whole: obj, digest: digest}
	if err := m.read(obj); err != nil {
		return nil, &Refused{InvalidRequest, err.Error(), PeekID(raw)}
	}
	return m, nil
}

func (m *Message) read(obj map[string]any) error {
	if err := strict.CaseVariant(obj, envelope...); err != nil {
		return err
	}
	if obj["jsonrpc"] != "2.0" {
		return errors.New(`"jsonrpc" is not "2.0"`)
	}
	method, named := obj["method"]
	_, hasID := obj["id"]
	_, result := obj["result"]
	_, failed := obj["error"]
	if hasID {
		if m.ID = peekID(m.Raw, true); m.ID == "" {
			return errors.New("the id is neither a string nor a number")
		}
	}
	switch {
	case named && (result || failed), !named && result == failed:
		return errors.New("found neither a request nor a response")
	case named:
		return m.readCall(method, obj, hasID)
	case !hasID:
		return errors.New("found a response without an id")
	}
	m.Kind = Response
	var ok bool
	if m.Result, ok = obj["result"].(map[string]any); result && !ok {
		return errors.New("the result is not an object")
	}
	if m.Error, ok = obj["error"].(map[string]any); failed && !ok {
		return errors.New("the error is not an object")
	}
	return nil
}

func (m *Message) readCall(method any, obj map[string]any, hasID bool) error {
	var ok bool
	if m.Method, ok = method.(string); !ok || m.Method == "" {
		return errors.New("the method is not a name")
	}
	m.Kind = Notification
	if hasID {
		if m.Kind = Request; m.ID == "null" {
			return errors.New("the id of a request is null")
		}
	}
	params, there := obj["params"]
	if m.Params, ok = params.(map[string]any); there && !ok {
		return errors.New("the params are not an object")
	}
	return nil
}

// Key identifies an id, however its text is written.
func Key(id string) string {
	obj, err := strict.Object([]byte(`{"v":`+id+`}`), strict.Limits{})
	if err != nil {
		return id
	}
	return KeyOf(obj["v"])
}

// KeyOf is the key of an id that was decoded as a value: its canonical form.
func KeyOf(id any) string {
	out, err := canonical.Append(nil, id)
	if err != nil {
		return ""
	}
	return string(out)
}

// IsBatch reports whether a text is a list.
func IsBatch(raw []byte) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return len(raw) > 0 && raw[0] == '['
}

// maxBatch is how many messages one batch may have.
const maxBatch = 1000

// ParseBatch reads the messages of a batch. One that cannot be read refuses all.
func ParseBatch(raw []byte) ([]*Message, error) {
	refused := func(code int, why string) ([]*Message, error) { return nil, &Refused{code, why, "null"} }
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.ReadToken(); err != nil {
		return refused(ParseError, err.Error())
	}
	var out []*Message
	for dec.PeekKind() == '{' {
		value, err := dec.ReadValue()
		if err != nil {
			return refused(ParseError, err.Error())
		}
		m, err := Parse(bytes.Clone(value))
		if err != nil {
			return refused(InvalidRequest, err.Error())
		}
		if out = append(out, m); len(out) > maxBatch {
			return refused(InvalidRequest, "the batch has more than "+strconv.Itoa(maxBatch)+" messages")
		}
	}
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != ']' || len(out) == 0 {
		return refused(InvalidRequest, "the batch is empty, or has an entry that is not an object")
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return refused(ParseError, "found something after the batch")
	}
	return out, nil
}

// With returns the message with another value for a top-level key; everything
// else keeps its bytes. Do not change values of m itself for this.
func (m *Message) With(key string, value map[string]any) ([]byte, error) {
	if old, ok := m.whole[key].(map[string]any); ok && reflect.ValueOf(old).Pointer() == reflect.ValueOf(value).Pointer() {
		return m.Raw, nil // unchanged
	}
	whole := make(map[string]any, len(m.whole))
	for k, v := range m.whole {
		whole[k] = v
	}
	whole[key] = value
	return Rewrite(m.Raw, whole)
}
