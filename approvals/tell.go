package approvals

import (
	"strings"

	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/store"
)

// tell describes a change of an approval, and who made it, for the record.
// Secrets in people's comments are masked.
func tell(kind string, a *store.Approval) string {
	text := ""
	switch kind {
	case "requested", "joined", "reminded":
		text = kind + ", needs " + needs(a)
	case "escalated":
		text = "escalated to " + strings.Join(a.Needs.Escalate[a.Escalated-1], ", ")
	case "voted":
		text = "a vote for it by " + votesFor(a, true)
		if !a.Votes[len(a.Votes)-1].Approve {
			text = "a vote against it by " + votesFor(a, false)
		}
	case string(store.Approved), string(store.Consumed):
		text = "approved by " + votesFor(a, true)
		if a.Edit != nil {
			text += ", with other arguments"
		}
	case string(store.Rejected):
		text = "rejected by " + votesFor(a, false)
	case string(store.Expired):
		text = "expired: nobody answered"
	case string(store.Lapsed):
		text = "approved by " + votesFor(a, true) + ", but not used in time"
	default:
		text = kind
		if a.Why != "" {
			text += ": " + a.Why
		}
	}
	text, _ = secret.Redact(text)
	return text
}

// votesFor lists the people who voted one way, with their comments.
func votesFor(a *store.Approval, approve bool) string {
	var parts []string
	for _, v := range a.Votes {
		if v.Approve != approve {
			continue
		}
		if v.Comment == "" {
			parts = append(parts, v.Approver)
		} else {
			parts = append(parts, v.Approver+": "+visible.Line(v.Comment))
		}
	}
	return strings.Join(parts, "; ")
}
