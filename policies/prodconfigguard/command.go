package prodconfigguard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
)

// run judges one program: does it change something, and is that production?
func (j *judgement) run(i int, r *effects.Run) {
	if r.Data || looks(r) {
		return
	}
	where, found := "", false
	switch tool(r.Program) {
	case operates:
		if where, found = j.names(r.Args); !found {
			where, found = j.current(r)
		}
	case contained:
		where, found = j.contextOf(r)
	case starts:
		if a := programs.Parse(r); !deploys(r) || r.Program == "pnpm" && a.Word(0) == "deploy" || // that copies a package to a folder
			r.Program == "mix" && (a.Word(0) == "release" || a.Word(0) == "assets.deploy") { // these build
			return
		}
		where, found = j.names(r.Args)
	default:
		if !deploys(r) {
			return
		}
	}
	if !found {
		where, found = j.environment(i)
	}
	if found {
		j.add("production_command", r.Program+" "+where, fmt.Sprintf("This runs %s against production (%s). A person should decide; reading, "+
			"planning and other environments are free.", r.Program, where))
	}
}

// sort says how a program relates to production.
type sort uint8

const (
	other     sort = iota
	operates       // it changes a deployment that its arguments name
	contained      // only its context says where; other words name local things
	starts         // it starts a project's scripts, whatever their names
)

func tool(program string) sort {
	switch program {
	case "kubectl", "oc", "helm", "helmfile", "argocd", "flux", "istioctl", "terraform", "tofu", "terragrunt", "pulumi",
		"cdktf", "aws", "gcloud", "gsutil", "bq", "az", "doctl", "fly", "flyctl", "heroku", "vercel", "netlify", "firebase",
		"serverless", "sls", "cdk", "sam", "copilot-svc", "wrangler", "eb", "ansible", "ansible-playbook", "cap", "nomad",
		"consul", "vault", "railway", "render", "supabase", "kamal", "psql", "mysql", "mariadb", "mongosh", "mongo",
		"redis-cli", "clickhouse-client", "sqlcmd", "pg_restore", "liquibase", "flyway":
		return operates
	case "docker", "docker-compose", "podman", "nerdctl":
		return contained
	case "npm", "pnpm", "yarn", "bun", "npx", "make", "just", "task", "rake", "rails", "bundle", "gradle", "gradlew", "mvn", "mvnw",
		"composer", "php", "artisan", "mix", "poetry", "uv", "pipenv", "nx", "turbo", "invoke", "fab", "bin/deploy", "deploy", "deploy.sh",
		"release.sh":
		return starts
	}
	if strings.Contains(program, "deploy") {
		return starts
	}
	return other
}

// names looks for production among the words: as a context, a workspace, a stage,
// a file, a host. Text of a message does not count.
func (j *judgement) names(args []effects.Word) (string, bool) {
	for i := 0; i < len(args); i++ {
		switch text := args[i].Text; {
		case text == "-c" || text == "-e" || text == "--command" || text == "--eval" || text == "-m" || text == "--message" ||
			text == "--description" || text == "--query" || text == "-o" || text == "--output":
			i++
		case strings.ContainsAny(text, " \n"), strings.HasSuffix(text, "=false"): // a sentence, a query, something switched off
		case j.named(text):
			return text, true
		}
	}
	return "", false
}

// named reports whether a text contains a name of production as a whole word.
func (j *judgement) named(text string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		if slices.Contains(j.Names, word) || slices.Contains(j.Names, strings.TrimRight(word, "0123456789")) {
			return true
		}
	}
	return false
}

func (j *judgement) contextOf(r *effects.Run) (string, bool) {
	for i, w := range r.Args {
		name, value, attached := strings.Cut(w.Text, "=")
		switch name {
		case "--context", "-c", "-H", "--host", "--connection":
			if !attached && i+1 < len(r.Args) {
				value = r.Args[i+1].Text
			}
			if j.named(value) && !strings.ContainsAny(value, " \n") { // sh -c of an image has a line of shell
				return name + " " + value, true
			}
		case "use", "push":
			if i+1 < len(r.Args) && j.named(r.Args[i+1].Text) {
				return name + " " + r.Args[i+1].Text, true
			}
		}
	}
	return "", false
}

// environment looks for a variable that selects production, on the run or on one
// that starts it.
func (j *judgement) environment(i int) (string, bool) {
	for hops := 0; i >= 0 && i < len(j.set.Runs) && hops < 64; i, hops = j.set.Runs[i].By, hops+1 {
		r := &j.set.Runs[i]
		for _, a := range r.Env {
			if stage(a.Name) && j.named(a.Value.Text) {
				return a.Name + "=" + a.Value.Text, true
			}
		}
		if r.Program != "env" {
			continue
		}
		for _, w := range r.Args {
			if name, value, ok := strings.Cut(w.Text, "="); ok && stage(name) && j.named(value) {
				return w.Text, true
			}
		}
	}
	return "", false
}

// stage reports whether a variable says which environment is meant.
func stage(name string) bool {
	switch name {
	case "NODE_ENV", "RAILS_ENV", "RACK_ENV", "APP_ENV", "APP_ENVIRONMENT", "DEPLOY_ENV", "DEPLOYMENT_ENV", "ENV",
		"ENVIRONMENT", "STAGE", "TARGET_ENV", "MIX_ENV", "DJANGO_ENV", "FLASK_ENV", "DJANGO_SETTINGS_MODULE",
		"SPRING_PROFILES_ACTIVE", "ASPNETCORE_ENVIRONMENT", "DOTNET_ENVIRONMENT", "TF_WORKSPACE", "KUBECONFIG", "AWS_PROFILE",
		"AWS_DEFAULT_PROFILE", "DOCKER_CONTEXT", "DOCKER_HOST", "CLOUDSDK_CORE_PROJECT", "GOOGLE_CLOUD_PROJECT", "PULUMI_STACK",
		"VERCEL_ENV", "DATABASE_URL", "PGHOST", "PGDATABASE":
		return true
	}
	return false
}

// deploys reports whether the words of a run are about deploying something, not
// only building it.
func deploys(r *effects.Run) bool {
	for _, text := range append([]string{r.Program}, texts(r.Args)...) {
		for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
			switch word {
			case "deploy", "deployment", "release", "migrate", "migration", "migrations", "rollback", "rollout", "destroy", "provision", "promote",
				"seed", "console", "ship":
				return true
			}
		}
	}
	return false
}

func texts(args []effects.Word) []string {
	out := make([]string, 0, len(args))
	for _, w := range args {
		out = append(out, w.Text)
	}
	return out
}
