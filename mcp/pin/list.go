package pin

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/version"
)

// List asks a server on a stream of lines for everything it offers. No SDK is
// used here: it would drop fields that it does not know.
func List(in io.Writer, out io.Reader) (Offered, error) {
	c := &conversation{in: in, out: bufio.NewReaderSize(out, 64<<10)}
	hello, err := c.ask("initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "trammel", "version": version.Version}})
	if err != nil {
		return nil, err
	}
	if err := c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}); err != nil {
		return nil, err
	}
	offered := Offered{}
	if text, _ := hello["instructions"].(string); text != "" {
		offered[Instructions] = []map[string]any{{"instructions": text}}
	}
	can, _ := hello["capabilities"].(map[string]any)
	for _, list := range []struct {
		kind                    Kind
		capability, method, key string
	}{{Tool, "tools", "tools/list", "tools"}, {Prompt, "prompts", "prompts/list", "prompts"},
		{Template, "resources", "resources/templates/list", "resourceTemplates"}} {
		if can[list.capability] == nil {
			continue
		}
		if offered[list.kind], err = c.pages(list.method, list.key); err != nil {
			return nil, err
		}
	}
	return offered, nil
}

// Limits on what is read from a server.
const (
	maxPages = 1000
	maxLine  = 64 << 20
	maxNoise = 10_000 // lines that are not the answer
)

type conversation struct {
	in  io.Writer
	out *bufio.Reader
	id  int64
}

func (c *conversation) send(message map[string]any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = c.in.Write(append(data, '\n'))
	return err
}

// pages reads a list to its end.
func (c *conversation) pages(method, key string) (all []map[string]any, err error) {
	params := map[string]any{}
	for range maxPages {
		page, err := c.ask(method, params)
		if err != nil {
			return nil, err
		}
		list, _ := page[key].([]any)
		for _, e := range list {
			object, ok := e.(map[string]any)
			if !ok {
				return nil, fmt.Errorf("%s: an entry is not an object", method)
			}
			all = append(all, object)
		}
		next, _ := page["nextCursor"].(string)
		if next == "" {
			return all, nil
		}
		params["cursor"] = next
	}
	return nil, fmt.Errorf("%s: the list has more than %d pages", method, maxPages)
}

// ask sends a request and waits for its answer. Other messages of the server
// are ignored.
func (c *conversation) ask(method string, params map[string]any) (map[string]any, error) {
	c.id++
	if err := c.send(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for range maxNoise {
		line, err := c.line()
		if err != nil {
			return nil, fmt.Errorf("%s: the server did not answer: %w", method, err)
		}
		message, err := strict.Object(line, strict.Limits{})
		if err != nil || message["id"] != c.id || message["method"] != nil {
			continue
		}
		if wrong := message["error"]; wrong != nil {
			return nil, fmt.Errorf("%s: the server answered with an error: %v", method, wrong)
		}
		result, ok := message["result"].(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s: the result is not an object", method)
		}
		return result, nil
	}
	return nil, fmt.Errorf("%s: the server did not answer within %d lines", method, maxNoise)
}

func (c *conversation) line() ([]byte, error) {
	var whole []byte
	for {
		part, err := c.out.ReadSlice('\n')
		whole = append(whole, part...)
		switch {
		case len(whole) > maxLine:
			return nil, fmt.Errorf("a line has more than %d bytes", maxLine)
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return nil, err
		default:
			return bytes.TrimSpace(whole), nil
		}
	}
}
