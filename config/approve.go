package config

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/store"
)

// ApproveDecl is a rule that asks people for approval.
type ApproveDecl struct {
	When   Expr `json:"when,omitempty" jsonschema:"The condition. Without one the rule always applies."`
	Reason Text `json:"reason,omitempty" jsonschema:"The text for the people who decide, and for the model."`
	TermsDecl
}

func (a *ApproveDecl) short() any { return &a.Reason }

// TermsDecl says who decides, and how long the call waits for them.
type TermsDecl struct {
	Approvers       OneOrMore[Text]   `json:"approvers,omitempty" jsonschema:"Who may approve: names of approvals.people, group:name, or local for the person who knows this machine's authority secret, which is the default."`
	Quorum          uint              `json:"quorum,omitempty" jsonschema:"How many different people have to approve: 1 by default."`
	Factors         []FactorDecl      `json:"factors,omitempty" jsonschema:"Several groups that all have to approve, instead of approvers and quorum."`
	DenyThreshold   uint              `json:"deny_threshold,omitempty" jsonschema:"How many rejections reject the request: 1 by default."`
	AllowRequester  bool              `json:"allow_requester,omitempty" jsonschema:"Whether the user who runs the agent may vote."`
	CommentRequired bool              `json:"comment_required,omitempty" jsonschema:"Whether a rejection needs a reason."`
	Expires         Duration          `json:"expires,omitempty" jsonschema:"How long people have to decide: 10m by default."`
	Window          Duration          `json:"window,omitempty" jsonschema:"How long after the approval the call may be made: 5m by default."`
	Mode            Choice            `json:"mode,omitempty" enum:"block,park,auto" jsonschema:"block waits as long as the agent does; park tells the agent to make the same call again later; auto waits for a while and then parks."`
	Hold            Duration          `json:"hold,omitempty" jsonschema:"How long auto waits: 45s by default."`
	OnTimeout       Choice            `json:"on_timeout,omitempty" enum:"deny,keep" jsonschema:"What happens when nobody answers in time: deny, or keep the request open."`
	Remind          OneOrMore[Moment] `json:"remind,omitempty" jsonschema:"When people are reminded: after a duration, or a part of the time that they have, such as 80%."`
	Escalate        []EscalateDecl    `json:"escalate,omitempty" jsonschema:"Who else may decide if there is no decision yet."`
	EscalateEvery   Duration          `json:"escalate_every,omitempty" jsonschema:"How long each step of escalate lasts."`
	Channels        OneOrMore[Text]   `json:"channels,omitempty" jsonschema:"Names of approvals.channels that notify people."`
}

// FactorDecl is a number of people out of a group.
type FactorDecl struct {
	Approvers OneOrMore[Text] `json:"approvers" jsonschema:"Names and groups."`
	N         uint            `json:"n,omitempty" jsonschema:"How many of them: 1 by default."`
}

// EscalateDecl is one step of an escalation.
type EscalateDecl struct {
	Approvers OneOrMore[Text] `json:"approvers" jsonschema:"Names and groups."`
}

// ApprovalsDecl holds the machine's or the user's settings for approvals. A
// project cannot set them.
type ApprovalsDecl struct {
	Store     Text                       `json:"store,omitempty" jsonschema:"Where requests are stored: a postgres:// address that several machines share, or a file. The default is a file in the state directory."`
	People    map[string]OneOrMore[Text] `json:"people,omitempty" jsonschema:"Who can approve, by name, with the identities by which channels know them: slack:T1/U1, feishu:ou_x, webhook:alice, os:1000, oidc:subject, authority:key."`
	Groups    map[string]OneOrMore[Text] `json:"groups,omitempty" jsonschema:"Groups of people, by name."`
	Trust     OneOrMore[Text]            `json:"trust,omitempty" jsonschema:"Public keys of servers whose votes count here, as ed25519: and base64."`
	Authority OneOrMore[Text]            `json:"authority,omitempty" jsonschema:"The key of this machine's authority secret, as trammel approvals unlock prints it. Then no other key in the state directory counts, and only the servers in trust."`
	Keep      Duration                   `json:"keep,omitempty" jsonschema:"How long requests that have ended, and the index of events, stay in the store: 9600h, 400 days, by default. The evidence stays."`
	Ask       bool                       `json:"ask,omitempty" jsonschema:"Whether a question that the agent cannot ask becomes a request."`
	Terms     *TermsDecl                 `json:"terms,omitempty" jsonschema:"Defaults for hooks that do not set these keys."`
	Channels  map[string]*Options        `json:"channels,omitempty" jsonschema:"How people are reached, by name."`
}

