package pin_test

import (
	"bufio"
	"fmt"
	"io"
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
