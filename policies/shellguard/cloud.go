package shellguard

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects"
)

// infrastructure judges the tools that build infrastructure from a description.
func (j *judge) infrastructure(i int) {
	r := &j.set.Runs[i]
	w := operands(r, " -C -chdir --chdir --stack -s --cwd -target -var -var-file --profile --region --stage ")
	if w.helps() {
		return
	}
	verb := w.at(0)
	if verb == "run-all" || verb == "stack" && r.Program == "terragrunt" {
		verb = w.at(1)
	}
	switch verb {
	case "destroy", "down", "remove", "delete":
		if r.Program == "vagrant" {
			j.add("infrastructure_change", j.line(i))
		} else if !(verb == "down" && r.Program != "pulumi") {
			j.add("infrastructure_destroy", j.line(i))
		}
	case "apply", "up", "deploy":
		switch {
		case w.has("-destroy", "--destroy"):
			j.add("infrastructure_destroy", j.line(i))
		case w.has("-auto-approve", "--auto-approve", "--yes", "-y", "--skip-preview", "--terragrunt-non-interactive") || approval(&w):
			j.add("infrastructure_change", j.line(i))
		}
	case "state":
		if sub := w.at(1); sub == "rm" || sub == "push" || sub == "delete" {
			j.add("infrastructure_destroy", j.line(i))
		}
	case "workspace", "stack":
		if sub := w.at(1); sub == "delete" || sub == "rm" {
			j.add("infrastructure_destroy", j.line(i))
		}
	case "force-unlock", "taint":
		j.add("infrastructure_change", j.line(i))
	}
}

func approval(w *words) bool {
	v, ok := w.value("--require-approval")
	return ok && v == "never"
}

// cloud judges the clients of clouds and hosted services: by the verb among
// their words, not by a list of their commands.
func (j *judge) cloud(i int) {
	r := &j.set.Runs[i]
	w := operands(r, " --profile --region --output --endpoint-url --query --project --zone --account --format --subscription -g "+
		"--resource-group -n --name -R --repo -H -f -F -t --app -a --org -o --token -c --config --title --body --notes --label --field "+
		"--raw-field --header --jq --template --method -X ")
	if w.helps() {
		return
	}
	found := code("")
	switch r.Program {
	case "aws", "aliyun":
		found = awsVerb(&w)
	case "gsutil", "s3cmd", "mc", "b2":
		found = storeVerb(w.at(0), w.has("-r", "-R", "--recursive", "--force", "-a"))
	case "rclone":
		switch w.at(0) {
		case "purge", "delete", "cleanup":
			found = "cloud_destroy"
		case "sync":
			found = "cloud_change"
		}
	case "azcopy":
		if w.at(0) == "remove" || w.at(0) == "rm" {
			found = storeVerb("rm", w.has("--recursive"))
		}
	case "gh", "glab", "hub":
		found = forgeVerb(&w)
		if w.at(0) == "gist" && w.at(1) == "create" {
			j.shares(i, w.from(2))
			j.sends(&effects.Net{Host: r.Program, Sends: true, Run: i})
		}
	case "vault":
		if verb := w.at(0) + " " + w.at(1); w.at(0) == "delete" || verb == "kv delete" || verb == "kv destroy" || verb == "kv metadata" &&
			w.at(2) == "delete" || verb == "secrets disable" || verb == "auth disable" || verb == "operator seal" {
			found = "cloud_destroy"
		}
	case "etcdctl", "consul":
		if contains(w.list, "del") || contains(w.list, "delete") {
			found = storeVerb("rm", w.has("--prefix", "-recurse", "--from-key"))
		}
	case "nomad":
		if w.at(0) == "stop" || w.at(0) == "job" && w.at(1) == "stop" {
			found = "cloud_change"
			if w.has("-purge", "--purge") {
				found = "cloud_destroy"
			}
		}
	case "kafka-topics", "kafka-topics.sh":
		if w.has("--delete") {
			found = "cloud_destroy"
		}
	case "gcloud":
		found = groupVerb(w.list)
		if w.at(0) == "storage" && w.at(1) == "rm" {
			found = storeVerb("rm", w.has("-r", "--recursive"))
		}
	default:
		found = groupVerb(w.list)
	}
	if found != "" {
		j.add(found, j.line(i))
	}
}

// shares judges files that are put where everybody can read them.
func (j *judge) shares(i int, files []string) {
	for _, name := range files {
		p := effects.Path{Text: name, Abs: path.Join(j.set.Runs[i].Dir.Abs, name)}
		if path.IsAbs(name) {
			p.Abs = path.Clean(name)
		}
		if j.ground.Secret(p) {
			j.add("exfiltration", p.Abs+" → "+j.set.Runs[i].Program)
		}
	}
}

