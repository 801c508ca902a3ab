package secret

// Rules with a head are kept under its last byte, so that a trigger costs a look
// at the few that can end there; the first that fits wins.
var underscoreRules = [128][]rule{
	'2': {
		{"langsmith-key", "lsv2", "pt_", word, 36, 0},
		{"langsmith-key", "lsv2", "sk_", word, 36, 0},
		{"fly-token", "fm2", "", base64, 40, starting},
	},
	'8': {{"replicate-token", "r8", "", alnum, 36, starting}},
	'S': {{"clojars-token", "CLOJARS", "", alnum, 50, 0}},
	'T': {{"circleci-token", "CCIPAT", "", word, 40, 0}},
	'a': {
		{"shopify-token", "shpca", "", alnum, 30, 0},
		{"shopify-token", "shppa", "", alnum, 30, 0},
		{"grafana-token", "glsa", "", word, 36, 0},
		{"jina-key", "jina", "", alnum, 50, 0},
		{"buildkite-token", "bkua", "", hex, 40, 0},
		{"sonar-token", "sqa", "", hex, 40, 0},
	},
	'b': {
		{"github-pat", "github", "pat_", word, 36, 0},
		{"supabase-token", "sb", "secret_", token, 20, starting | mixed},
	},
	'c': {
		{"stripe-webhook-secret", "whsec", "", base64, 24, 0},
		{"grafana-token", "glc", "eyJ", base64, 28, 0},
	},
	'd': {
		{"figma-token", "figd", "", token, 36, 0},
		{"render-key", "rnd", "", alnum, 24, starting | mixed},
	},
	'e': {
		{"planetscale-token", "pscale", "tkn_", dotted, 30, 0},
		{"planetscale-token", "pscale", "pw_", dotted, 30, 0},
		{"planetscale-token", "pscale", "oauth_", dotted, 30, 0},
		{"readme-key", "rdme", "", alnum, 60, 0},
		{"resend-key", "re", "", word, 32, starting | exact | mixed},
	},
	'f': {{"huggingface-token", "hf", "", alnum, 30, starting}},
	'i': {
		{"huggingface-token", "api", "org_", alnum, 30, starting},
		{"neon-key", "napi", "", alnum, 48, 0},
	},
	'k': {
		{"stripe-key", "sk", "live_", alnum, 16, 0},
		{"stripe-key", "sk", "test_", alnum, 16, mixed},
		{"stripe-key", "rk", "live_", alnum, 16, 0},
		{"stripe-key", "rk", "test_", alnum, 16, mixed},
		{"groq-key", "gsk", "", alnum, 40, starting},
		{"elevenlabs-key", "sk", "", hex, 48, starting | exact},
		{"pinecone-key", "pcsk", "", word, 40, 0},
	},
	'l': {
		{"duffel-token", "duffel", "live_", token, 40, 0},
		{"duffel-token", "duffel", "test_", token, 40, 0},
	},
	'm': {{"npm-token", "npm", "", alnum, 30, 0}},
	'n': {
		{"linear-token", "lin", "api_", alnum, 30, 0},
		{"linear-token", "lin", "oauth_", alnum, 30, 0},
		{"notion-token", "ntn", "", alnum, 40, 0},
	},
	'o': {
		{"github-token", "gho", "", alnum, 30, 0},
		{"digitalocean-token", "doo", "v1_", hex, 40, 0},
		{"shippo-token", "shippo", "live_", hex, 36, 0},
		{"shippo-token", "shippo", "test_", hex, 36, 0},
	},
	'p': {
		{"github-token", "ghp", "", alnum, 30, 0},
		{"digitalocean-token", "dop", "v1_", hex, 40, 0},
		{"supabase-token", "sbp", "", hex, 40, 0},
		{"netlify-token", "nfp", "", alnum, 36, starting},
		{"together-key", "tgp", "v1_", token, 40, 0},
		{"sourcegraph-token", "sgp", "", word, 40, mixed},
		{"sonar-token", "sqp", "", hex, 40, 0},
		{"typeform-token", "tfp", "", dotted, 40, 0},
		{"vercel-token", "vcp", "", alnum, 24, starting | mixed},
		{"deno-token", "ddp", "", alnum, 36, 0},
	},
	'r': {
		{"github-token", "ghr", "", alnum, 30, 0},
		{"docker-token", "dckr", "pat_", token, 20, 0},
		{"docker-token", "dckr", "oat_", token, 20, 0},
		{"digitalocean-token", "dor", "v1_", hex, 40, 0},
		{"docker-token", "dckr", "org_", token, 20, 0},
		{"polar-token", "polar", "oat_", alnum, 36, 0},
	},
	's': {
		{"github-token", "ghs", "", dotted, 30, 0},
		{"shopify-token", "shpss", "", alnum, 30, 0},
		{"sentry-token", "sntrys", "", anything, 40, 0},
		{"rubygems-token", "rubygems", "", hex, 40, 0},
		{"1password-token", "ops", "eyJ", token, 100, 0},
	},
	't': {
		{"shopify-token", "shpat", "", alnum, 30, 0},
		{"notion-token", "secret", "", alnum, 40, mixed},
	},
	'u': {
		{"github-token", "ghu", "", alnum, 30, 0},
		{"sentry-token", "sntryu", "", hex, 40, 0},
		{"sonar-token", "squ", "", hex, 40, 0},
		{"prefect-key", "pnu", "", alnum, 36, 0},
		{"elastic-key", "essu", "", base64, 40, 0},
	},
	'w': {{"fireworks-key", "fw", "", alnum, 22, starting | mixed}},
	'x': {{"posthog-key", "phx", "", alnum, 36, starting}},
}

