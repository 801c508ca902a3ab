package approvals

import (
	"strings"

	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/store"
)

// tell says in a few words what has become of an approval, and by whom, for
// the record. Secrets in what people wrote are masked.
func tell(kind string, a *store.Approval) string {
	text := ""
	switch kind {
	case "requested", "joined", "reminded":
		text = kind + ", needs " + needs(a)
	case "escalated":
		text = "escalated to " + strings.Join(a.Needs.Escalate[a.Escalated-1], ", ")
	case "voted":
		text = "a vote for it by " + said(a, true)
		if !a.Votes[len(a.Votes)-1].Approve {
			text = "a vote against it by " + said(a, false)
		}
	case string(store.Approved), string(store.Consumed):
		text = "approved by " + said(a, true)
		if a.Edit != nil {
			text += ", with other arguments"
		}
	case string(store.Rejected):
		text = "rejected by " + said(a, false)
	case string(store.Expired):
		text = "expired: nobody answered"
	case string(store.Lapsed):
		text = "approved by " + said(a, true) + ", but not used in time"
	default:
		text = kind
		if a.Why != "" {
			text += ": " + a.Why
		}
	}
	text, _ = secret.Redact(text)
	return text
}

// said lists who voted one way, with what they said.
func said(a *store.Approval, approve bool) string {
	var parts []string
	for _, v := range a.Votes {
		if v.Approve != approve {
			continue
		}
		if v.Comment == "" {
			parts = append(parts, v.Approver)
		} else {
			parts = append(parts, v.Approver+": "+v.Comment)
		}
	}
	return strings.Join(parts, "; ")
}
