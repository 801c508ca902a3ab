// Package plugins makes the files that hosts load into themselves, because they
// run no commands as hooks. They hand events to trammel-hook and act on its
// answer; the code for each host is in its dialect. A tool call without an
// answer, for whatever reason, is blocked; other events continue.
package plugins

import (
	_ "embed"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel/dialects"
)

// Owner is in the first line of each file, and marks it as ours.
const Owner = "trammel:owned"

//go:embed ask.js
var ask string

// Make is the file of a host: its own code, behind what calls trammel-hook.
// argv is the program with the arguments before the host's name, and calls has
// the time limit of each event. The same input gives the same bytes.
func Make(body string, argv []string, calls []dialects.Call) []byte {
	out := fmt.Appendf(nil, "// %s. Written by \"trammel init\"; changes are overwritten, \"trammel uninstall\" removes it.\n", Owner)
	out = append(out, "const HOOK = "...)
	// A path that is not UTF-8 has no JSON form; its replacement names no
	// program, so that every tool call is blocked.
	out = quoted(out, argv[0])
	out = append(out, ";\nconst ARGS = ["...)
	for i, arg := range argv[1:] {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = quoted(out, arg)
	}
	out = append(out, "];\nconst TIMEOUT = {"...)
	for i, c := range calls {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = fmt.Appendf(quoted(out, c.Name), ": %d", c.Timeout/time.Millisecond)
	}
	out = append(out, "};\n\n"...)
	return append(append(out, ask...), body...)
}

func quoted(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}
