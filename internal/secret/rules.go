package secret

import "strings"

// rule is a shape that an issuer gave to its secrets: a prefix around the
// trigger byte, then at least min characters of a class.
type rule struct {
	kind  string
	head  string // what stands before the trigger
	tail  string // what stands after it
	class class
	min   int
	check check
}

// check is what else a rule demands, where its prefix alone says too little.
type check uint8

const (
	starting check = 1 << iota // a word starts with it
	mixed                      // digits among letters
	exact                      // not a character more than min
)

var underscoreRules = []rule{
	{"github-token", "ghp", "", alnum, 30, 0},
	{"github-token", "gho", "", alnum, 30, 0},
	{"github-token", "ghu", "", alnum, 30, 0},
	{"github-token", "ghs", "", dotted, 30, 0},
	{"github-token", "ghr", "", alnum, 30, 0},
	{"github-pat", "github", "pat_", word, 36, 0},
	{"npm-token", "npm", "", alnum, 30, 0},
	{"docker-token", "dckr", "pat_", token, 20, 0},
	{"docker-token", "dckr", "oat_", token, 20, 0},
	{"huggingface-token", "hf", "", alnum, 30, starting},
	{"huggingface-token", "api", "org_", alnum, 30, starting},
	{"stripe-key", "sk", "live_", alnum, 16, 0},
	{"stripe-key", "sk", "test_", alnum, 16, mixed},
	{"stripe-key", "rk", "live_", alnum, 16, 0},
	{"stripe-key", "rk", "test_", alnum, 16, mixed},
	{"stripe-webhook-secret", "whsec", "", base64, 24, 0},
	{"digitalocean-token", "dop", "v1_", hex, 40, 0},
	{"digitalocean-token", "doo", "v1_", hex, 40, 0},
	{"digitalocean-token", "dor", "v1_", hex, 40, 0},
	{"shopify-token", "shpat", "", alnum, 30, 0},
	{"shopify-token", "shpca", "", alnum, 30, 0},
	{"shopify-token", "shppa", "", alnum, 30, 0},
	{"shopify-token", "shpss", "", alnum, 30, 0},
	{"grafana-token", "glsa", "", word, 36, 0},
	{"grafana-token", "glc", "eyJ", base64, 28, 0},
	{"linear-token", "lin", "api_", alnum, 30, 0},
	{"linear-token", "lin", "oauth_", alnum, 30, 0},
	{"notion-token", "secret", "", alnum, 40, mixed},
	{"notion-token", "ntn", "", alnum, 40, 0},
	{"sentry-token", "sntrys", "", anything, 40, 0},
	{"sentry-token", "sntryu", "", hex, 40, 0},
	{"planetscale-token", "pscale", "tkn_", dotted, 30, 0},
	{"planetscale-token", "pscale", "pw_", dotted, 30, 0},
	{"planetscale-token", "pscale", "oauth_", dotted, 30, 0},
	{"rubygems-token", "rubygems", "", hex, 40, 0},
	{"groq-key", "gsk", "", alnum, 40, starting},
	{"replicate-token", "r8", "", alnum, 36, starting},
	{"supabase-token", "sbp", "", hex, 40, 0},
	{"supabase-token", "sb", "secret_", token, 20, starting | mixed},
	{"figma-token", "figd", "", token, 36, 0},
	{"netlify-token", "nfp", "", alnum, 36, starting},
	{"posthog-key", "phx", "", alnum, 36, starting},
	{"langsmith-key", "lsv2", "pt_", word, 36, 0},
	{"langsmith-key", "lsv2", "sk_", word, 36, 0},
	{"1password-token", "ops", "eyJ", token, 100, 0},
	{"fly-token", "fm2", "", base64, 40, starting},
	{"shippo-token", "shippo", "live_", hex, 36, 0},
}

