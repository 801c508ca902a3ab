// Package callkey identifies a call by what it does: the tool, its exact
// arguments, and where it is made. Two calls have the same key only if they are
// the same.
package callkey

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trammel-dev/trammel/internal/canonical"
)

// domain separates our digests from all others.
const domain = "trammel-approval-v1"

// Args is the canonical form of a call's arguments (RFC 8785).
func Args(input map[string]any) ([]byte, error) {
	if input == nil {
		input = map[string]any{}
	}
	args, err := canonical.Append(nil, input)
	if err == nil && !valid(input) { // or two calls would look the same
		err = errors.New("some text in them is not UTF-8")
	}
	if err != nil {
		return nil, fmt.Errorf("the arguments have no canonical form: %w", err)
	}
	return args, nil
}

// Call is a call, with its arguments in canonical form. Without a policy, its
// digest is the call's key.
type Call struct {
	Tool          string
	Args          []byte
	Project, Dir  string
	Agent, Policy string
}

// Digest identifies the call. The parts are a JSON array, so that no two calls
// are written the same way. A directory other than the project's counts, because
// a relative path or a command means something else there; a tool of an MCP server
// runs where the server was started, wherever the agent is.
func (c *Call) Digest() string {
	all := fmt.Appendf(nil, "[%s,%s,%s,%s,%s,%s", text(domain), text(c.Tool), c.Args, text(c.Project), text(c.Agent), text(c.Policy))
	if c.Dir != "" && c.Dir != c.Project && !strings.HasPrefix(c.Tool, "mcp__") {
		all = fmt.Appendf(all, ",%s", text(c.Dir))
	}
	d := sha256.Sum256(append(all, ']'))
	return hex.EncodeToString(d[:])
}

// text is a string in JSON. A path that is not UTF-8 is written as a list of
// its bytes, which differs from every string.
func text(s string) []byte {
	if utf8.ValidString(s) {
		return canonical.AppendString(nil, s)
	}
	return fmt.Appendf(nil, "[%s]", canonical.AppendString(nil, strconv.QuoteToASCII(s)))
}

func valid(v any) bool {
	switch v := v.(type) {
	case string:
		return utf8.ValidString(v)
	case []string:
		return !slices.ContainsFunc(v, func(s string) bool { return !utf8.ValidString(s) })
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !valid(e) })
	case map[string]string:
		for k, e := range v {
			if !utf8.ValidString(k) || !utf8.ValidString(e) {
				return false
			}
		}
	case map[string]any:
		for k, e := range v {
			if !utf8.ValidString(k) || !valid(e) {
				return false
			}
		}
	}
	return true
}
