package hosts

import "strings"

// Service reports whether a host is the API of a cloud or of a hosted service.
func Service(host string) bool {
	for name := range strings.FieldsSeq(services) {
		if host == name || strings.HasSuffix(host, "."+name) {
			return true
		}
	}
	return false
}

// services are the API hosts of clouds and hosted services.
const services = `api.github.com gitlab.com api.bitbucket.org codeberg.org gitea.com dev.azure.com
	digitalocean.com hetzner.cloud hetzner.com linode.com vultr.com scaleway.com scw.cloud ovh.com upcloud.com exoscale.com civo.com
	cloudflare.com vercel.com netlify.com heroku.com fly.io machines.dev railway.app railway.com render.com supabase.com supabase.co koyeb.com
	northflank.com googleapis.com management.azure.com graph.microsoft.com vault.azure.net core.windows.net amazonaws.com oraclecloud.com
	cloud.ibm.com aliyuncs.com stripe.com twilio.com sendgrid.com mailgun.net postmarkapp.com mailchimp.com godaddy.com namecheap.com gandi.net
	porkbun.com dnsimple.com nsone.net name.com auth0.com okta.com clerk.com datadoghq.com datadoghq.eu newrelic.com pagerduty.com opsgenie.com
	grafana.net sentry.io launchdarkly.com split.io airtable.com api.notion.com atlassian.net atlassian.com slack.com discord.com zendesk.com
	intercom.io hubapi.com salesforce.com myshopify.com squareup.com paypal.com plaid.com planetscale.com neon.tech turso.tech turso.io
	cloud.mongodb.com confluent.cloud elastic-cloud.com cloud.es.io upstash.com upstash.io redislabs.com aivencloud.com aiven.io timescale.com
	cockroachlabs.cloud fauna.com firebaseio.com app.terraform.io api.pulumi.com spacelift.io circleci.com buildkite.com travis-ci.com
	registry.npmjs.org hub.docker.com registry-1.docker.io ghcr.io quay.io crates.io rubygems.org pypi.org api.nuget.org jfrog.io
	huggingface.co api.openai.com api.anthropic.com algolia.net algolianet.com pinecone.io contentful.com sanity.io api.tailscale.com
	backblazeb2.com wasabisys.com fastly.com bunny.net akamai.com zoom.us box.com dropboxapi.com`
