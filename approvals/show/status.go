package show

import (
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/store"
)

// Status is the state of an approval in a line, and who caused it.
func Status(a *store.Approval) string {
	switch a.State {
	case store.Pending:
		return waiting(a)
	case store.Approved:
		return "Approved by " + voters(a, true)
	case store.Consumed:
		return "Approved by " + voters(a, true) + ", and used"
	case store.Rejected:
		return "Rejected by " + voters(a, false)
	case store.Expired:
		return "Expired: nobody answered in time, nothing ran"
	case store.Lapsed:
		return "Approved by " + voters(a, true) + ", but not used in time"
	case store.Revoked:
		return "Revoked: " + Safe(a.Why)
	}
	return "Cancelled: " + Safe(a.Why)
}

func waiting(a *store.Approval) string {
	text := "Waiting for an answer"
	if who := voters(a, true); who != "" {
		text = "Approved by " + who + ", waiting for more"
	}
	if a.Escalated > 0 {
		text += fmt.Sprintf(", escalated (step %d)", a.Escalated)
	} else if a.Reminded > 0 {
		text += ", reminded"
	}
	return text
}

// voters names the people who voted this way, and whose vote counts for the
// current arguments.
func voters(a *store.Approval, approve bool) string {
	edit := ""
	if a.Edit != nil {
		edit = a.Edit.Digest
	}
	var names []string
	for _, v := range a.Votes {
		if v.Approve == approve && (!approve || v.Edit == edit) {
			names = append(names, visible.Line(v.Approver))
		}
	}
	return strings.Join(names, ", ")
}

func describeVote(v *store.Vote) string {
	text := v.Approver + " rejected"
	if v.Approve {
		text = v.Approver + " approved"
	}
	if v.Comment != "" {
		text += ": " + v.Comment
	}
	return Safe(text)
}