func (t *TermsDecl) terms() approvals.Terms {
	out := approvals.Terms{Approvers: texts(t.Approvers), Quorum: int(t.Quorum), DenyAt: int(t.DenyThreshold), Requester: t.AllowRequester,
		Comment: t.CommentRequired, Expires: duration(t.Expires), Window: duration(t.Window), Mode: string(t.Mode), Hold: duration(t.Hold),
		OnTimeout: string(t.OnTimeout), Every: duration(t.EscalateEvery), Channels: texts(t.Channels)}
	for _, m := range t.Remind {
		out.Remind = append(out.Remind, approvals.Moment(m))
	}
	if t.Factors != nil {
		out.Factors = []store.Factor{}
	}
	for _, f := range t.Factors {
		out.Factors = append(out.Factors, store.Factor{Approvers: texts(f.Approvers), N: int(max(f.N, 1))})
	}
	for _, e := range t.Escalate {
		out.Escalate = append(out.Escalate, texts(e.Approvers))
	}
	return out
}

// approvals takes the settings of the highest layer, and completes the hooks
// that ask people with them.
func (c *compiler) approvals() {
	var s approvals.Settings
	var from *unit
	for _, u := range c.units {
		switch {
		case u.Approvals == nil:
		case u.file.Layer == layers.Project:
			c.note(CodeSettingUnused, u.file.Path, u.at(&u.Approvals).Line, "approvals is not used: a project cannot set who approves")
		case from != nil:
			c.note(CodeSettingUnused, u.file.Path, u.at(&u.Approvals).Line, "approvals is not used: %s sets it", from.file.Path)
		default:
			from = u
			s = u.approvalSettings(c.reg)
			if err := s.Check(&s.Terms); err != nil {
				u.source.fail(u.at(&u.Approvals), "", "%v", err)
			}
		}
	}
	asks := from != nil
	for _, d := range c.decls {
		if !d.broken && d.form.kind == "approval" {
			d.approval(c, &s)
			d.broken = d.ready == nil
			asks = true
		}
	}
	if asks {
		text, _ := json.Marshal(&s) // plain texts and numbers
		c.out.Settings.Approvals = string(text)
		c.out.Settings.AskPeople = s.Ask
	}
}

func (u *unit) approvalSettings(reg Registry) approvals.Settings {
	a := u.Approvals
	s := approvals.Settings{Store: string(a.Store), Trust: texts(a.Trust), Authority: texts(a.Authority), Keep: duration(a.Keep), Ask: a.Ask,
		People: map[string][]string{},
		Groups: map[string][]string{}, Channels: map[string]json.RawMessage{}}
	for name, list := range a.People {
		s.People[name] = texts(list)
	}
	for name, list := range a.Groups {
		s.Groups[name] = texts(list)
	}
	for name, o := range a.Channels {
		text, err := canonical.Append(nil, u.value(o.node))
		if err == nil {
			text, err = reg.PrepareKind("channel", text)
		}
		if err != nil {
			u.source.fail(u.at(o), "", "channel %s: %v", name, err)
		}
		s.Channels[name] = text
	}
	if a.Terms != nil {
		s.Terms = a.Terms.terms()
	}
	return s
}

// approval completes a hook that asks people: the rule that says when, the
// terms, and the settings in effect.
func (d *declared) approval(c *compiler, s *approvals.Settings) {
	rule, at := d.rule()
	text, err := canonical.Append(nil, rule)
	if err == nil {
		text, err = c.reg.PrepareKind("rule", text)
	}
	if err != nil {
		d.refused(at, err)
		return
	}
	terms := d.decl.Approve.terms()
	merged := s.Merged(&terms)
	if err := cmp.Or(terms.Check(), s.Check(&merged)); err != nil {
		d.source.fail(d.formMark(), "", "%v", err)
		return
	}
	parts, err := json.Marshal(map[string]any{"rule": json.RawMessage(text), "terms": terms, "desk": s})
	if err == nil {
		d.ready, err = c.reg.PrepareKind("approval", parts)
	}
	if err != nil {
		d.refused(d.formMark(), err)
	}
}

// approvalTimeout limits the wait for people; the host's limit is usually
// shorter, and then the call is parked.
const approvalTimeout = 24 * time.Hour
