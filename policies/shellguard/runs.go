package shellguard

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/internal/gitline"
)

// run judges one program by its arguments, as far as what it does is no file.
func (j *judge) run(i int) {
	r := &j.set.Runs[i]
	if len(r.Env) > 0 {
		j.environment(r)
	}
	if r.Data && r.Program != "export" && r.Program != "history" {
		return
	}
	switch r.Program {
	case "git":
		j.git(i)
	case "export", "declare", "typeset", "set", "setx":
		j.exports(r)
	case "cqlsh", "mssql-cli", "snowsql", "bq", "dropdb", "dropuser", "mysqladmin", "mongorestore", "pg_restore", "prisma", "rails", "rake",
		"artisan", "php", "mix", "sequelize", "typeorm", "knex", "drizzle-kit", "npx", "bunx", "pnpm", "yarn", "bundle", "supabase", "python",
		"python3", "django-admin", "alembic", "flyway", "liquibase", "diesel", "sqlx":
		j.database(i)
		j.publisher(i)
	case "docker", "podman", "nerdctl", "docker-compose", "podman-compose", "buildah":
		j.container(i)
	case "kubectl", "oc", "k", "helm", "kustomize", "eksctl", "argocd", "istioctl", "flux":
		j.cluster(i)
	case "terraform", "tofu", "terragrunt", "pulumi", "cdk", "cdktf", "sam", "serverless", "sls", "sst", "cloudformation", "crossplane",
		"ansible-playbook", "vagrant":
		j.infrastructure(i)
	case "aws", "gcloud", "gsutil", "az", "doctl", "heroku", "fly", "flyctl", "vercel", "netlify", "gh", "glab", "hub", "wrangler",
		"firebase", "railway", "oci", "ibmcloud", "linode-cli",
		"hcloud", "openstack", "scw", "vultr-cli", "mc", "rclone", "s3cmd", "azcopy", "vault", "consul", "etcdctl", "nomad", "cf", "render",
		"aliyun", "nova", "swift", "b2", "stripe", "sentry-cli", "atlas", "confluent", "kafka-topics", "kafka-topics.sh", "rabbitmqctl", "op":
		j.cloud(i)
	case "npm", "cargo", "twine", "gem", "poetry", "flit", "hatch", "uv", "dotnet", "nuget", "mvn", "gradle", "gradlew", "pod", "vsce",
		"ovsx", "jsr", "deno", "goreleaser", "cabal", "luarocks", "conda", "flutter", "dart", "lerna", "changeset", "semantic-release", "crane",
		"skopeo", "jf", "jfrog":
		j.publisher(i)
	case "mail", "mailx", "mutt", "sendmail", "msmtp", "swaks", "pastebinit", "termbin", "croc", "wormhole", "transfer", "magic-wormhole":
		j.sends(&effects.Net{Host: r.Program, Sends: true, Run: i})
	case "dig", "nslookup", "host", "drill", "ping", "ping6", "whois", "traceroute":
		if len(r.Uses) > 0 { // a name that is looked up can carry everything
			j.sends(&effects.Net{Host: r.Program, Run: i})
		}
	case "curl", "http", "https", "xh":
		j.requests(i)
	case "redis-cli", "valkey-cli", "keydb-cli":
		j.keys(i)
	case "influx":
		for _, a := range r.Args[:min(len(r.Args), 100)] {
			j.statements(&effects.Code{Language: "sql", Text: a.Text})
		}
	default:
		j.machine(i)
	}
}

// environment judges the variables that are set for one run.
func (j *judge) environment(r *effects.Run) {
	for _, e := range r.Env {
		switch e.Name {
		case "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "DYLD_FORCE_FLAT_NAMESPACE":
			if e.Value.Text != "" {
				j.add("injects_library", e.Name+"="+e.Value.Text)
			}
		case "HISTFILE", "HISTSIZE":
			if e.Value.Text == "/dev/null" || e.Value.Text == "0" {
				j.add("covers_tracks", e.Name+"="+e.Value.Text)
			}
		}
	}
}

