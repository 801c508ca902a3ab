package flow

import (
	"slices"
	"time"
)

// Claim is a statement of a trust bundle, with the commands that shall prove it
// and what else the bundle holds about it.
type Claim struct {
	ID, Subject, Type, Status, Value, Impact string
	Commands                                 []string

	policy   string
	ref      string // what it is about now
	evidence []proof
	events   []verification
	rule     *requirement // nil: none is given
}

// proof is a piece of evidence for a claim.
type proof struct {
	id, kind, method, ref string
	fails                 bool // it says itself that it did not pass
}

// verification is what somebody made of a claim.
type verification struct {
	status       string
	at, verified time.Time
	evidence     []string
}

// requirement is what the bundle's policy demands of a claim.
type requirement struct {
	evidence, methods []string
	validity          string        // commit, duration
	lasts             time.Duration // with duration
}

// Passes reports whether the claim says that something is all right.
func (c Claim) Passes() bool {
	switch {
	case c.Status == "verified", c.Status == "passed", c.Status == "pass":
		return true
	}
	return c.Value == "pass" || c.Value == "passed" || c.Value == "true"
}

// Weighty reports whether more than convenience depends on it.
func (c Claim) Weighty() bool { return c.Impact == "high" || c.Impact == "critical" }

// Derived is the status that a claim has by what the bundle holds about it,
// whatever the claim says of itself: what was made of it last, unless that is
// too old or not what its policy demands. "" means that there is nothing to
// derive it from.
func (c Claim) Derived(now time.Time) string {
	failed := slices.ContainsFunc(c.evidence, func(p proof) bool { return p.fails })
	if len(c.events) == 0 {
		if failed {
			return "disputed"
		}
		return ""
	}
	last := c.events[0]
	for _, v := range c.events[1:] {
		if !v.at.Before(last.at) {
			last = v
		}
	}
	switch {
	case last.status != "verified":
		return last.status
	case c.stale(last, now):
		return "stale"
	case c.missing():
		return "proposed"
	case failed:
		return "disputed"
	}
	return "verified"
}

func (c Claim) stale(v verification, now time.Time) bool {
	if c.rule == nil {
		return false
	}
	switch c.rule.validity {
	case "commit":
		return c.ref != "" && !slices.ContainsFunc(c.evidence, func(p proof) bool {
			return p.ref == c.ref && slices.Contains(v.evidence, p.id)
		})
	case "duration":
		return c.rule.lasts > 0 && now.Sub(v.verified) > c.rule.lasts
	}
	return false
}

// missing reports whether evidence that the policy demands is not there.
func (c Claim) missing() bool {
	lacks := func(wanted []string, of func(proof) string) bool {
		return slices.ContainsFunc(wanted, func(w string) bool {
			return !slices.ContainsFunc(c.evidence, func(p proof) bool { return of(p) == w })
		})
	}
	return c.rule != nil && (lacks(c.rule.evidence, func(p proof) string { return p.kind }) ||
		lacks(c.rule.methods, func(p proof) string { return p.method }))
}

// Bundle reads the claims of trust.bundle.
func (s Session) Bundle() ([]Claim, error) {
	obj, err := s.read(BundleFile)
	if err != nil {
		return nil, err
	}
	var claims []Claim
	at := map[string]int{}
	for _, c := range objects(obj, "claims") {
		claim := Claim{ID: text(c, "id"), Subject: text(c, "fieldOrBehavior"), Type: text(c, "claimType"), Status: text(c, "status"),
			Value: value(c["value"]), Impact: text(c, "impactLevel"), policy: text(c, "verificationPolicyId"),
			ref: text(c, "currentIntegrityRef")}
		if claim.Subject == "" {
			claim.Subject = text(c, "subjectId")
		}
		at[claim.ID] = len(claims)
		claims = append(claims, claim)
	}
	for _, e := range objects(obj, "evidence") {
		if i, ok := at[text(e, "claimId")]; ok {
			claims[i].prove(e)
		}
	}
	for _, e := range objects(obj, "events") {
		i, ok := at[text(e, "claimId")]
		if v := (verification{status: text(e, "status"), evidence: texts(e, "evidenceIds")}); ok && v.status != "" {
			v.at, _ = time.Parse(time.RFC3339, text(e, "createdAt"))
			if v.verified, err = time.Parse(time.RFC3339, text(e, "verifiedAt")); err != nil {
				v.verified = v.at
			}
			claims[i].events = append(claims[i].events, v)
		}
	}
	for _, p := range objects(obj, "policies") {
		rule := requirementOf(p)
		for i := range claims {
			c := &claims[i]
			if c.policy != "" && c.policy == text(p, "id") || c.policy == "" && c.Type != "" && c.Type == text(p, "claimType") {
				c.rule = rule
			}
		}
	}
	return claims, nil
}

// prove takes a piece of evidence. One that only mentions the claim is none.
func (c *Claim) prove(e map[string]any) {
	run, _ := e["execution"].(map[string]any)
	label, _ := run["label"].(string)
	if Command(label) != "" {
		c.Commands = append(c.Commands, Command(label))
	}
	if strength := text(e, "supportStrength"); strength != "" && strength != "entails" {
		return
	}
	c.evidence = append(c.evidence, proof{id: text(e, "id"), kind: text(e, "evidenceType"), method: text(e, "method"),
		ref: text(e, "integrityRef"), fails: e["passing"] == false && e["blocking"] != false})
}

func requirementOf(p map[string]any) *requirement {
	r := &requirement{evidence: texts(p, "requiredEvidence"), methods: texts(p, "requiredMethods")}
	validity, _ := p["validityRule"].(map[string]any)
	r.validity = text(validity, "kind")
	if days, ok := validity["durationDays"].(int64); ok && days > 0 && days < 100_000 {
		r.lasts = time.Duration(days) * 24 * time.Hour
	}
	return r
}
