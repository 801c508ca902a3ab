package filter_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/store"
)

// UI-10: a filter has its bounds.
func TestLimits(t *testing.T) {
	for text, ok := range map[string]bool{
		strings.Repeat("a ", filter.MaxTerms):                     true,
		strings.Repeat("a ", filter.MaxTerms+1):                   false,
		strings.Repeat("a", filter.MaxBytes):                      true,
		strings.Repeat("a", filter.MaxBytes+1):                    false,
		strings.Repeat("(", 500) + "a" + strings.Repeat(")", 500): true,
		"a\x00": false, "a\x1fb": false, "\xff": false, "a\x7f": false, "\"a\nb\"": true,
	} {
		if _, err := filter.Parse(text, filter.Events, now); (err == nil) != ok {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

// UI-09: approvals have keys of their own.
func TestApprovals(t *testing.T) {
	a := &store.Approval{ID: "apr_1", State: store.Pending, Tool: "pay", Summary: "amount=60000", Reason: "This is a lot", Host: "fim",
		Project: "/srv/finance", User: "os:1", Hook: "gate", Source: "trammel.yaml:14", PolicyDigest: "d", Created: store.At(now.Add(-60e9)),
		Expires: store.At(now.Add(300e9)), Needs: store.Needs{Factors: []store.Factor{{Approvers: []string{"group:fin"}, N: 2}}},
		Votes: []store.Vote{{Approver: "al", Identity: "slack:T1/U1"}}, Asks: []store.Ask{{Session: "s1", Host: "fim"},
			{Session: "s2", Host: "x"}},
		Edit: &store.Edit{}}
	for text, want := range map[string]bool{
		"": true, "LOT": true, "60000": true, "state:pending": true, "state:approved,rejected": false, "tool:p*": true, "session:s2": true,
		"session:s3": false, "host:x": true, "requester:os:1": true, "approver:al": true, "approver:group:fin": true, "approver:bo": false,
		"policy:gate": true, "policy:trammel.yaml:14": true, "expires:<10m": true, "expires:<4m": false, "expires:>=5m": true, "since:2m": true,
		"since:30s": false, "is:mine": true, "-is:mine": false, "is:rewritten": true, "project:/srv/**": true, "id:apr_1": true,
		"user:os:1": true,
		`agent:""`:  true, "hook:gate": true, `reason:~"^This"`: true,
	} {
		q, err := filter.Parse(text, filter.Approvals, now)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := q.Match(store.Item{Approval: a, Mine: true}); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	forever := store.Item{Approval: &store.Approval{}}
	for text, want := range map[string]bool{"expires:<10m": false, "expires:>10m": true, "is:mine": false} {
		if q, err := filter.Parse(text, filter.Approvals, now); err != nil || q.Match(forever) != want {
			t.Errorf("%s of what never expires: %v", text, err)
		}
	}
	for _, text := range []string{"decision:deny", "is:failed", "state:open", "expires:~x"} {
		if _, err := filter.Parse(text, filter.Approvals, now); err == nil {
			t.Errorf("%s is a filter for approvals", text)
		}
	}
}

// UI-10: whatever is typed is a query or an error with a column in the text,
// and only parameters carry what was typed into SQL.
func FuzzParse(f *testing.F) {
	events := corpus(f)
	for _, seed := range []string{"host:codex decision:deny,ask -(path:**/*.env OR x)", `tool:~"^a(b|c)" took:>1ms since:2h`,
		`"a\"b\\" -is:trial`} {
		f.Add(seed)
	}
	columns := map[string]filter.Column{filter.Word: {Name: "c"}, filter.At: {Name: "c"}, "path": {Name: "c", Many: true}}
	for _, key := range append(filter.Keys(filter.Events), filter.Keys(filter.Approvals)...) {
		if key != "path" {
			columns[key] = filter.Column{Name: "c"}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range []filter.Scope{filter.Events, filter.Approvals} {
			q, err := filter.Parse(text, s, now)
			var at *filter.Error
			switch {
			case err == nil:
			case !errors.As(err, &at) || at.Column < 1 || at.Column > utf8.RuneCountInString(text)+1:
				t.Fatalf("%q: %v", text, err)
			default:
				continue
			}
			sql, args, _ := q.Where(&filter.Table{Columns: columns, Contains: "strpos"}, 1)
			if strings.Trim(sql, "c()$ <>=0123456789,ANDORTstrpo") != "" || strings.Count(sql, "$") != len(args) {
				t.Fatalf("%q: %s with %d parameters", text, sql, len(args))
			}
			for i := range events {
				q.Match(&events[i])
			}
		}
	})
}
