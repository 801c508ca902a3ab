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
		{"gitlab", "glpat-", token, 20}, {"npm", "npm_", alnum, 36}, {"pypi", "pypi-AgEIcHlwaS5vcmc", token, 90}, {"docker", "dckr_pat_", token, 27},
		{"huggingface", "hf_", lower + upper, 34}, {"stripe-secret", "sk_live_", alnum, 24}, {"stripe-restricted", "rk_live_", alnum, 24},
		{"openai", "sk-", alnum, 48}, {"openai-project", "sk-proj-", token, 80}, {"anthropic", "sk-ant-api03-", token, 95},
		{"google-api", "AIza", token, 35}, {"google-oauth", "ya29.", token, 60}, {"google-client", "GOCSPX-", token, 28},
		{"slack-bot", "xoxb-", digits + lower, 40}, {"slack-user", "xoxp-", alnum, 50}, {"slack-app", "xapp-1-", alnum, 50},
		{"slack-webhook", "https://hooks.slack.com/services/T", upper + digits, 40},
		{"twilio-key", "SK", hex, 32}, {"twilio-account", "AC", hex, 32}, {"mailgun", "key-", hex, 32}, {"aws-key-id", "AKIA", base32, 16}, {"aws-session-id", "ASIA", base32, 16},
		{"digitalocean", "dop_v1_", hex, 64}, {"shopify", "shpat_", hex, 32}, {"square", "sq0atp-", token, 22}, {"square-access", "EAAA", alnum, 60},
		{"databricks", "dapi", hex, 32}, {"vault", "hvs.", alnum, 90}, {"doppler", "dp.pt.", alnum, 43}, {"linear", "lin_api_", alnum, 40},
		{"notion", "ntn_", alnum, 46}, {"grafana", "glsa_", alnum, 41}, {"new-relic", "NRAK-", upper + digits, 27}, {"sentry", "sntryu_", hex, 64},
		{"age", "AGE-SECRET-KEY-1", upper + digits, 58}, {"figma", "figd_", alnum, 40}, {"rubygems", "rubygems_", hex, 48}, {"replicate", "r8_", alnum, 37},
		{"supabase", "sbp_", hex, 40}, {"groq", "gsk_", alnum, 52}, {"tailscale", "tskey-auth-", alnum, 30}, {"brevo", "xkeysib-", hex, 64}, {"postman", "PMAK-", hex, 59},
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
		{"aws-secret", "AWS_SECRET_ACCESS_KEY=", alnum + "/+", "", 40}, {"azure-storage", "AccountKey=", alnum, "==", 86}, {"env-password", "DB_PASSWORD=", alnum, "", 16},
		{"yaml-password", "password: ", alnum, "", 14}, {"query-token", "https://h.example/p?access_token=", alnum, "&x=1", 32}, {"bearer", "Authorization: Bearer ", alnum, "", 40},
		{"basic-url", "https://bob:", alnum, "@h.example/p", 16}, {"postgres-url", "postgres://app:", alnum, "@db:5432/app", 20}, {"api-key", "x-api-key: ", hex, "", 32},
		{"client-secret", "client_secret=", token, "", 40}, {"option", "login --password ", alnum, " -v", 12}, {"generic-key", "ENCRYPTION_KEY=", alnum, "", 44},
		{"cookie", "Cookie: sid=", alnum, "", 32},
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
