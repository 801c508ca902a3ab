// Package secrettest makes random secrets of every kind and texts that carry
// them, for tests that nothing of a secret gets through.
package secrettest

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

const (
	digits = "0123456789"
	hex    = digits + "abcdef"
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alnum  = digits + lower + upper
	word   = alnum + "_"
	token  = word + "-"
	base32 = upper + "234567"
)

// Maker makes a secret of one kind: text to be put somewhere, and the part of
// it that must not get through.
type Maker struct {
	Kind string
	make func(r *rand.Rand) (text, secret string)
}

// Make makes one.
func (m *Maker) Make(r *rand.Rand) (text, secret string) { return m.make(r) }

// Makers returns a maker for each kind.
func Makers() []Maker {
	var out []Maker
	add := func(kind string, make func(r *rand.Rand) (string, string)) { out = append(out, Maker{kind, make}) }
	for _, s := range [...]struct {
		kind, prefix, alphabet string
		n                      int
	}{
		{"github-classic", "ghp_", alnum, 36}, {"github-oauth", "gho_", alnum, 36}, {"github-user", "ghu_", alnum, 36},
		{"github-server", "ghs_", alnum, 36}, {"github-refresh", "ghr_", alnum, 36}, {"github-pat", "github_pat_", alnum, 82},
		{"gitlab", "glpat-", token, 20}, {"npm", "npm_", alnum, 36}, {"pypi", "pypi-AgEIcHlwaS5vcmc", token, 90},
		{"docker", "dckr_pat_", token, 27},
		{"huggingface", "hf_", lower + upper, 34}, {"stripe-secret", "sk_live_", alnum, 24}, {"stripe-restricted", "rk_live_", alnum, 24},
		{"openai", "sk-", alnum, 48}, {"openai-project", "sk-proj-", token, 80}, {"anthropic", "sk-ant-api03-", token, 95},
		{"google-api", "AIza", token, 35}, {"google-oauth", "ya29.", token, 60}, {"google-client", "GOCSPX-", token, 28},
		{"slack-bot", "xoxb-", digits + lower, 40}, {"slack-user", "xoxp-", alnum, 50}, {"slack-app", "xapp-1-", alnum, 50},
		{"slack-webhook", "https://hooks.slack.com/services/T", upper + digits, 40},
		{"twilio-key", "SK", hex, 32}, {"twilio-account", "AC", hex, 32}, {"mailgun", "key-", hex, 32}, {"aws-key-id", "AKIA", base32, 16},
		{"aws-session-id", "ASIA", base32, 16},
		{"digitalocean", "dop_v1_", hex, 64}, {"shopify", "shpat_", hex, 32}, {"square", "sq0atp-", token, 22},
		{"square-access", "EAAA", alnum, 60},
		{"databricks", "dapi", hex, 32}, {"vault", "hvs.", alnum, 90}, {"doppler", "dp.pt.", alnum, 43}, {"linear", "lin_api_", alnum, 40},
		{"notion", "ntn_", alnum, 46}, {"grafana", "glsa_", alnum, 41}, {"new-relic", "NRAK-", upper + digits, 27},
		{"sentry", "sntryu_", hex, 64},
		{"age", "AGE-SECRET-KEY-1", upper + digits, 58}, {"figma", "figd_", alnum, 40}, {"rubygems", "rubygems_", hex, 48},
		{"replicate", "r8_", alnum, 37},
		{"supabase", "sbp_", hex, 40}, {"groq", "gsk_", alnum, 52}, {"tailscale", "tskey-auth-", alnum, 30}, {"brevo", "xkeysib-", hex, 64},
		{"postman", "PMAK-", hex, 59},
		{"gitlab-runner", "glrt-", token, 20}, {"gitlab-feed", "glft-", token, 20}, {"slack-legacy", "xoxa-2-", alnum, 40},
		{"slack-trigger", "https://hooks.slack.com/triggers/T", upper + digits, 40},
		{"discord-webhook", "https://discord.com/api/webhooks/1", digits, 60}, {"openai-service", "sk-svcacct-", token, 80},
		{"openrouter", "sk-or-v1-", hex, 64}, {"xai", "xai-", alnum, 80},
		{"perplexity", "pplx-", alnum, 48}, {"nvidia", "nvapi-", token, 64}, {"cerebras", "csk-", alnum, 48}, {"fireworks", "fw_", alnum, 24},
		{"together", "tgp_v1_", token, 43}, {"pinecone", "pcsk_", word, 70},
		{"jina", "jina_", alnum, 60}, {"tavily", "tvly-dev-", alnum, 32}, {"voyage", "pa-", token, 43}, {"langsmith", "lsv2_pt_", hex, 43},
		{"elevenlabs", "sk_", hex, 48}, {"stripe-test", "sk_test_", alnum, 24},
		{"stripe-webhook", "whsec_", alnum, 32}, {"shopify-shared", "shpss_", hex, 32}, {"shippo", "shippo_live_", hex, 40},
		{"duffel", "duffel_live_", token, 43}, {"plaid", "access-production-", hex, 36},
		{"easypost", "EZAK", alnum, 54}, {"flutterwave", "FLWSECK-", hex, 32}, {"vault-batch", "hvb.", token, 130},
		{"vault-recovery", "hvr.", token, 60}, {"doppler-service", "dp.st.prd.", alnum, 43},
		{"pulumi", "pul-", hex, 40}, {"terraform-cloud", "Zk3vYp0qLm8RtX.atlasv1.", token, 67}, {"clojars", "CLOJARS_", hex, 60},
		{"buildkite", "bkua_", hex, 40}, {"circleci", "CCIPAT_", alnum, 50},
		{"sourcegraph", "sgp_", hex, 40}, {"sonar", "squ_", hex, 40}, {"typeform", "tfp_", token, 59}, {"vercel", "vcp_", alnum, 56},
		{"deno", "ddp_", alnum, 36}, {"render", "rnd_", alnum, 28}, {"neon", "napi_", alnum, 64},
		{"netlify", "nfp_", alnum, 40}, {"fly", "fm2_", alnum, 60}, {"planetscale", "pscale_tkn_", token, 43},
		{"supabase-secret", "sb_secret_", token, 31}, {"posthog", "phx_", alnum, 43}, {"polar", "polar_oat_", alnum, 43},
		{"prefect", "pnu_", alnum, 36}, {"readme", "rdme_", lower + digits, 70}, {"sentry-org", "sntrys_", alnum, 80},
		{"hubspot", "pat-na1-", hex, 36}, {"contentful", "CFPAT-", token, 43}, {"heroku", "HRKU-", token, 60},
		{"infracost", "ico-", alnum, 32}, {"frameio", "fio-u-", token, 64}, {"scalingo", "tk-us-", token, 48},
		{"adobe", "p8e-", lower + digits, 32}, {"dynatrace", "dt0c01.", upper + digits, 89},
		{"dropbox", "sl.", token, 135}, {"bitbucket", "ATBB", alnum, 32}, {"bitbucket-repo", "ATCTT3xFfG", token, 160},
		{"atlassian", "ATATT3xFfGF0", token, 180}, {"alibaba", "LTAI", alnum, 20}, {"tencent", "AKID", alnum, 32},
		{"jfrog", "AKCp", alnum, 69}, {"yandex", "AQVN", token, 37}, {"zapier", "https://hooks.zapier.com/hooks/catch/1", digits, 16},
		{"new-relic-insert", "NRII-", token, 32}, {"mapbox", "sk.eyJ", alnum, 80},
	} {
		add(s.kind, func(r *rand.Rand) (string, string) {
			body := pick(r, s.alphabet, s.n)
			return s.prefix + body, body
		})
	}
	for _, s := range [...]struct {
		kind, before, alphabet, after string
		n                             int
	}{
		{"aws-secret", "AWS_SECRET_ACCESS_KEY=", alnum + "/+", "", 40}, {"azure-storage", "AccountKey=", alnum, "==", 86},
		{"env-password", "DB_PASSWORD=", alnum, "", 16},
		{"yaml-password", "password: ", alnum, "", 14}, {"query-token", "https://h.example/p?access_token=", alnum, "&x=1", 32},
		{"bearer", "Authorization: Bearer ", alnum, "", 40},
		{"basic-url", "https://bob:", alnum, "@h.example/p", 16}, {"postgres-url", "postgres://app:", alnum, "@db:5432/app", 20},
		{"api-key", "x-api-key: ", hex, "", 32},
		{"client-secret", "client_secret=", token, "", 40}, {"option", "login --password ", alnum, " -v", 12},
		{"generic-key", "ENCRYPTION_KEY=", alnum, "", 44},
		{"cookie", "Cookie: sid=", alnum, "", 32}, {"set-cookie", "Set-Cookie: session=", alnum, "; HttpOnly", 40},
		{"session", "PHPSESSID=", lower + digits, "", 26},
		{"netrc", "machine h.example login bob password ", alnum, "", 16}, {"sql", "CREATE USER app WITH PASSWORD '", alnum, "';", 16},
		{"mysql-option", "mysql -u root -p", alnum, " shop", 14},
		{"curl-user", "curl -u admin:", alnum, " https://h.example", 14}, {"mongo-url", "mongodb+srv://app:", alnum, "@c0.example/app", 18},
		{"redis-url", "redis://:", alnum, "@cache:6379/0", 24},
		{"amqp-url", "amqps://svc:", alnum, "@mq.example/v", 20}, {"git-url", "https://x-access-token:", alnum, "@github.com/o/r.git", 40},
		{"cloudflare", "CLOUDFLARE_API_TOKEN=", token, "", 40},
		{"datadog", "DD_API_KEY=", hex, "", 32}, {"snyk", "SNYK_TOKEN=", hex, "", 36}, {"gcp-refresh", "\"refresh_token\": \"1//0", token, "\"",
			60}, {"azure-sas", "?sv=2024-11-04&sig=", alnum, "%3D", 43},
		{"azure-bus", "SharedAccessKeyName=root;SharedAccessKey=", alnum, "=", 43}, {"sqlserver", "Server=db;User Id=sa;Password=", alnum,
			";Encrypt=true", 18}, {"tfvars", "db_password = \"", alnum, "\"", 20},
		{"k8s-key", "client-key-data: ", alnum, "", 120}, {"npmrc", "//registry.npmjs.org/:_authToken=", hex, "", 36},
		{"docker-auth", "\"auth\": \"", alnum, "=\"", 43}, {"django", "SECRET_KEY = '", alnum, "'", 50},
		{"vault-env", "VAULT_TOKEN=", alnum, "", 26}, {"aws-session", "aws_session_token = ", alnum, "", 200},
		{"putty", "Private-Lines: 1\n", alnum, "\nPrivate-MAC: 00", 64},
	} {
		add(s.kind, func(r *rand.Rand) (string, string) {
			body := pick(r, s.alphabet, s.n)
			return s.before + body + s.after, body
		})
	}
	add("telegram", func(r *rand.Rand) (string, string) {
		body := "AA" + pick(r, token, 33)
		return pick(r, "123456789", 10) + ":" + body, body
	})
	add("discord", func(r *rand.Rand) (string, string) {
		body := pick(r, token, 38)
		return "M" + pick(r, alnum, 23) + "." + pick(r, alnum, 6) + "." + body, body
	})
	add("azure-client", func(r *rand.Rand) (string, string) {
		body := pick(r, alnum, 34)
		return pick(r, alnum, 3) + "8Q~" + body, body
	})
	add("paypal", func(r *rand.Rand) (string, string) {
		body := pick(r, hex, 32)
		return "access_token$production$" + pick(r, lower+digits, 16) + "$" + body, body
	})
	add("mailchimp", func(r *rand.Rand) (string, string) {
		body := pick(r, hex, 32)
		return body + "-us12", body
	})
	add("mailgun-new", func(r *rand.Rand) (string, string) {
		body := pick(r, hex, 32)
		return body + "-" + pick(r, hex, 8) + "-" + pick(r, hex, 8), body
	})
	add("airtable", func(r *rand.Rand) (string, string) {
		body := pick(r, hex, 64)
		return "pat" + pick(r, alnum, 14) + "." + body, body
	})
	add("openshift", func(r *rand.Rand) (string, string) {
		body := pick(r, token, 43)
		return "sha256~" + body, body
	})
	add("openssh-key", func(r *rand.Rand) (string, string) {
		body := pick(r, alnum+"+/", 70)
		return "-----BEGIN OPENSSH PRIVATE KEY-----\n" + body + "\n" + pick(r, alnum, 70) + "\n-----END OPENSSH PRIVATE KEY-----", body
	})
	add("sendgrid", func(r *rand.Rand) (string, string) {
		body := pick(r, token, 43)
		return "SG." + pick(r, token, 22) + "." + body, body
	})
	add("jwt", func(r *rand.Rand) (string, string) {
		body := pick(r, token, 43)
		claims := base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprintf(`{"sub":"%s"}`, pick(r, digits, 10))))
		return "eyJhbGciOiJIUzI1NiJ9." + claims + "." + body, body
	})
	add("private-key", func(r *rand.Rand) (string, string) {
		body := pick(r, alnum+"+/", 64)
		return "-----BEGIN RSA PRIVATE KEY-----\n" + pick(r, alnum, 64) + "\n" + body + "\n-----END RSA PRIVATE KEY-----", body
	})
	return out
}

