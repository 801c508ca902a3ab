package pin_test

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/mcp/pin"
)

// MCP-53: a server is asked for all of its lists, page by page, also one that
// talks between its answers; a lock tells what has changed.
func TestListAndLock(t *testing.T) {
	offered := func(title string) map[string]string {
		fromUs, in := io.Pipe()
		out, toUs := io.Pipe()
		go func() {
			lines := bufio.NewScanner(fromUs)
			for lines.Scan() {
				answer := ""
				switch line := lines.Text(); {
				case strings.Contains(line, `"initialize"`):
					answer = `{"capabilities":{"tools":{}},"instructions":"Be kind."}`
				case strings.Contains(line, `"cursor":"2"`):
					answer = `{"tools":[{"name":"b","title":"` + title + `"}]}`
				case strings.Contains(line, `tools/list`):
					answer = `{"tools":[{"name":"a","unheard":{"of":1}}],"nextCursor":"2"}`
				default:
					continue
				}
				id := lines.Text()[strings.Index(lines.Text(), `"id":`)+5:]
				id = id[:strings.IndexAny(id, ",}")]
				fmt.Fprintf(toUs, "noise\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", id,
					answer)
			}
		}()
		got, err := pin.List(in, out)
		if err != nil {
			t.Fatal(err)
		}
		return got.Pins("s")
	}
	first := offered("B")
	if len(first) != 3 || first["tool/a"] != pin.Of("s", pin.Tool, object(t, `{"name":"a","unheard":{"of":1}}`)) {
		t.Errorf("%v", first)
	}
	if differ := pin.Compare(first, offered("B")); differ != nil {
		t.Error(differ)
	}
	now := offered("C")
	delete(now, "instructions/")
	now["tool/c"] = "x"
	if got := strings.Join(pin.Compare(first, now), ", "); got != "changed: tool/b, new: tool/c, gone: instructions/" {
		t.Error(got)
	}
}

// What is offered twice under a name, or has no canonical form, is never unchanged;
// and a lock that could be read in two ways is not read.
func TestLocksThatSayNothing(t *testing.T) {
	pins := func(texts ...string) map[string]string { return pin.Offered{pin.Tool: objects(t, texts...)}.Pins("s") }
	one, two := pins(`{"name":"a"}`), pins(`{"name":"a","description":"Another."}`, `{"name":"a"}`)
	endless := pin.Offered{pin.Tool: {{"name": "a", "x": math.Inf(1)}}}.Pins("s")
	for name, c := range map[string]struct {
		locked, now map[string]string
		want        string
	}{
		"the same":          {one, one, ""},
		"the same, twice":   {one, pins(`{"name":"a"}`, `{"name":"a"}`), ""},
		"two of a name":     {one, two, "changed: tool/a"},
		"locked as two":     {two, two, "changed: tool/a"},
		"no canonical form": {endless, endless, "changed: tool/a"},
		"nothing":           {nil, nil, ""},
	} {
		if got := strings.Join(pin.Compare(c.locked, c.now), ", "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for text, ok := range map[string]bool{
		`{"version":"` + pin.Version + `","servers":{}}`:   true,
		`{"version":"` + pin.Version + `"}`:                false,
		`{"version":"` + pin.Version + `","servers":null}`: false,
		`{"servers":{}}`:              false,
		`{"version":"","servers":{}}`: false,
		`{"version":"` + pin.Version + `","servers":{},"servers":{}}`: false,
		`{"version":"` + pin.Version + `","servers":{},"server":{}}`:  false,
		"":     false,
		"null": false,
	} {
		if _, err := pin.ReadLock([]byte(text)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}