var dashRules = [128][]rule{
	'0': {{"cloudflare-origin-key", "v1.0", "", hex | minus, 150, starting}},
	'E': {{"age-secret-key", "AGE", "SECRET-KEY-1", upper | digit, 40, 0}},
	'I': {{"new-relic-key", "NRII", "", token, 20, 0}},
	'K': {
		{"new-relic-key", "NRAK", "", alnum, 20, 0},
		{"postman-key", "PMAK", "", token, 40, 0},
		{"flutterwave-key", "FLWSECK", "", token, 20, mixed},
	},
	'T': {
		{"contentful-token", "CFPAT", "", token, 40, 0},
		{"flutterwave-key", "FLWSECK_TEST", "", token, 20, mixed},
	},
	'U': {{"heroku-key", "HRKU", "", token, 36, 0}},
	'X': {{"google-oauth-secret", "GOCSPX", "", token, 20, 0}},
	'a': {
		{"slack-token", "xoxa", "", token, 16, 0},
		{"voyage-key", "pa", "", token, 40, starting | mixed},
	},
	'b': {
		{"slack-token", "xoxb", "", token, 16, 0},
		{"brevo-key", "xkeysib", "", token, 40, 0},
	},
	'c': {{"slack-token", "xoxc", "", token, 16, 0}},
	'd': {{"slack-token", "xoxd", "", anything, 16, 0}},
	'e': {
		{"slack-token", "xoxe", "", dotted, 16, 0},
		{"adobe-secret", "p8e", "", alnum, 30, starting},
	},
	'i': {
		{"pypi-token", "pypi", "", token, 50, 0},
		{"xai-key", "xai", "", alnum, 40, starting},
		{"nvidia-key", "nvapi", "", token, 50, 0},
	},
	'k': {
		{"anthropic-key", "sk", "ant-", token, 24, 0},
		{"openai-key", "sk", "proj-", token, 24, 0},
		{"openai-key", "sk", "svcacct-", token, 24, 0},
		{"openai-key", "sk", "admin-", token, 24, mixed},
		{"openrouter-key", "sk", "or-", token, 36, mixed},
		{"openai-key", "sk", "", token, 20, starting | mixed},
		{"cerebras-key", "csk", "", alnum, 40, starting},
		{"launchdarkly-key", "sdk", "", hex | minus, 36, starting | exact},
		{"scalingo-token", "tk", "us-", token, 40, starting},
	},
	'l': {{"pulumi-token", "pul", "", hex, 40, starting | exact}},
	'o': {
		{"infracost-key", "ico", "", alnum, 32, starting | exact},
		{"frameio-token", "fio", "u-", token, 60, starting},
	},
	'p': {
		{"slack-token", "xoxp", "", token, 16, 0},
		{"slack-token", "xoxe.xoxp", "", dotted, 16, 0},
		{"slack-token", "xapp", "", token, 20, mixed},
		{"square-token", "sq0atp", "", token, 20, 0},
		{"square-token", "sq0csp", "", token, 20, 0},
	},
	'r': {
		{"slack-token", "xoxr", "", token, 16, 0},
		{"gitlab-token", "glrtr", "", dotted, 18, 0},
	},
	's': {
		{"gitlab-token", "gloas", "", dotted, 18, 0},
		{"slack-token", "xoxs", "", token, 16, 0},
		{"plaid-token", "access", "sandbox-", hex | minus, 36, starting},
		{"plaid-token", "access", "development-", hex | minus, 36, starting},
		{"plaid-token", "access", "production-", hex | minus, 36, starting},
	},
	't': {
		{"gitlab-token", "glpat", "", dotted, 18, 0},
		{"gitlab-token", "gldt", "", dotted, 18, 0},
		{"gitlab-token", "glrt", "", dotted, 18, 0},
		{"gitlab-token", "glptt", "", dotted, 18, 0},
		{"gitlab-token", "glcbt", "", dotted, 18, 0},
		{"gitlab-token", "glagent", "", dotted, 18, 0},
		{"gitlab-token", "glft", "", dotted, 18, 0},
		{"gitlab-token", "glimt", "", dotted, 18, 0},
		{"gitlab-token", "glsoat", "", dotted, 18, 0},
		{"gitlab-token", "glffct", "", dotted, 18, 0},
		{"hubspot-token", "pat", "na1-", hex | minus, 36, starting | exact},
		{"hubspot-token", "pat", "na2-", hex | minus, 36, starting | exact},
		{"hubspot-token", "pat", "eu1-", hex | minus, 36, starting | exact},
	},
	'x': {{"perplexity-key", "pplx", "", alnum, 40, starting}},
	'y': {
		{"mailgun-key", "key", "", hex, 32, starting | exact},
		{"tailscale-key", "tskey", "", token, 16, mixed},
		{"tavily-key", "tvly", "", token, 20, mixed},
	},
}

