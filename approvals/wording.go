package approvals

import (
	"fmt"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/callkey"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/store"
)

// Prefix is the start of texts for the model about an approval, so that a
// runtime can distinguish them from other denials.
const Prefix = "[trammel approval] "

// Message is the text for the model. A rejection is a person's decision, a
// timeout is not; in both cases the model should not try again in other words.
func Message(a *store.Approval) string {
	text := ""
	switch a.State {
	case store.Rejected:
		text = fmt.Sprintf("Rejected by %s. A person has decided this. Do not try the same thing in other words or by other means; "+
			"say what was rejected and ask how to proceed.", votesFor(a, false))
	case store.Expired:
		text = fmt.Sprintf("Nobody answered within %s, so the call did not run. This is not a rejection. "+
			"Say that it is waiting for a person, and ask how to proceed.", Span(a.Expires.Sub(a.Created.Time)))
	case store.Lapsed:
		text = "It was approved, but the call was not made in time. Make the same call again to ask again."
	case store.Cancelled, store.Revoked:
		text = fmt.Sprintf("The request was %s: %s. The call did not run.", a.State, a.Why)
	case store.Pending:
		text = fmt.Sprintf("A person has to decide this. Request %s is waiting for an answer. "+
			"Continue with something else, and make exactly the same call again later: if it has been approved by then, it runs.", a.ID)
	case store.Consumed:
		text = "This approval has been used. Make the call again to ask again."
	case store.Approved:
		return ""
	}
	return Prefix + text
}

// EditedNote is the text for the model about a call that ran with changed
// arguments.
func EditedNote(a *store.Approval) string {
	args := string(a.Edit.Args)
	if input, err := strict.Object(a.Edit.Args, strict.Limits{}); err == nil { // the store may have changed the formatting
		if plain, err := callkey.Args(input); err == nil {
			args = string(plain)
		}
	}
	return fmt.Sprintf("%sApproved by %s with changed arguments. This is what ran: %s", Prefix, a.Edit.By, args)
}

// Span writes a duration as people say it: 10m, 1h30m.
func Span(d time.Duration) string {
	text := d.Round(time.Second).String()
	if short, ok := strings.CutSuffix(text, "m0s"); ok {
		text = short + "m"
	}
	if short, ok := strings.CutSuffix(text, "h0m"); ok {
		text = short + "h"
	}
	return text
}
