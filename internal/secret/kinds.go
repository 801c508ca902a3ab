package secret

import (
	"slices"
	"strings"
)

// shaped are the kinds that are found by code instead of a rule.
func shaped() []string {
	return []string{"airtable-token", "azure-client-secret", "basic-auth", "bearer-token", "database-password", "databricks-token",
		"discord-token", "grafana-token", "jwt", "mailchimp-key", "mailgun-key", "openshift-token", "paypal-token", "private-key",
		"telegram-token", "terraform-token", "url-password", "url-token", FileKind}
}

// Kinds returns every kind of secret that there is a name for, sorted.
func Kinds() []string {
	out := shaped()
	for t := range ruleRows {
		for _, rows := range ruleRows[t] {
			for row := range strings.SplitSeq(rows, "; ") {
				if kind, _, ok := strings.Cut(row, " "); ok {
					out = append(out, kind)
				}
			}
		}
	}
	for _, rules := range keyNames {
		for i := range rules {
			if rules[i].kind != "" {
				out = append(out, rules[i].kind)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
