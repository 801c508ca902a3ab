package process

import (
	"fmt"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/internal/canonical"
)

// Artifact is a record of a run. It was admitted when it was created, and
// counts until it expires, is superseded or contradicted.
type Artifact struct {
	ID             string         `json:"artifact_id"`
	Type           string         `json:"type"`
	Run            string         `json:"run_id"`
	ProfileVersion string         `json:"profile_version"`
	CreatedBy      string         `json:"created_by"`
	CreatedVia     string         `json:"created_via"`
	CreatedAt      time.Time      `json:"created_at"`
	Payload        map[string]any `json:"payload"`
	Digest         string         `json:"payload_hash"`
	Valid          bool           `json:"valid"`
	Expires        time.Time      `json:"expires_at,omitzero"`
	Expired        bool           `json:"expired,omitempty"` // it was found to be: it stays so if the clock is set back
	SupersededBy   string         `json:"superseded_by,omitempty"`
	ContradictedBy string         `json:"contradicted_by,omitempty"`
}

// createdVia is how artifacts are created.
const createdVia = "fst_control"

// controller is the source of artifacts that control calls create.
const controller = "controller"

const approvalRecord = "approval_record"

// counts says why an artifact does not count for a gate of a run, "" if it
// does.
func (a *Artifact) counts(r *run, t *ArtifactType, s schema, now time.Time) string {
	switch {
	case t == nil || a.Type != t.ID:
		return "its type is not one of the profile's"
	case a.Run != r.ID:
		return "it belongs to another run"
	case a.ProfileVersion != r.ProfileVersion:
		return "it was created under another version of the profile"
	case a.CreatedVia != createdVia:
		return "its source is not allowed"
	case a.Digest == "" || canonical.DigestOf(a.Payload) != a.Digest:
		return "its payload has changed since it was admitted"
	case !a.Valid:
		return "it is not valid"
	case a.Expired || a.over(now):
		return "it has expired"
	case a.CreatedAt.After(now.Add(clockSkew)):
		return "it is from the future: the clock of this machine was set back"
	case a.SupersededBy != "":
		return "a later one has replaced it"
	case a.ContradictedBy != "":
		return "it is contradicted"
	}
	if why := t.lacks(a.Payload); why != "" {
		return why
	}
	if err := s.check(a.Payload); err != nil {
		return fmt.Sprintf("it does not match its schema: %v", err)
	}
	return ""
}

// clockSkew is the tolerated difference between clocks.
const clockSkew = 30 * time.Second

func (a *Artifact) over(now time.Time) bool { return !a.Expires.IsZero() && !now.Before(a.Expires) }

// expire marks the artifacts that have expired.
func (r *run) expire(now time.Time) {
	for i := range r.Artifacts {
		r.Artifacts[i].Expired = r.Artifacts[i].Expired || r.Artifacts[i].over(now)
	}
}

// lacks names the required fields that a payload does not have.
func (t *ArtifactType) lacks(payload map[string]any) string {
	var lacking []string
	for _, name := range t.Required {
		if missing(payload, name) {
			lacking = append(lacking, name)
		}
	}
	if len(lacking) == 0 {
		return ""
	}
	return fmt.Sprintf("the fields %v are missing", lacking)
}

// has reports whether a run has an artifact of this type that counts.
func (c *call) has(kind string) bool {
	t := c.d.Profile.ArtifactType(kind)
	return slices.ContainsFunc(c.run.Artifacts, func(a Artifact) bool {
		return a.Type == kind && a.counts(c.run, t, c.d.schemas[kind], c.now) == ""
	})
}

// forged finds a record in the payload that falsely claims to be an artifact of
// this run, or an approval: nothing in a payload can approve anything.
func (c *call) forged() error {
	if claimsApproval(c.req.Payload) {
		return refuse(CodeApprovalUntrust, "an approval must come from a person, not in a payload")
	}
	list, _ := c.req.Payload["artifacts"].([]any)
	for i, e := range list {
		m, _ := e.(map[string]any)
		id, _ := m["artifact_id"].(string)
		if id == "" {
			continue // a candidate, which is fine
		}
		at := slices.IndexFunc(c.run.Artifacts, func(a Artifact) bool { return a.ID == id })
		if at < 0 {
			return refuse(CodeForged, "artifacts[%d]: this run has no artifact %.60q", i, id)
		}
		a := &c.run.Artifacts[at]
		for name, want := range map[string]any{"type": a.Type, "run_id": a.Run, "profile_version": a.ProfileVersion, "created_by": a.CreatedBy,
			"created_via": a.CreatedVia, "payload": a.Payload, "valid": a.Valid} {
			if got, there := m[name]; there && !same(got, want) {
				return refuse(CodeForged, "artifacts[%d]: %s differs from artifact %s", i, name, id)
			}
		}
	}
	return nil
}

var record = []string{approvalRecord}

// claimsApproval finds an approval record, as a key or as a type, at any depth.
func claimsApproval(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			kind, _ := inner.(string)
			if named(key, record) || named(key, []string{"type"}) && named(kind, record) || claimsApproval(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, claimsApproval)
	}
	return false
}

// candidate is what an action submits for a type: the part of the payload under
// the type's name, or all of it.
func (c *call) candidate(kind string) map[string]any {
	if part, ok := c.req.Payload[kind].(map[string]any); ok {
		return part
	}
	return c.req.Payload
}

// admit judges what the action submits. The artifacts are only drafts until the
// whole call passes.
func (c *call) admit(action *Action) (drafts []Artifact, fail *Response) {
	for _, kind := range action.Produces {
		t := c.d.Profile.ArtifactType(kind)
		by := func(source string) bool {
			return source == c.req.Actor.Role || source == createdVia || source == controller
		}
		if len(t.Sources) > 0 && !slices.ContainsFunc(t.Sources, by) {
			return nil, c.nok(CodeArtifact, Blocked, fmt.Sprintf("%s may not create a %s", c.req.Actor.Role, kind))
		}
		a := Artifact{ID: newID("art_"), Type: kind, Run: c.run.ID, ProfileVersion: c.run.ProfileVersion,
			CreatedBy: c.req.Actor.Role + ":" + c.req.Actor.ID, CreatedVia: createdVia, CreatedAt: c.now, Payload: c.candidate(kind), Valid: true}
		a.Digest = canonical.DigestOf(a.Payload)
		if t.ExpiresAfter > 0 {
			a.Expires = c.now.Add(t.ExpiresAfter)
		}
		if why := a.counts(c.run, t, c.d.schemas[kind], c.now); why != "" {
			return nil, c.nok(CodeArtifact, InstructAgent, fmt.Sprintf("the %s is refused: %s", kind, why))
		}
		if fail := c.validate(t, a.Payload); fail != nil {
			return nil, fail
		}
		drafts = append(drafts, a)
	}
	return drafts, nil
}

// addArtifacts adds artifacts to the run. They replace earlier ones of the same type,
// and those that they contradict stop counting.
func (r *run) addArtifacts(p *Profile, drafts []Artifact) {
	for _, a := range drafts {
		t := p.ArtifactType(a.Type)
		for i := range r.Artifacts {
			old := &r.Artifacts[i]
			switch {
			case old.Type == a.Type && old.SupersededBy == "":
				old.SupersededBy = a.ID
			case slices.Contains(t.Contradicts, old.Type) && old.ContradictedBy == "":
				old.ContradictedBy = a.ID
			}
		}
		r.Artifacts = append(r.Artifacts, a)
	}
}