// pick draws n characters. The first and last are letters or digits, and some
// digit is among them, as issuers see to.
func pick(r *rand.Rand, alphabet string, n int) string {
	for {
		out := make([]byte, n)
		for i := range out {
			out[i] = alphabet[r.IntN(len(alphabet))]
		}
		s := string(out)
		plain := func(c byte) bool { return strings.IndexByte(alnum, c) >= 0 }
		if plain(s[0]) && plain(s[n-1]) && (strings.ContainsAny(s, digits) || !strings.ContainsAny(alphabet, digits)) {
			return s
		}
	}
}

// Carrier is a place where a secret turns up.
type Carrier struct {
	Name string
	Wrap func(text string) string
}

// Carriers returns the places.
func Carriers() []Carrier {
	quote := func(s string) string {
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s)
	}
	return []Carrier{
		{"bare", func(s string) string { return s }},
		{"sentence", func(s string) string { return "It is " + s + " and nothing else." }},
		{"shell", func(s string) string { return "echo '" + s + "' | tee out.txt && ls -la" }},
		{"json", func(s string) string { return `{"note":"` + quote(s) + `","n":1}` }},
		{"json in json", func(s string) string { return `{"a":"` + quote(`{"b":"`+quote(s)+`"}`) + `"}` }},
		{"lines", func(s string) string { return "first line\n" + s + "\nlast line" }},
		{"escaped lines", func(s string) string { return `first line\n` + quote(s) + `\nlast line` }},
		{"tab escape", func(s string) string { return `col\t` + quote(s) + `\tcol` }},
		{"colour", func(s string) string { return "\x1b[32m" + s + "\x1b[0m" }},
		{"url fragment", func(s string) string { return "see https://h.example/p#" + s }},
	}
}
