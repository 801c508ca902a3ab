package secret

import "slices"

// shaped are the kinds that are found by code instead of a rule.
func shaped() []string {
	return []string{"airtable-token", "azure-client-secret", "basic-auth", "bearer-token", "database-password", "databricks-token",
		"discord-token",
		"grafana-token", "jwt", "mailchimp-key", "mailgun-key", "openshift-token", "paypal-token", "private-key", "telegram-token",
		"terraform-token",
		"url-password", "url-token", FileKind}
}

// Kinds returns every kind of secret that there is a name for, sorted.
func Kinds() []string {
	out := shaped()
	for _, rules := range [...]*[128][]rule{&underscoreRules, &dashRules, &dotRules} {
		for _, list := range rules {
			out = appendKinds(out, list)
		}
	}
	for _, list := range [...][]rule{upperARules, upperERules, upperSRules} {
		out = appendKinds(out, list)
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

func appendKinds(out []string, rules []rule) []string {
	for i := range rules {
		out = append(out, rules[i].kind)
	}
	return out
}