// exports judges variables that are set for all that follows.
func (j *judge) exports(r *effects.Run) {
	var as effects.Run
	for _, w := range r.Args {
		name, value, ok := strings.Cut(w.Text, "=")
		if !ok {
			continue
		}
		e := effects.Assign{Name: name, Value: effects.Word{Text: value, Known: w.Known}}
		as.Env = append(as.Env, e)
		if gitline.SkipsHooks(e) && (e.Name != "SKIP" || j.runsGit()) {
			j.add("hooks_disabled", w.Text)
		}
		if strings.HasPrefix(name, "GIT_CONFIG_KEY_") && strings.EqualFold(value, "core.hookspath") {
			j.add("hooks_disabled", w.Text)
		}
	}
	j.environment(&as)
}

// runsGit reports whether the line runs git.
func (j *judge) runsGit() bool {
	if j.gits == nil {
		found := false
		for i := range j.set.Runs {
			found = found || j.set.Runs[i].Program == "git"
		}
		j.gits = &found
	}
	return *j.gits
}

// words are arguments without options: subcommands and operands, in order. Of
// the options that take a value apart, those in valued are skipped with it.
type words struct {
	list []string
	args []effects.Word
}

// operands reads the words of a run. valued are options with spaces around
// each, as in " -n --namespace ".
func operands(r *effects.Run, valued string) words {
	w := words{args: r.Args}
	for i := 0; i < len(r.Args) && i < 10_000; i++ {
		text := r.Args[i].Text
		if text == "--" {
			for _, rest := range r.Args[i+1:] {
				w.list = append(w.list, rest.Text)
			}
			break
		}
		if !strings.HasPrefix(text, "-") || text == "-" {
			w.list = append(w.list, text)
			continue
		}
		if !strings.Contains(text, "=") && strings.Contains(valued, " "+text+" ") {
			i++
		}
	}
	return w
}

// at is the n-th word, "" if there are not so many.
func (w *words) at(n int) string {
	if n < len(w.list) {
		return w.list[n]
	}
	return ""
}

// from are the words from the n-th on.
func (w *words) from(n int) []string { return w.list[min(n, len(w.list)):] }

// has reports whether one of the options is given: "--all", or "-a" also in a
// cluster of letters. --name=value counts, unless the value says no.
func (w *words) has(names ...string) bool {
	for i, a := range w.args {
		if i == 10_000 || a.Text == "--" {
			return false
		}
		for _, name := range names {
			switch {
			case a.Text == name:
				return true
			case strings.HasPrefix(name, "--") || len(name) > 2:
				if value, ok := strings.CutPrefix(a.Text, name+"="); ok && value != "false" && value != "none" {
					return true
				}
			case len(a.Text) > 2 && a.Text[0] == '-' && a.Text[1] != '-' && strings.Contains(a.Text, name[1:]) && letters(a.Text[1:]):
				return true
			}
		}
	}
	return false
}

func letters(s string) bool {
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// value is the value of an option, attached or apart.
func (w *words) value(names ...string) (string, bool) {
	for i, a := range w.args {
		for _, name := range names {
			if a.Text == name {
				if i+1 < len(w.args) {
					return w.args[i+1].Text, true
				}
				return "", true
			}
			if v, ok := strings.CutPrefix(a.Text, name+"="); ok {
				return v, true
			}
			if v, ok := strings.CutPrefix(a.Text, name); ok && len(name) == 2 && !strings.HasPrefix(a.Text, "--") {
				return v, true
			}
		}
	}
	return "", false
}

// helps reports whether the program only explains itself, or only shows what
// it would do.
func (w *words) helps() bool {
	return w.has("--help", "-help", "--dry-run", "--dryrun", "--version", "--whatif", "-WhatIf") || w.at(0) == "help" || len(w.args) > 0 &&
		(w.args[len(w.args)-1].Text == "-h" || w.args[0].Text == "-h" && len(w.args) == 1)
}
