package document

import (
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"
)

// JSON reads JSON, with comments and commas at the end if there are any.
func JSON(data []byte) (*Node, error) {
	data = []byte(strings.TrimPrefix(string(data), "\xEF\xBB\xBF"))
	if len(data) > largest {
		return nil, Wrong(1, "the file has more than %d bytes", largest)
	}
	plain, err := standard(data)
	if err != nil {
		return nil, err
	}
	// Comments have become blanks, so that lines stay.
	r := jsonReader{data: plain, dec: jsontext.NewDecoder(strings.NewReader(string(plain)))}
	n, err := r.value(0)
	if err == nil {
		if _, more := r.dec.ReadToken(); !errors.Is(more, io.EOF) {
			err = Wrong(lineAt(plain, int(r.dec.InputOffset())), "found something after the end")
		}
	}
	if err != nil {
		var p *Problem
		if !errors.As(err, &p) {
			p = Wrong(lineAt(plain, int(r.dec.InputOffset())), "%s", reason(err))
		}
		return nil, p
	}
	return n, nil
}

// Settings reads JSON that is a mapping.
func Settings(data []byte) (*Node, error) {
	root, err := JSON(data)
	if err == nil {
		err = root.Want("the file", Map)
	}
	return root, err
}

// standard is the same without comments. The library is recursive and has no
// bound of its own.
func standard(data []byte) ([]byte, error) {
	depth := 0
	for i, c := range data {
		switch c {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth > 100*deepest {
			return nil, Wrong(lineAt(data, i), "it nests too deeply")
		}
	}
	plain, err := hujson.Standardize(data)
	if err == nil {
		return plain, nil
	}
	_, text, _ := strings.Cut(err.Error(), "hujson: ")
	line := 1
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		for _, c := range rest {
			if c < '0' || c > '9' {
				break
			}
			if line == 1 {
				line = 0
			}
			line = line*10 + int(c-'0')
		}
		_, text, _ = strings.Cut(text, ": ")
	}
	return nil, Wrong(line, "this is not JSON: %s", text)
}

func reason(err error) string {
	text := err.Error()
	return "this is not JSON: " + strings.TrimPrefix(text, "jsontext: ")
}

type jsonReader struct {
	data []byte
	dec  *jsontext.Decoder
}

func (r *jsonReader) value(depth int) (*Node, error) {
	if depth > deepest {
		return nil, Wrong(lineAt(r.data, int(r.dec.InputOffset())), "it nests more than %d levels deep", deepest)
	}
	tok, err := r.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	n := &Node{Line: lineAt(r.data, int(r.dec.InputOffset()))}
	switch tok.Kind() {
	case 'n':
	case 't', 'f':
		n.Kind, n.Text = Bool, tok.String()
	case '"':
		n.Kind, n.Text = Text, tok.String()
	case '0':
		n.Kind, n.Text = Number, tok.String()
	case '[':
		n.Kind = List
		for r.dec.PeekKind() != ']' {
			item, err := r.value(depth + 1)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, item)
		}
		_, err = r.dec.ReadToken()
	case '{':
		n.Kind = Map
		for r.dec.PeekKind() != '}' {
			key, err := r.dec.ReadToken()
			if err != nil {
				return nil, err
			}
			name, line := key.String(), lineAt(r.data, int(r.dec.InputOffset()))
			value, err := r.value(depth + 1)
			if err != nil {
				return nil, err
			}
			n.Members = append(n.Members, Member{name, line, value})
		}
		_, err = r.dec.ReadToken()
	}
	return n, err
}
