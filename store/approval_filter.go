package store

import (
	"math"
	"strings"

	"github.com/trammel-dev/trammel/filter"
)

// Item is an approval as a filter sees it. Mine says whether it is one that the
// person who asks may decide.
type Item struct {
	*Approval
	Mine bool
}

// Texts implements filter.Item.
func (i Item) Texts(key string) []string {
	a := i.Approval
	switch key {
	case filter.Word:
		return []string{strings.ToLower(a.Summary + "\n" + a.Reason)}
	case "host":
		return append(asks(a, func(k *Ask) string { return k.Host }), a.Host)
	case "session":
		return asks(a, func(k *Ask) string { return k.Session })
	case "agent":
		return append(asks(a, func(k *Ask) string { return k.Agent }), a.Agent)
	case "user", "requester":
		return []string{a.User}
	case "hook":
		return []string{a.Hook}
	case "reason":
		return []string{a.Reason}
	case "id":
		return []string{a.ID}
	case "project":
		return []string{a.Project}
	case "tool":
		return []string{a.Tool}
	case "state":
		return []string{string(a.State)}
	case "policy":
		return []string{a.Hook, a.Source, a.PolicyDigest}
	case "approver":
		return approvers(a)
	}
	var is []string
	if a.Edit != nil {
		is = append(is, "rewritten")
	}
	if i.Mine {
		is = append(is, "mine")
	}
	return is
}

func asks(a *Approval, of func(k *Ask) string) []string {
	out := make([]string, len(a.Asks))
	for i := range a.Asks {
		out[i] = of(&a.Asks[i])
	}
	return out
}

// approvers are those who have voted, and those who are named.
func approvers(a *Approval) []string {
	var out []string
	for _, v := range a.Votes {
		out = append(out, v.Approver, v.Identity)
	}
	for _, f := range a.Needs.Factors {
		out = append(out, f.Approvers...)
	}
	return out
}

// Number implements filter.Item. An approval that never expires sorts last.
func (i Item) Number(key string) int64 {
	if key != "expires" {
		return i.Created.Micros()
	}
	if i.Expires.IsZero() {
		return math.MaxInt64
	}
	return i.Expires.Micros()
}
