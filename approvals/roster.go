package approvals

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/store"
)

// Local is the approver for the person at this machine who knows the authority
// secret, if nobody is named.
const Local = "local"

// Roster says who may decide: people under a name, with the identities by which
// channels know them, and groups of people. It comes from the machine's or the
// user's configuration, never from a project.
type Roster struct {
	// People maps a name to identities: slack:T1/U1, feishu:ou_x, webhook:alice,
	// os:1000, oidc:subject, authority:key.
	People map[string][]string
	Groups map[string][]string
}

// Who finds the person with an identity. An unknown identity cannot approve.
func (r *Roster) Who(identity string) (string, bool) {
	for name, identities := range r.People {
		if slices.Contains(identities, identity) {
			return name, true
		}
	}
	return "", false
}

// Identity is an identity of a person, by their name or by any of them.
func (r *Roster) Identity(person string) (string, error) {
	if _, known := r.Who(person); known {
		return person, nil
	}
	if list := r.People[person]; len(list) > 0 {
		return list[0], nil
	}
	return "", fmt.Errorf("%q is not in approvals.people", person)
}

// Members lists the people that declared approvers include.
func (r *Roster) Members(approvers []string) []string {
	var out []string
	for _, a := range approvers {
		if group, ok := strings.CutPrefix(a, "group:"); ok {
			out = append(out, r.Groups[group]...)
		} else {
			out = append(out, a)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Check refuses needs that could never be met: an unknown name, an empty group, fewer
// people than votes are needed.
func (r *Roster) Check(n *store.Needs) error {
	if len(n.Factors) == 0 {
		return fmt.Errorf("no approver is named")
	}
	lists := make([][]string, 0, len(n.Factors)+len(n.Escalate))
	for _, f := range n.Factors {
		lists = append(lists, f.Approvers)
		if have := len(r.Members(f.Approvers)); f.N < 1 {
			return fmt.Errorf("%d of %s have to approve, expected 1 or more", f.N, strings.Join(f.Approvers, ", "))
		} else if have < f.N {
			return fmt.Errorf("%d of %s have to approve, but there are only %d", f.N, strings.Join(f.Approvers, ", "), have)
		}
	}
	for _, list := range append(lists, n.Escalate...) {
		for _, a := range list {
			if err := r.known(a); err != nil {
				return err
			}
		}
	}
	if len(n.Escalate) > 0 && n.Every <= 0 {
		return fmt.Errorf("escalate has steps, but escalate_every does not say how long one lasts, so nobody else would ever be asked")
	}
	if have := len(r.Members(slices.Concat(append(lists, n.Escalate...)...))); n.DenyAt < 1 || n.DenyAt > have {
		return fmt.Errorf("deny_threshold is %d, but only %d can reject", n.DenyAt, have)
	}
	return nil
}

func (r *Roster) known(approver string) error {
	if group, ok := strings.CutPrefix(approver, "group:"); ok {
		members, there := r.Groups[group]
		switch {
		case !there:
			return fmt.Errorf("there is no group %q: declare it in approvals.groups", group)
		case len(members) == 0:
			return fmt.Errorf("the group %q is empty", group)
		}
		return nil
	}
	if _, there := r.People[approver]; !there && approver != Local {
		return fmt.Errorf("there is no approver %q: declare them in approvals.people", approver)
	}
	return nil
}
