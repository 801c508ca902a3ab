package approvals

import (
	"encoding/json"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/callkey"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/store"
)

// digestOf binds an approval to one exact call: the tool, its arguments in
// canonical form (RFC 8785), the project and the directory, the agent, and the
// policy under which it was asked. Without the policy it is the call's key.
func digestOf(ev *trammel.Event, policy string) (digest, callKey string, args []byte, err error) {
	if ev.Tool == nil {
		return "", "", nil, refuse(RefusedState, "a %s event has no call to approve", ev.Kind)
	}
	args, err = callkey.Args(ev.Tool.Input)
	if err != nil {
		return "", "", nil, err
	}
	of := func(policy string) string {
		return callOf(ev, args, policy).Digest()
	}
	return of(policy), of(""), args, nil
}

func callOf(ev *trammel.Event, args []byte, policy string) *callkey.Call {
	return &callkey.Call{Tool: ev.Tool.Name, Args: args, Project: ev.Session.Project, Dir: ev.Session.Dir, Agent: ev.Session.Agent,
		Policy: policy}
}

// Digest is the digest of an event's call under a policy.
func Digest(ev *trammel.Event, policy string) (string, error) {
	d, _, _, err := digestOf(ev, policy)
	return d, err
}

// EditOf is a call with other arguments, as an approver wants it to run.
func EditOf(a *store.Approval, input map[string]any) (*store.Edit, error) {
	args, err := callkey.Args(input)
	if err != nil {
		return nil, err
	}
	return &store.Edit{Args: args, Digest: bound(a, args)}, nil
}

// Shown is the digest of what people see: the edited call, if there is one. It
// is computed from the arguments. Somebody with write access to the store can
// change what is shown, but then the digest is no longer that of the call.
func Shown(a *store.Approval) string {
	if a.Edit != nil {
		return bound(a, a.Edit.Args)
	}
	return bound(a, a.Args)
}

// bound is the digest of the call with these arguments, "" if they are invalid.
// The store may not keep the canonical form of JSON.
func bound(a *store.Approval, stored json.RawMessage) string {
	input, err := strict.Object(stored, strict.Limits{})
	if err != nil {
		return ""
	}
	args, err := callkey.Args(input)
	if err != nil {
		return ""
	}
	return (&callkey.Call{Tool: a.Tool, Args: args, Project: a.Project, Dir: a.Dir, Agent: a.Agent, Policy: a.PolicyDigest}).Digest()
}

// intact checks that the digests match the stored arguments.
func intact(a *store.Approval) error {
	if bound(a, a.Args) != a.Digest || a.Edit != nil && bound(a, a.Edit.Args) != a.Edit.Digest {
		return refuse(RefusedChanged, "the stored arguments do not match the call: somebody has changed the store")
	}
	return nil
}
