// Package callkey names a call by what it does: the tool, its exact arguments,
// and where it is made. Two calls have the same key only if they are the same.
package callkey

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/trammel-dev/trammel/internal/canonical"
)

// domain keeps a digest of ours from being one of anything else.
const domain = "trammel-approval-v1"

// Args is the canonical form of a call's arguments (RFC 8785).
func Args(input map[string]any) ([]byte, error) {
	if input == nil {
		input = map[string]any{}
	}
	args, err := canonical.Append(nil, input)
	if err != nil {
		return nil, fmt.Errorf("the arguments have no canonical form: %w", err)
	}
	return args, nil
}

// Of is the digest of a call under a policy; with none it is the call's key. The
// parts are a JSON array, so that no two calls are written the same way.
func Of(tool string, args []byte, project, agent, policy string) string {
	text := fmt.Appendf(nil, "[%s,%s,%s,%s,%s,%s]", canonical.AppendString(nil, domain), canonical.AppendString(nil, tool), args,
		canonical.AppendString(nil, project), canonical.AppendString(nil, agent), canonical.AppendString(nil, policy))
	d := sha256.Sum256(text)
	return hex.EncodeToString(d[:])
}
