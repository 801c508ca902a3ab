// Package plugins makes the files that hosts load into themselves, because they
// run no commands as hooks: a plugin for opencode and an extension for pi. Both
// hand events to trammel-hook and act on its answer; dialects/opencode and
// dialects/pi say in which words. A tool call for which there is no answer, for
// whatever reason, is blocked; other events go on.
package plugins

import (
	_ "embed"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Owner is what the first line of each file holds, and by which a file is known
// as ours.
const Owner = "trammel:owned"

// timeout is how long a file waits for an answer: as long as the dialects say.
const timeout = 30 * time.Second

var (
	//go:embed ask.js
	ask string
	//go:embed opencode.js
	opencodeBody string
	//go:embed pi.js
	piBody string
)

// OpenCode is the plugin for opencode. hook is the absolute path of
// trammel-hook. The same path gives the same bytes.
func OpenCode(hook string) []byte { return fill(opencodeBody, hook, timeout) }

// Pi is the extension for pi. hook is the absolute path of trammel-hook. The
// same path gives the same bytes.
func Pi(hook string) []byte { return fill(piBody, hook, timeout) }

func fill(body, hook string, wait time.Duration) []byte {
	// A path that is not UTF-8 has no JSON form; what stands in its place names
	// no program, so that every tool call is blocked.
	quoted, _ := jsontext.AppendQuote(nil, hook)
	out := fmt.Appendf(nil, "// %s. Written by \"trammel init\"; changes are overwritten, \"trammel uninstall\" removes it.\n", Owner)
	out = fmt.Appendf(out, "const HOOK = %s;\nconst TIMEOUT = %d;\n\n", quoted, wait.Milliseconds())
	return append(append(out, ask...), body...)
}
