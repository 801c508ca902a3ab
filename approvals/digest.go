package approvals

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// domain keeps a digest of ours from being one of anything else.
const domain = "trammel-approval-v1"

// digestOf binds an approval to one exact call: the tool, its arguments in
// canonical form (RFC 8785), the project, the agent, and the policy under which
// it was asked. The parts are a JSON array, so that no two calls are written
// the same way. Without the policy it is the call's key.
func digestOf(tool string, input map[string]any, project, agent, policy string) (digest, callKey string, args []byte, err error) {
	if input == nil {
		input = map[string]any{}
	}
	args, err = canonical.Append(nil, input)
	if err != nil {
		return "", "", nil, fmt.Errorf("the arguments have no canonical form: %w", err)
	}
	sum := func(policy string) string {
		text := fmt.Appendf(nil, "[%s,%s,%s,%s,%s,%s]", canonical.AppendString(nil, domain), canonical.AppendString(nil, tool), args,
			canonical.AppendString(nil, project), canonical.AppendString(nil, agent), canonical.AppendString(nil, policy))
		d := sha256.Sum256(text)
		return hex.EncodeToString(d[:])
	}
	return sum(policy), sum(""), args, nil
}

// Digest is the digest of an event's call under a policy.
func Digest(ev *trammel.Event, policy string) (string, error) {
	if ev.Tool == nil {
		return "", fmt.Errorf("a %s event has no call to approve", ev.Kind)
	}
	d, _, _, err := digestOf(ev.Tool.Name, ev.Tool.Input, ev.Session.Project, ev.Session.Agent, policy)
	return d, err
}