var dotRules = [128][]rule{
	'1': {{"dynatrace-token", "dt0c01", "", dotted, 60, 0}},
	'9': {{"google-oauth-token", "ya29", "", token, 20, 0}},
	'G': {{"sendgrid-key", "SG", "", dotted, 40, starting | mixed}},
	'b': {{"vault-token", "hvb", "", token, 20, 0}},
	'd': {{"discord-webhook", "discord", "com/api/webhooks/", anything, 40, 0}},
	'k': {
		{"mapbox-token", "sk", "eyJ", dotted, 60, starting},
		{"teams-webhook", "webhook", "office.com/webhookb2/", anything, 40, 0},
	},
	'l': {{"dropbox-token", "sl", "", token, 100, starting | mixed}},
	'p': {
		{"doppler-token", "dp", "pt.", alnum, 36, starting},
		{"doppler-token", "dp", "st.", dotted, 36, starting},
		{"doppler-token", "dp", "ct.", alnum, 36, starting},
		{"doppler-token", "dp", "sa.", alnum, 36, starting},
		{"doppler-token", "dp", "scim.", alnum, 36, starting},
		{"doppler-token", "dp", "audit.", alnum, 36, starting},
		{"discord-webhook", "discordapp", "com/api/webhooks/", anything, 40, 0},
	},
	'r': {{"vault-token", "hvr", "", token, 20, 0}},
	's': {
		{"vault-token", "hvs", "", token, 20, 0},
		{"zapier-webhook", "hooks", "zapier.com/hooks/catch/", anything, 16, 0},
		{"slack-webhook", "hooks", "slack.com/services/", anything, 20, 0},
		{"slack-webhook", "hooks", "slack.com/workflows/", anything, 20, 0},
		{"slack-webhook", "hooks", "slack.com/triggers/", anything, 20, 0},
	},
}

var upperARules = []rule{
	{"aws-access-key-id", "", "KIA", upper | digit, 16, starting},
	{"aws-access-key-id", "", "SIA", upper | digit, 16, starting},
	{"aws-access-key-id", "", "BIA", upper | digit, 16, starting},
	{"google-api-key", "", "Iza", token, 30, starting},
	{"atlassian-token", "", "TATT3", anything, 50, 0},
	{"atlassian-token", "", "TCTT3", anything, 50, 0},
	{"bitbucket-password", "", "TBB", alnum, 28, starting | mixed},
	{"alibaba-key-id", "LT", "I", alnum, 16, starting | mixed},
	{"tencent-key-id", "", "KID", alnum, 32, starting | exact},
	{"jfrog-key", "", "KCp", alnum, 60, starting},
	{"yandex-key", "", "QVN", token, 35, starting},
	{"twilio-account", "", "C", hex, 32, starting | exact},
}

var upperERules = []rule{
	{"easypost-key", "", "ZAK", alnum, 50, starting},
	{"easypost-key", "", "ZTK", alnum, 50, starting},
	{"facebook-token", "", "AACEdEose0cBA", alnum, 20, 0},
	{"square-token", "", "AAA", token, 60, starting | exact},
}

var upperSRules = []rule{
	{"twilio-key", "", "K", hex, 32, starting | exact},
}
