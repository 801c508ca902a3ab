package process

import (
	"context"
	"time"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// recordLimit is how long a record may wait for others that are being written.
const recordLimit = 3 * time.Second

// record records the call before anything of it is stored. A call that cannot
// be recorded does not happen.
func (c *call) record(out *Response) error {
	log := c.p.options.Log
	if log == nil {
		return nil
	}
	r := evidence.ForControl(c.account(out), decisions[out.Decision], out.Reason, c.now)
	r.Project, r.Dir = c.p.options.Project, c.p.dir
	r.Micros = c.p.options.Now().Sub(c.now).Microseconds()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), recordLimit)
	defer cancel()
	receipt, err := log.Append(ctx, r.AppendJSON(nil))
	if err == nil {
		out.Evidence, c.receipt = append(c.calls(), receipt.Seq), receipt.Seq
	}
	return err
}

// decisions maps decisions of control calls to the engine's.
var decisions = map[string]string{"allowed": "allow", "approval_required": "ask", "denied": "deny"}

// calls are the numbers of the records of hook calls.
func (c *call) calls() (out []uint64) {
	for i := range c.hooks {
		out = append(out, c.hooks[i].Receipt.Seq)
	}
	return out
}

func (c *call) account(out *Response) evidence.ControlRecord {
	r := evidence.ControlRecord{Action: c.req.Action, ActorID: c.req.Actor.ID, ActorRole: c.req.Actor.Role,
		Payload: canonical.DigestOf(c.req.Payload), Run: out.Run, Status: out.Status, Code: string(out.Code), Route: string(out.Route),
		Gate: out.Gate, GateType: out.GateType, Instruction: out.Instruction, Missing: out.Missing, ApprovalID: out.ApprovalID,
		Key: c.req.Key, Replay: out.Replay, Preflight: c.preflights}
	if c.text != nil && !out.Replay {
		r.RunDigest = canonical.Digest(c.text)
	}
	if c.d != nil {
		r.Process, r.ProcessVersion, r.Revision = c.d.Manifest.ID, c.d.Manifest.Version, c.d.Revision
		r.Profile, r.ProfileVersion, r.ProfileDigest = c.d.Profile.ID, c.d.Profile.Version, c.d.Digest
	}
	if out.Approval != nil {
		r.ApprovalRole, r.ApprovalScope = out.Approval.Role, out.Approval.Scope
	}
	if m := out.Effect; m != nil {
		r.EffectID, r.EffectMode, r.EffectDigest, r.ScopeDigest = m.ID, m.Mode, m.Digest, canonical.DigestOf(m.Scope)
	}
	for _, k := range c.consents { // a used approval is more important than a requested one
		r.ApprovalID = k.id
	}
	for _, a := range out.Created {
		if kept := find(c.run.Artifacts, a.ID, func(a *Artifact) string { return a.ID }); kept != nil {
			r.Created = append(r.Created, evidence.ArtifactRecord{ID: a.ID, Type: a.Type, Digest: kept.Digest})
		}
	}
	for i := range c.hooks {
		o := &c.hooks[i]
		r.Hooks = append(r.Hooks, evidence.HookCallRecord{Hook: o.Hook, Input: o.Input, Output: o.Output, Failure: string(o.Fault),
			Seq: o.Receipt.Seq})
	}
	return r
}
