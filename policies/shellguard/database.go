package shellguard

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/sql"
	"github.com/trammel-dev/trammel/internal/lex"
)

// statements judges the statements that a database client executes.
func (j *judge) statements(c *model.Code) {
	switch c.Language {
	case "sql":
		if statement, found := sql.Destroys(c.Text); found {
			j.add("database_destroy", statement)
		}
		if statement, found := sql.Executes(c.Text); found {
			j.add("database_code", statement)
		}
		for _, name := range [...]string{"pg_shadow", "rolpassword", "authentication_string", "duckdb_secrets"} {
			if strings.Contains(strings.ToLower(c.Text), name) {
				j.add("reads_secret", name)
			}
		}
		for _, file := range sql.FilesRead(c.Text) {
			if c.Run < 0 && strings.HasPrefix(file, "/") && j.ground.Secret(effects.Path{Abs: path.Clean(file)}) {
				j.add("reads_secret", file)
			}
		}
	case "mongo":
		if dropsCollections(c.Text) {
			j.add("database_destroy", c.Text)
		}
	case "redis":
		if strings.Contains(c.Text, "redis.") && flushes(c.Text) { // a script in Lua
			j.add("database_destroy", c.Text)
		}
		for line := range strings.Lines(c.Text) {
			word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch word = strings.ToUpper(word); {
			case word == "FLUSHALL", word == "FLUSHDB", word == "SHUTDOWN", word == "FLUSH_ALL",
				word == "CLUSTER" && strings.HasPrefix(strings.ToUpper(rest), "RESET"):
				j.add("database_destroy", line)
			case word == "EVAL" && flushes(rest):
				j.add("database_destroy", line)
			case sql.RedisExecutes(word, rest):
				j.add("database_code", line)
			}
		}
	}
}

// made judges statements that one client generates and the next one executes:
// select 'drop table ' || name.
func (j *judge) made(r *effects.Run) {
	if r.From < 0 || j.set.Runs[r.From].Program != r.Program {
		return
	}
	for _, a := range j.set.Runs[r.From].Args {
		text := strings.ToUpper(a.Text)
		for _, verb := range [...]string{"'DROP ", "'TRUNCATE ", "'DELETE FROM "} {
			if strings.Contains(text, verb) {
				j.add("database_destroy", a.Text)
			}
		}
	}
}

// flushes reports whether a script for Redis calls FLUSHALL or FLUSHDB.
func flushes(script string) bool {
	script = strings.NewReplacer(`".."`, "", `'..'`, "", `" .. "`, "").Replace(script)
	if lower := strings.ToLower(script); strings.Contains(lower, "'*'") || strings.Contains(lower, `"*"`) { // all that keys finds
		if strings.Contains(lower, "keys") && (strings.Contains(lower, "'del'") || strings.Contains(lower, `"del"`) ||
			strings.Contains(lower, "unlink")) {
			return true
		}
	}
	for word := range strings.FieldsFuncSeq(strings.ToUpper(script), func(c rune) bool { return c < 'A' || c > 'Z' }) {
		if word == "FLUSHALL" || word == "FLUSHDB" {
			return true
		}
	}
	return false
}

// keys judges removing all keys that a scan returns: redis-cli keys '*' | xargs
// redis-cli del.
func (j *judge) keys(i int) {
	r := &j.set.Runs[i]
	if !r.More || r.By < 0 || j.set.Runs[r.By].From < 0 {
		return
	}
	w := programs.Parse(r)
	if verb := strings.ToLower(w.Word(0)); verb != "del" && verb != "unlink" {
		return
	}
	scan := &j.set.Runs[j.set.Runs[r.By].From]
	if scan.Program != r.Program {
		return
	}
	from := programs.Parse(scan)
	pattern, some := from.Value("pattern")
	if from.Has("scan") && (!some || pattern.Text == "*") || strings.EqualFold(from.Word(0), "keys") && from.Word(1) == "*" {
		j.add("database_destroy", j.line(i))
	}
}

