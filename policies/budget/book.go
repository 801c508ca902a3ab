package budget

import (
	"context"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/state"
)

// book does the accounting for one event of a session.
type book struct {
	*policy
	counters state.Counters
	ev       *trammel.Event
	session  string

	duplicate []trammel.Finding // the call was reported before
}

func (b *book) key(words ...string) []string {
	return append([]string{"budget", b.ev.Host, b.session}, words...)
}

// family finds the session that pays: the topmost one. A host may tell only the
// direct parent; its own parent was stored when its events came in.
func (b *book) family(ctx context.Context) (string, error) {
	own := state.Session(b.ev)
	above := b.ev.Session.Parents
	if len(above) == 0 || above[len(above)-1] == own {
		return own, nil
	}
	root := above[len(above)-1]
	note := func(of string) []string { return []string{"budget-root", b.ev.Host, of} }
	err := b.counters.Update(ctx, note(root), func(old []byte) ([]byte, error) {
		if old != nil {
			root = string(old)
		}
		return nil, nil
	})
	if err == nil {
		err = b.counters.Update(ctx, note(own), func(old []byte) ([]byte, error) {
			if string(old) == root || root == "" {
				return nil, nil
			}
			return []byte(root), nil
		})
	}
	return root, err
}

// prices separates counts that are based on different prices.
func (b *book) prices() string { return fmt.Sprint(b.Prices) }

func (b *book) measured(name string) []string {
	if name == cost {
		return b.key(name, b.prices())
	}
	return b.key(name)
}

// once reports whether no other hook of this dispatch has counted under a key.
// Several layers may declare budgets, but it is only one call. The entry has
// what was counted.
func (b *book) once(key []string) (e *entry, first bool) {
	e = b.ev.Memo(memoKey(strings.Join(key, "\x00")), func() any { first = true; return &entry{} }).(*entry)
	return e, first
}

type memoKey string

// entry says whether an event was counted or refused.
type entry struct{ counted bool }

// enter adds what a call of the model used, if the host reports that.
func (b *book) enter(ctx context.Context) error {
	m := b.ev.Model
	if m == nil {
		return nil
	}
	use := bounded(m.Usage)
	money := int64(min(max(m.Cost, 0), maxCost) * millionth)
	if money == 0 {
		money = b.policy.cost(b.ev.Session.Model, use)
	}
	var claims []state.Claim
	add := func(name string, n int64) {
		key := b.measured(name)
		if _, first := b.once(key); first && n > 0 {
			claims = append(claims, state.Claim{Key: key, N: n})
		}
	}
	add(tokens, size(use))
	add(cost, money)
	if len(claims) == 0 {
		return nil
	}
	_, err := b.counters.Take(ctx, claims...)
	return err
}

// judge takes what the event uses from the budgets, and denies it if one of them
// is too small.
func (b *book) judge(ctx context.Context) (trammel.Answer, error) {
	measures := b.measures(b.ev.Kind)
	use, mark, err := b.take(ctx, measures)
	if err != nil {
		return trammel.Answer{}, err
	}
	out := trammel.Answer{Facts: state.Note(mark), Findings: b.duplicate}
	for i, m := range measures {
		used := use[i].used
		if use[i].over {
			out.Decision = trammel.Deny
			out.Findings = append(out.Findings, trammel.Finding{Code: "budget_" + m.name, Severity: "error", Target: fmt.Sprintf("%s of %s",
				m.amount(used), m.amount(m.limit))})
			if out.Reason == "" {
				out.Reason = fmt.Sprintf("The budget of this session is used up: %s, and %s is the limit. Tell the person what is done and what is "+
					"left; a new session, or a higher %s, gives more.",
					m.amount(used), m.amount(m.limit), m.option())
			}
			continue
		}
		text, err := b.warning(ctx, &m, used)
		if err != nil {
			return trammel.Answer{}, err
		}
		if text != "" {
			out.Context = append(out.Context, text)
			out.Findings = append(out.Findings, trammel.Finding{Code: "budget_warning", Severity: "warning", Target: m.name})
		}
	}
	return out, nil
}

// standing is how much of a budget is used, and whether that is too much for the
// current event.
type standing struct {
	used int64
	over bool
}

// take counts the event, unless that has been done, and returns the standing of
// all budgets. The mark is for the next round, if a guard rewrites the call.
func (b *book) take(ctx context.Context, measures []measure) (out []standing, mark string, err error) {
	var written usage // what the transcript says
	if b.Tokens > 0 || b.Cost > 0 {
		if written, err = b.transcript(ctx); err != nil {
			return nil, "", err
		}
	}
	own := b.key(b.ev.Kind.String())
	mark = strings.Join(own, "\x00")
	was, first := b.once(own)
	if state.Counted(b.ev, mark) {
		was.counted, first = true, false
	}
	claims := make([]state.Claim, len(measures))
	for i, m := range measures {
		claims[i] = state.Claim{Key: b.measured(m.name)}
		switch {
		case m.counts && first:
			claims[i].N, claims[i].Limit = 1, m.limit
		case m.name == lasted:
			claims[i].N = 1 // asking for its age starts the clock
		}
	}
	counts, err := b.counters.Take(ctx, claims...)
	if err != nil {
		return nil, "", err
	}
	if first {
		was.counted = state.Taken(counts)
	}
	b.duplicate = state.Duplicates(b.ev, counts)
	out = make([]standing, len(measures))
	for i, m := range measures {
		s := standing{counts[i].Used, !counts[i].Room}
		switch {
		case m.name == tokens:
			s.used += written.Tokens
			s.over = s.used >= m.limit
		case m.name == cost:
			s.used += written.Cost
			s.over = s.used >= m.limit
		case m.name == lasted:
			s.used = int64(counts[i].Age)
			s.over = s.used >= m.limit
		case !first && was.counted:
			s.over = s.used > m.limit
		case !first:
			s.over = s.used >= m.limit
		}
		out[i] = s
	}
	return out, mark, nil
}

// warning tells the model once that a budget is nearly used up, on an event that
// can carry it.
func (b *book) warning(ctx context.Context, m *measure, used int64) (string, error) {
	if b.Warn == 0 || !b.ev.Kind.Can().Any(trammel.Inject) || float64(used)*100 < float64(b.Warn)*float64(m.limit) {
		return "", nil
	}
	first, err := b.counters.Take(ctx, state.Claim{Key: b.key("warned", m.name, m.amount(m.limit)), N: 1, Limit: 1})
	if err != nil || !state.Taken(first) {
		return "", err
	}
	return fmt.Sprintf("This session has used %s; its budget ends at %s. Bring the work to a state that can be handed over.", m.amount(used),
		m.amount(m.limit)), nil
}