var dashRules = []rule{
	{"anthropic-key", "sk", "ant-", token, 24, 0},
	{"openai-key", "sk", "proj-", token, 24, 0},
	{"openai-key", "sk", "svcacct-", token, 24, 0},
	{"openai-key", "sk", "admin-", token, 24, mixed},
	{"openrouter-key", "sk", "or-", token, 36, mixed},
	{"openai-key", "sk", "", token, 20, starting | mixed},
	{"gitlab-token", "glpat", "", dotted, 18, 0},
	{"gitlab-token", "gldt", "", dotted, 18, 0},
	{"gitlab-token", "glrt", "", dotted, 18, 0},
	{"gitlab-token", "glptt", "", dotted, 18, 0},
	{"gitlab-token", "glcbt", "", dotted, 18, 0},
	{"gitlab-token", "glagent", "", dotted, 18, 0},
	{"gitlab-token", "gloas", "", dotted, 18, 0},
	{"slack-token", "xoxb", "", token, 16, 0},
	{"slack-token", "xoxp", "", token, 16, 0},
	{"slack-token", "xoxa", "", token, 16, 0},
	{"slack-token", "xoxr", "", token, 16, 0},
	{"slack-token", "xoxs", "", token, 16, 0},
	{"slack-token", "xoxc", "", token, 16, 0},
	{"slack-token", "xoxd", "", anything, 16, 0},
	{"slack-token", "xoxe", "", dotted, 16, 0},
	{"slack-token", "xoxe.xoxp", "", dotted, 16, 0},
	{"slack-token", "xapp", "", token, 20, mixed},
	{"pypi-token", "pypi", "", token, 50, 0},
	{"new-relic-key", "NRAK", "", alnum, 20, 0},
	{"new-relic-key", "NRII", "", token, 20, 0},
	{"age-secret-key", "AGE", "SECRET-KEY-1", upper | digit, 40, 0},
	{"mailgun-key", "key", "", hex, 32, starting | exact},
	{"square-token", "sq0atp", "", token, 20, 0},
	{"square-token", "sq0csp", "", token, 20, 0},
	{"postman-key", "PMAK", "", token, 40, 0},
	{"google-oauth-secret", "GOCSPX", "", token, 20, 0},
	{"brevo-key", "xkeysib", "", token, 40, 0},
	{"pulumi-token", "pul", "", hex, 40, starting | exact},
	{"tailscale-key", "tskey", "", token, 16, mixed},
	{"xai-key", "xai", "", alnum, 40, starting},
	{"perplexity-key", "pplx", "", alnum, 40, starting},
}

var dotRules = []rule{
	{"google-oauth-token", "ya29", "", token, 20, 0},
	{"sendgrid-key", "SG", "", dotted, 40, starting | mixed},
	{"vault-token", "hvs", "", token, 20, 0},
	{"vault-token", "hvb", "", token, 20, 0},
	{"vault-token", "hvr", "", token, 20, 0},
	{"doppler-token", "dp", "pt.", alnum, 36, starting},
	{"doppler-token", "dp", "st.", dotted, 36, starting},
	{"doppler-token", "dp", "ct.", alnum, 36, starting},
	{"doppler-token", "dp", "sa.", alnum, 36, starting},
	{"dynatrace-token", "dt0c01", "", dotted, 60, 0},
	{"dropbox-token", "sl", "", token, 100, starting | mixed},
	{"slack-webhook", "hooks", "slack.com/services/", anything, 20, 0},
	{"slack-webhook", "hooks", "slack.com/workflows/", anything, 20, 0},
	{"slack-webhook", "hooks", "slack.com/triggers/", anything, 20, 0},
	{"discord-webhook", "discord", "com/api/webhooks/", anything, 40, 0},
	{"discord-webhook", "discordapp", "com/api/webhooks/", anything, 40, 0},
	{"teams-webhook", "webhook", "office.com/webhookb2/", anything, 40, 0},
}

var upperARules = []rule{
	{"aws-access-key-id", "", "KIA", upper | digit, 16, starting},
	{"aws-access-key-id", "", "SIA", upper | digit, 16, starting},
	{"aws-access-key-id", "", "BIA", upper | digit, 16, starting},
	{"google-api-key", "", "Iza", token, 30, starting},
	{"atlassian-token", "", "TATT3", anything, 50, 0},
	{"twilio-account", "", "C", hex, 32, starting | exact},
}

var upperERules = []rule{
	{"square-token", "", "AAA", token, 56, starting},
}

var upperSRules = []rule{
	{"twilio-key", "", "K", hex, 32, starting | exact},
}

// prefixed tries rules whose trigger is at i.
func (s *scanner) prefixed(rules []rule, i int) int {
	// No rule is content with less than 16 characters behind its trigger, so
	// that most triggers in ordinary text are dismissed by a glance.
	if i+15 >= len(s.text) || classes[s.text[i+15]] == 0 || classes[s.text[i+8]] == 0 || classes[s.text[i+4]] == 0 {
		return i + 1
	}
	before := s.at(i - 1)
	for k := range rules {
		r := &rules[k]
		if n := len(r.head); n > 0 && r.head[n-1] != before || !strings.HasPrefix(s.text[i+1:], r.tail) || !strings.HasSuffix(s.text[:i], r.head) {
			continue
		}
		if end, ok := s.fits(r, i); ok {
			return s.add(r.kind, i-len(r.head), end)
		}
	}
	return i + 1
}

func (s *scanner) fits(r *rule, i int) (end int, ok bool) {
	body := i + 1 + len(r.tail)
	end = s.runMax(body, r.class, look)
	capped := end-body == look
	for end > body && s.text[end-1] == '.' { // the end of a sentence
		end--
	}
	switch {
	case end-body < r.min,
		r.check&starting != 0 && !s.starts(i-len(r.head)),
		r.check&exact != 0 && (end-body != r.min || classes[s.at(end)]&alnum != 0),
		repetitive(s.text[body:end]):
		return 0, false
	}
	if r.check&mixed != 0 {
		if c, _ := classOf(s.text[body:end]); c&digit == 0 || c&letters == 0 || entropy(s.text[body:end]) < 3 {
			return 0, false
		}
	}
	if capped {
		end = s.run(end, r.class)
	}
	return end, true
}