// requests judges HTTP requests that delete everything a server has: DELETE
// http://search:9200/_all.
func (j *judge) requests(i int) {
	r := &j.set.Runs[i]
	w := programs.Parse(r)
	request, _ := w.Value("request")
	method := request.Text
	for _, a := range r.Args[:min(len(r.Args), 200)] {
		if r.Program != "curl" && r.Program != "wget" && strings.EqualFold(a.Text, "DELETE") {
			method = a.Text
		}
	}
	if given, _ := w.Value("method"); method == "" {
		method = given.Text
	}
	far := slices.ContainsFunc(j.set.Nets, func(n model.Net) bool { return n.Run == i && !local(n.Host) })
	for _, name := range [...]string{"data", "data-raw", "data-binary", "data-urlencode", "json", "d", "body-data", "post-data",
		"raw"} {
		if body, _ := w.Value(name); far && body.Text != "" {
			j.body(i, body.Text)
		}
	}
	at, _ := w.Value("unix-socket")
	socket := strings.HasSuffix(at.Text, "docker.sock") || strings.HasSuffix(at.Text, "podman.sock")
	if socket {
		j.throughSocket(i)
	}
	for k := range j.set.Nets {
		n := &j.set.Nets[k]
		if n.Run == i && strings.Contains(n.URL, "/_delete_by_query") {
			j.add("database_destroy", n.URL)
		} else if n.Run == i && !local(n.Host) && (n.Sends || strings.EqualFold(method, "POST")) && deletesAt(n.URL) {
			j.add("http_delete", n.Host)
		}
		if n.Run != i || !strings.EqualFold(method, "DELETE") {
			continue
		}
		_, rest, found := strings.Cut(n.URL, "://")
		if !found {
			rest = n.URL
		}
		_, at, _ := strings.Cut(rest, "/")
		at, _, _ = strings.Cut(at, "?")
		if last := at[strings.LastIndexByte(at, '/')+1:]; last == "_all" || strings.Contains(last, "*") {
			j.add("database_destroy", j.line(i))
		} else if socket {
			j.add("container_destroy", j.line(i))
		} else if found := deletes(n.Host, at); !local(n.Host) || found == "cluster_destroy" { // kubectl proxy
			j.add(found, n.Host)
		}
	}
}

// throughSocket judges what is asked of the program that runs containers: to make
// one with files or rights of the machine.
func (j *judge) throughSocket(i int) {
	for _, a := range j.set.Runs[i].Args {
		text := strings.ReplaceAll(a.Text, " ", "")
		switch {
		case strings.Contains(text, `"Binds":["/`), strings.Contains(text, `"Source":"/`):
			j.add("container_escape", j.line(i))
		case strings.Contains(text, `"Privileged":true`), strings.Contains(text, `"PidMode":"host"`):
			j.add("container_rights", j.line(i))
		case strings.Contains(text, "/containers/create"), strings.HasSuffix(text, "/exec"):
			j.add("container_socket", j.line(i))
		}
	}
}

// deletesAt reports whether an address is an endpoint for deleting:
// job/x/doDelete, tsdb/delete_series.
func deletesAt(address string) bool {
	address, _, _ = strings.Cut(address, "?")
	return slices.ContainsFunc(wordsOf(path.Base(address)), func(word string) bool { return verb(word) >= removes })
}

// deletes returns the code for a request that deletes something. For a cloud
// service it is the same as for the service's own program.
func deletes(host, at string) code {
	for _, part := range [...]string{"labels/", "assignees", "reactions/", "requested_reviewers", "actions/caches", "comments/",
		"messages/", "/objects/"} {
		if strings.Contains(at, part) {
			return "http_delete"
		}
	}
	if strings.HasPrefix(at, "v2/") && strings.Contains(at, "/manifests/") { // an image of a registry
		return "cloud_destroy"
	}
	if strings.HasPrefix(at, "api/v1/namespaces/") || strings.HasPrefix(at, "apis/") { // a cluster
		return "cluster_destroy"
	}
	for name := range strings.FieldsSeq(services) {
		if host == name || strings.HasSuffix(host, "."+name) {
			return "cloud_destroy"
		}
	}
	return "http_delete"
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

// body judges statements in the body of a request to a database or service:
// DROP TABLE x, {"query": "mutation { deleteRef(…) }"}.
func (j *judge) body(i int, text string) {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		v = text
		if name, value, ok := strings.Cut(text, "="); ok && len(name) < 10 { // q=DROP TABLE x
			v = value
		}
	}
	switch v := v.(type) {
	case string:
		if _, found := sql.Destroys(v); found {
			j.add("database_destroy", v)
		}
	case map[string]any:
		for _, name := range [...]string{"query", "q", "sql", "statement", "stmt", "command"} {
			text, _ := v[name].(string)
			if _, what := deletingMutation(text); what {
				j.add("cloud_destroy", j.line(i))
			}
			if text != "" {
				j.statements(&model.Code{Language: "sql", Text: text})
			}
		}
		if strings.Contains(text, `"remove_index"`) {
			j.add("database_destroy", j.line(i))
		}
		if asksToDelete(v, 0) {
			j.add("http_delete", j.line(i))
		}
	}
}

