// Package pin remembers what the tools, prompts, templates and instructions of
// an MCP server looked like when they were accepted, and holds back what has
// changed since (MCP-50 to 55).
//
// watch := &pin.Watch{Store: pin.Store{State: state}, Server: pin.Command("github", argv),
// Program: pin.Program(argv, exec.LookPath), Options: pin.Options{Mode: pin.FirstUse}}
//
//	verdicts, err := watch.Listed(ctx, pin.Tool, objects, last) // for each page of a list
//	verdict, err := watch.Called(ctx, pin.Tool, "read_file")    // for each call
//
// An error means that the pins are unknown: the caller must deny. A pin is the
// digest of the whole object, so no change in it goes unnoticed.
package pin

import (
	"errors"
	"fmt"

	"github.com/trammel-dev/trammel/internal/canonical"
)

// Kind is what is pinned.
type Kind string

// The kinds. Instructions are one text, whose object is {"instructions": …}
// and whose name is empty.
const (
	Tool         Kind = "tool"
	Prompt       Kind = "prompt"
	Template     Kind = "template"
	Instructions Kind = "instructions"
)

// Mode says what happens to what is not pinned.
type Mode string

// Observe holds nothing back. FirstUse accepts a server that is seen for the
// first time, and is the default. Strict offers only what is pinned.
const (
	Observe  Mode = "observe"
	FirstUse Mode = "tofu"
	Strict   Mode = "strict"
)

// Version says how pins are computed. Pins of different versions are never
// compared.
const Version = "trammel-mcp-pin-v1"

// ErrUnusable says that the pins cannot be read, or have another version.
var ErrUnusable = errors.New("the pins cannot be used")

// Of is the pin of an object, "" if it has no canonical form.
func Of(server string, kind Kind, object map[string]any) string {
	return canonical.DigestOf([]any{Version, server, string(kind), object})
}

// Partial is the digest that the policy mcp-guard pins: only of the
// description and the schema of the input.
func Partial(object map[string]any) string {
	return canonical.DigestOf(map[string]any{"description": object["description"], "input_schema": object["inputSchema"]})
}

// Name is what an object is called: templates are known by their pattern.
func Name(kind Kind, object map[string]any) string {
	key := "name"
	switch kind {
	case Template:
		key = "uriTemplate"
	case Instructions:
		return ""
	}
	name, _ := object[key].(string)
	return name
}

func unusable(err error) error { return fmt.Errorf("%w: %w", ErrUnusable, err) }
