package secret

// ruleRows are the shapes that issuers gave to their secrets: KIND CLASS MIN
// CHECK… PREFIX…, where a prefix is followed by at least MIN characters of a
// class. They are kept under the trigger, which is the first such byte of a
// prefix, and those of a sign under the byte before it, so that a sign costs a
// look at the few that can end there. Where a prefix says too little by itself
// there are checks; see check. The first that fits wins.
var ruleRows = [...][128]string{
	underscore: {
		'2': "langsmith-key word 36 lsv2_pt_ lsv2_sk_; fly-token base64 40 starting fm2_",
		'8': "replicate-token alnum 36 starting r8_",
		'S': "clojars-token alnum 50 CLOJARS_",
		'T': "circleci-token word 40 CCIPAT_",
		'a': "shopify-token alnum 30 shpca_ shppa_; grafana-token word 36 glsa_; jina-key alnum 50 jina_; " +
			"buildkite-token hex 40 bkua_; sonar-token hex 40 sqa_",
		'b': "github-pat word 36 github_pat_; supabase-token token 20 starting mixed sb_secret_",
		'c': "stripe-webhook-secret base64 24 whsec_; grafana-token base64 28 glc_eyJ",
		'd': "figma-token token 36 figd_; render-key alnum 24 starting mixed rnd_",
		'e': "planetscale-token dotted 30 pscale_tkn_ pscale_pw_ pscale_oauth_; readme-key alnum 60 rdme_; " +
			"resend-key word 32 starting mixed exact re_",
		'f': "huggingface-token alnum 30 starting hf_",
		'i': "huggingface-token alnum 30 starting api_org_; neon-key alnum 48 napi_",
		'k': "stripe-key alnum 16 sk_live_; stripe-key alnum 16 mixed sk_test_; stripe-key alnum 16 rk_live_; " +
			"stripe-key alnum 16 mixed rk_test_; groq-key alnum 40 starting gsk_; elevenlabs-key hex 48 starting exact sk_; " +
			"pinecone-key word 40 pcsk_",
		'l': "duffel-token token 40 duffel_live_ duffel_test_",
		'm': "npm-token alnum 30 npm_",
		'n': "linear-token alnum 30 lin_api_ lin_oauth_; notion-token alnum 40 ntn_",
		'o': "github-token alnum 30 gho_; digitalocean-token hex 40 doo_v1_; shippo-token hex 36 shippo_live_ shippo_test_",
		'p': "github-token alnum 30 ghp_; digitalocean-token hex 40 dop_v1_; supabase-token hex 40 sbp_; " +
			"netlify-token alnum 36 starting nfp_; together-key token 40 tgp_v1_; sourcegraph-token word 40 mixed sgp_; " +
			"sonar-token hex 40 sqp_; typeform-token dotted 40 tfp_; vercel-token alnum 24 starting mixed vcp_; " +
			"deno-token alnum 36 ddp_",
		'r': "github-token alnum 30 ghr_; docker-token token 20 dckr_pat_ dckr_oat_; digitalocean-token hex 40 dor_v1_; " +
			"docker-token token 20 dckr_org_; polar-token alnum 36 polar_oat_",
		's': "github-token dotted 30 ghs_; shopify-token alnum 30 shpss_; sentry-token anything 40 sntrys_; " +
			"rubygems-token hex 40 rubygems_; 1password-token token 100 ops_eyJ",
		't': "shopify-token alnum 30 shpat_; notion-token alnum 40 mixed secret_",
		'u': "github-token alnum 30 ghu_; sentry-token hex 40 sntryu_; sonar-token hex 40 squ_; prefect-key alnum 36 pnu_; " +
			"elastic-key base64 40 essu_",
		'w': "fireworks-key alnum 22 starting mixed fw_",
		'x': "posthog-key alnum 36 starting phx_",
	},
	dash: {
		'0': "cloudflare-origin-key hexdash 150 starting v1.0-",
		'E': "age-secret-key capitals 40 AGE-SECRET-KEY-1",
		'I': "new-relic-key token 20 NRII-",
		'K': "new-relic-key alnum 20 NRAK-; postman-key token 40 PMAK-; flutterwave-key token 20 mixed FLWSECK-",
		'T': "contentful-token token 40 CFPAT-; flutterwave-key token 20 mixed FLWSECK_TEST-",
		'U': "heroku-key token 36 HRKU-",
		'X': "google-oauth-secret token 20 GOCSPX-",
		'a': "slack-token token 16 xoxa-; voyage-key token 40 starting mixed pa-",
		'b': "slack-token token 16 xoxb-; brevo-key token 40 xkeysib-",
		'c': "slack-token token 16 xoxc-",
		'd': "slack-token anything 16 xoxd-",
		'e': "slack-token dotted 16 xoxe-; adobe-secret alnum 30 starting p8e-",
		'i': "pypi-token token 50 pypi-; xai-key alnum 40 starting xai-; nvidia-key token 50 nvapi-",
		'k': "anthropic-key token 24 sk-ant-; openai-key token 24 sk-proj- sk-svcacct-; openai-key token 24 mixed sk-admin-; " +
			"openrouter-key token 36 mixed sk-or-; openai-key token 20 starting mixed sk-; " +
			"cerebras-key alnum 40 starting csk-; launchdarkly-key hexdash 36 starting exact sdk-; " +
			"scalingo-token token 40 starting tk-us-",
		'l': "pulumi-token hex 40 starting exact pul-",
		'o': "infracost-key alnum 32 starting exact ico-; frameio-token token 60 starting fio-u-",
		'p': "slack-token token 16 xoxp-; slack-token dotted 16 xoxe.xoxp-; slack-token token 20 mixed xapp-; " +
			"square-token token 20 sq0atp- sq0csp-",
		'r': "slack-token token 16 xoxr-; gitlab-token dotted 18 glrtr-",
		's': "gitlab-token dotted 18 gloas-; slack-token token 16 xoxs-; " +
			"plaid-token hexdash 36 starting access-sandbox- access-development- access-production-",
		't': "gitlab-token dotted 18 glpat- gldt- glrt- glptt- glcbt- glagent- glft- glimt- glsoat- glffct-; " +
			"hubspot-token hexdash 36 starting exact pat-na1- pat-na2- pat-eu1-",
		'x': "perplexity-key alnum 40 starting pplx-",
		'y': "mailgun-key hex 32 starting exact key-; tailscale-key token 16 mixed tskey-; tavily-key token 20 mixed tvly-",
	},
	dot: {
		'1': "dynatrace-token dotted 60 dt0c01.",
		'9': "google-oauth-token token 20 ya29.",
		'G': "sendgrid-key dotted 40 starting mixed SG.",
		'b': "vault-token token 20 hvb.",
		'd': "discord-webhook anything 40 discord.com/api/webhooks/",
		'k': "mapbox-token dotted 60 starting sk.eyJ; teams-webhook anything 40 webhook.office.com/webhookb2/",
		'l': "dropbox-token token 100 starting mixed sl.",
		'p': "doppler-token alnum 36 starting dp.pt.; doppler-token dotted 36 starting dp.st.; " +
			"doppler-token alnum 36 starting dp.ct. dp.sa. dp.scim. dp.audit.; " +
			"discord-webhook anything 40 discordapp.com/api/webhooks/",
		'r': "vault-token token 20 hvr.",
		's': "vault-token token 20 hvs.; zapier-webhook anything 16 hooks.zapier.com/hooks/catch/; " +
			"slack-webhook anything 20 hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/",
	},
	upperA: {0: "aws-access-key-id capitals 16 starting AKIA ASIA ABIA; google-api-key token 30 starting AIza; " +
		"atlassian-token anything 50 ATATT3 ATCTT3; bitbucket-password alnum 28 starting mixed ATBB; " +
		"alibaba-key-id alnum 16 starting mixed LTAI; tencent-key-id alnum 32 starting exact AKID; " +
		"jfrog-key alnum 60 starting AKCp; yandex-key token 35 starting AQVN; twilio-account hex 32 starting exact AC"},
	upperE: {0: "easypost-key alnum 50 starting EZAK EZTK; facebook-token alnum 20 EAACEdEose0cBA; " +
		"square-token token 60 starting exact EAAA"},
	upperS: {0: "twilio-key hex 32 starting exact SK"},
}