// dropsCollections reports whether a script of the Mongo shell removes whole
// databases or collections: db.dropDatabase(), c.drop(), c.deleteMany({}).
func dropsCollections(text string) bool {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\'' || c == '"' || c == '`':
			i += lex.Quoted(text[i:], c)
		case strings.HasPrefix(text[i:], "//"):
			i += lex.Line(text[i:])
		case lex.Word(c) && c != '.':
			end := i
			for end < len(text) && lex.Word(text[end]) && text[end] != '.' {
				end++
			}
			rest := strings.ReplaceAll(text[end:min(len(text), end+40)], " ", "")
			switch text[i:end] {
			case "dropDatabase", "dropAllUsers", "dropUser", "_dropDatabase", "_drop", "_truncate": // the latter of ArangoDB
				if strings.HasPrefix(rest, "(") {
					return true
				}
			case "drop", "truncate":
				if strings.HasPrefix(rest, "()") && i > 0 && text[i-1] == '.' {
					return true
				}
			case "runCommand", "adminCommand":
				if plain := strings.NewReplacer(`"`, "", "'", "").Replace(rest); strings.HasPrefix(plain, "({drop") ||
					strings.HasPrefix(plain, "({delete:") && strings.Contains(strings.ReplaceAll(text, " ", ""), "q:{}") {
					return true
				}
			case "deleteMany", "remove":
				if strings.HasPrefix(rest, "({})") || strings.HasPrefix(rest, "({_id:{$exists:true") || strings.HasPrefix(rest,
					"({_id:{$ne:null") || strings.HasPrefix(rest, "()") && text[i:end] == "remove" {
					return true
				}
			}
			i = end
		default:
			i++
		}
	}
	return false
}

// forTests reports whether a run says that it means the database of the tests.
func forTests(r *effects.Run) bool {
	test := false
	for _, e := range r.Env {
		test = test || environment(e.Name) && e.Value.Known && e.Value.Text == "test"
		if host, _ := paths.HostOf(e.Value.Text); e.Name == "DATABASE_URL" && !(e.Value.Known && (host == "" || paths.IsLocal(host))) {
			return false // it wins over what the framework's settings say
		}
	}
	if test {
		return true
	}
	for _, a := range r.Args {
		if a.Text == "--env=test" || a.Text == "--env=testing" || a.Text == "--database=testing" || strings.HasSuffix(a.Text, "_ENV=test") {
			return !forProduction(r)
		}
	}
	return false
}

// environment reports whether a variable says which of several environments is
// meant.
func environment(name string) bool {
	return slices.Contains([]string{"RAILS_ENV", "NODE_ENV", "MIX_ENV", "APP_ENV", "RACK_ENV", "DJANGO_ENV", "FLASK_ENV",
		"ENVIRONMENT", "ENV"}, name)
}

// forProduction reports whether a run says that it means production.
func forProduction(r *effects.Run) bool {
	for _, e := range r.Env {
		switch {
		case environment(e.Name):
			if strings.HasPrefix(strings.ToLower(e.Value.Text), "prod") {
				return true
			}
		case e.Name == "DISABLE_DATABASE_ENVIRONMENT_CHECK":
			return true
		case e.Name == "PGHOST" && !(e.Value.Known && (paths.IsLocal(e.Value.Text) || strings.HasPrefix(e.Value.Text, "/"))):
			return true
		}
	}
	for _, a := range r.Args {
		if strings.HasPrefix(a.Text, "DISABLE_DATABASE_ENVIRONMENT_CHECK=") ||
			production(a.Text) {
			return true
		}
	}
	return false
}

// production reports whether a name says that it is what customers use, and not only a
// test of it. A file is not meant: prod.dump may be loaded anywhere.
func production(name string) bool {
	words := wordsOf(strings.ReplaceAll(name, "=", "_"))
	has := func(word string) bool { return slices.Contains(words, word) }
	return !strings.ContainsAny(name, "./") && (has("prod") || has("production")) && !has("test") && !has("testing")
}

// hosted reports whether what starts a run is the program of a service, which runs it
// there: heroku run, kubectl exec.
func (j *judge) hosted(i int) bool {
	for up, steps := j.set.Runs[i].By, 0; up >= 0 && steps < 20; up, steps = j.set.Runs[up].By, steps+1 {
		if area, _ := programs.ClassOf(&j.set.Runs[up]); area == "cloud" || area == "cluster" {
			return true
		}
	}
	return false
}