// awsVerb reads `aws service verb-thing`.
func awsVerb(w *words) code {
	if w.at(0) == "s3" {
		if w.at(1) == "sync" && w.has("--delete") || w.at(1) == "mv" && w.has("--recursive") {
			return "cloud_change"
		}
		return storeVerb(w.at(1), w.has("--recursive", "--force"))
	}
	verb, thing, _ := strings.Cut(w.at(1), "-")
	switch strings.ToLower(verb) {
	case "delete", "terminate", "purge", "destroy", "deregister", "schedule":
		switch {
		case verb == "schedule" && thing != "key-deletion":
			return ""
		case thing == "message" || thing == "message-batch" || thing == "tags" || thing == "object" || thing == "item":
			return "cloud_change"
		}
		return "cloud_destroy"
	case "remove", "stop", "disable", "detach", "revoke", "release":
		return "cloud_change"
	}
	return ""
}

// storeVerb reads the verb of a client of an object store.
func storeVerb(verb string, all bool) code {
	switch verb {
	case "rb", "rbucket":
		return "cloud_destroy"
	case "rm", "del", "delete", "remove", "delete-bucket":
		if all {
			return "cloud_destroy"
		}
		return "cloud_change"
	}
	return ""
}

// forgeVerb reads what becomes of repositories, releases and secrets.
func forgeVerb(w *words) code {
	if w.at(0) == "api" {
		method, _ := w.value("-X", "--method")
		if strings.EqualFold(method, "DELETE") {
			return "cloud_destroy"
		}
		return ""
	}
	verb := w.at(1)
	if verb == "deploy-key" || verb == "autolink" {
		verb = w.at(2)
	}
	switch verb {
	case "delete", "remove", "delete-asset":
		switch w.at(0) {
		case "repo", "release", "secret", "variable", "environment", "project", "org", "gpg-key", "ssh-key", "codespace", "cs", "ruleset":
			return "cloud_destroy"
		}
		return "cloud_change"
	case "archive", "rename", "transfer":
		if w.at(0) == "repo" {
			return "cloud_destroy"
		}
	case "edit":
		if v, ok := w.value("--visibility"); ok && v == "public" && w.at(0) == "repo" {
			return "cloud_destroy"
		}
	}
	return ""
}

// groupVerb finds the verb in `tool group group verb name` and `tool group:verb`.
// Names come last, so only the first words can be verbs.
func groupVerb(list []string) code {
	for n, word := range list[:min(5, len(list))] {
		if group, verb, ok := strings.Cut(word, ":"); ok && n == 0 && group != "" {
			word = verb
			if word == "reset" {
				return "cloud_destroy"
			}
		}
		if verb, _, ok := strings.Cut(word, "_"); ok && n == 0 { // delete_queue
			word = verb
		}
		switch word {
		case "delete", "destroy", "terminate", "purge":
			return "cloud_destroy"
		case "rm", "remove":
			if n < 2 {
				return "cloud_destroy"
			}
			return "cloud_change"
		case "create", "list", "describe", "show", "get", "set", "update", "deploy", "ls", "logs", "login", "add", "run", "start", "config":
			return ""
		}
	}
	return ""
}

// publisher judges what gives something to the world.
func (j *judge) publisher(i int) {
	r := &j.set.Runs[i]
	w := operands(r, " --prefix -C --registry --tag --access --otp -p --package --manifest-path --repository -r -w --workspace ")
	if w.helps() || w.has("-n") && r.Program == "cargo" {
		return
	}
	verb := w.at(0)
	switch r.Program {
	case "npx", "bunx":
		verb = w.at(1)
		if w.at(0) == "semantic-release" || w.at(0) == "vsce" && verb == "publish" {
			j.add("publishes", j.line(i))
			return
		}
		if verb != "publish" {
			return
		}
	case "python", "python3", "php", "rails", "rake", "bundle", "mix":
		if r.Program == "mix" && verb == "hex.publish" {
			j.add("publishes", j.line(i))
		}
		return
	case "gem":
		if verb == "push" || verb == "yank" {
			j.add("publishes", j.line(i))
		}
		return
	case "dotnet", "nuget":
		if contains(w.list, "push") || contains(w.list, "delete") {
			j.add("publishes", j.line(i))
		}
		return
	case "pod":
		if verb == "trunk" && (w.at(1) == "push" || w.at(1) == "delete") {
			j.add("publishes", j.line(i))
		}
		return
	case "mvn", "gradle", "gradlew":
		if contains(w.list, "deploy") || contains(w.list, "publish") || contains(w.list, "release:perform") {
			j.add("publishes", j.line(i))
		}
		return
	}
	switch verb {
	case "publish", "unpublish", "yank", "upload", "release":
		if r.Program == "uv" && verb != "publish" || r.Program == "deno" && verb != "publish" {
			return
		}
		j.add("publishes", j.line(i))
	case "deprecate", "owner", "dist-tag", "access":
		if w.at(1) == "rm" || w.at(1) == "remove" || verb == "deprecate" {
			j.add("publishes", j.line(i))
		}
	}
}
