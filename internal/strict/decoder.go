package strict

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// decoders are those that have been used: what they hold besides the text is
// most of what a small one costs.
var decoders sync.Pool

// Decode lets read take tokens from the text. What read returns must not keep
// the decoder.
func Decode[T any](raw []byte, read func(d *jsontext.Decoder) (T, error), opts ...jsontext.Options) (T, error) {
	buf := bytes.NewBuffer(raw)
	d, _ := decoders.Get().(*jsontext.Decoder)
	if d == nil {
		d = jsontext.NewDecoder(buf, opts...)
	} else {
		d.Reset(buf, opts...)
	}
	v, err := read(d)
	if len(raw) <= 64<<10 { // it holds on to the text until it is used again
		decoders.Put(d)
	}
	return v, err
}
