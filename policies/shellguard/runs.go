package shellguard

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/programs/gitprefs"
	"github.com/trammel-dev/trammel/policies/shellguard/environments"
)

// run judges one program by its arguments, apart from its effects on files.
func (j *judge) run(i int, r *effects.Run) {
	if len(r.Env) > 0 {
		j.environment(r)
	}
	j.revealed(i)
	j.seeks(i)
	j.fills(i)
	if r.Data && r.Program != "export" && r.Program != "history" {
		return
	}
	j.lent(r)
	j.class(i)
	j.applied(i)
	j.collects(i)
	if opensShell(r) && !j.fromInstaller(r) {
		j.add("privilege_unseen", j.line(i))
	}
	if programs.Persists(r) {
		j.add("persistence", j.line(i))
	}
	if programs.Weakens(r) {
		j.add("security_disabled", j.line(i))
	}
	j.serves(i)
	for _, text := range programs.Statements(r) {
		j.statements(&model.Code{Language: "sql", Text: text})
	}
	j.inCode(i)
	switch r.Program {
	case "git":
		j.git(i)
		j.pushes(i)
	case "hg", "svn", "bzr", "fossil", "darcs":
		if w := programs.Parse(r); slices.Contains([]string{"push", "import", "sync", "send"}, w.Word(0)) {
			for _, to := range w.Operands[1:] {
				if host, _ := paths.HostOf(to.Text); address(to.Text) && !local(host) && !j.knownHost(host) {
					j.add("pushes_elsewhere", to.Text)
				}
			}
		}
		j.machine(i)
	case "export", "declare", "typeset", "set", "setx":
		j.exports(r)
	case "docker", "podman", "nerdctl":
		j.container(i)
	case "act":
		j.privileged(i)
	case "helm":
		j.chart(i)
	case "kubectl":
		if w := programs.Parse(r); w.Word(0) == "run" {
			j.privileged(i)
		}
		j.machine(i)
	case "gh", "glab", "hub":
		w := programs.Parse(r)
		if w.Word(0) == "gist" && w.Word(1) == "create" {
			j.shares(i, w.Operands[2:])
		}
		if w.Word(0) == "repo" && w.Word(1) == "sync" && w.Has("force") {
			j.add("git_forces_branch", j.line(i))
		}
		if w.Word(0) == "api" {
			j.mutations(i)
		}
	case "rails", "rake", "python", "python3", "bundle", "prisma":
		if w := programs.Parse(r); r.Input != nil && w.Says("dbconsole", "dbshell", "db") {
			j.statements(&model.Code{Language: "sql", Text: *r.Input})
		} else if w.Says("dbshell") || w.Word(1) == "dbshell" { // manage.py dbshell -- -c …
			for _, a := range r.Args {
				j.statements(&model.Code{Language: "sql", Text: a.Text})
			}
		}
	case "ssh", "mosh", "pssh", "pdsh", "clush":
		j.writesFar(i)
		j.machine(i)
	case "nc", "ncat", "netcat", "socat", "telnet":
		if r.Input != nil {
			j.statements(&model.Code{Language: "redis", Text: *r.Input})
		}
		j.machine(i)
	case "curl", "http", "https", "xh", "wget", "curlie", "invoke-restmethod", "irm", "invoke-webrequest", "iwr":
		j.requests(i)
	case "psql", "mysql", "mariadb", "sqlite3", "clickhouse-client", "cockroach", "sqlcmd":
		j.made(r)
	case "redis-cli", "valkey-cli", "keydb-cli":
		j.keys(i)
	default:
		j.machine(i)
	}
}

// images are programs that copy images between registries, as docker push does.
var images = []string{"crane", "oras", "regctl", "skopeo"}

// class judges what the table of programs says about a run.
func (j *judge) class(i int) {
	area, class := programs.ClassOf(&j.set.Runs[i])
	found := code("")
	switch {
	case class == programs.Publish && (area == "container" || slices.Contains(images, j.set.Runs[i].Program)):
		found = "publishes_image"
	case class == programs.Publish:
		found = "publishes"
	case class == "":
		j.unsettled(i, area)
		return
	case class == programs.Look:
		return
	case class == programs.Reset && environments.Test(&j.set.Runs[i]):
		return
	case class == programs.Reset && (environments.Production(&j.set.Runs[i]) || j.hosted(i)):
		found = "database_destroy"
	case area == "infrastructure" && class == programs.Destroy && j.asksFirst(i):
		found = "infrastructure_confirm"
	case area == "container" && class == programs.Change:
		found = "container_remove"
	case class == programs.Change || class == programs.Destroy || class == programs.Reset:
		found = code(area + "_" + string(class))
	}
	if (area == "accounts" || area == "security") && j.inImage(i) {
		return
	}
	switch area {
	case "security":
		if found = "security_disabled"; otherVersion(&j.set.Runs[i]) {
			found = ""
		} else if class == programs.Change {
			found = "exposes"
		}
	case "records":
		found = "covers_tracks"
	case "accounts":
		found = "changes_accounts"
	case "power":
		if found = "stops_machine"; j.set.Runs[i].Remote {
			found = "stops_remote"
		}
	case "kernel":
		found = "system_file"
	case "hooks":
		found = "hooks_disabled"
	case "credentials":
		found = "destroys_credentials"
	case "session":
		found = "kills_session"
	case "exposure":
		found = "exposes"
	case "tunnel":
		found = "tunnels"
	case "hiding":
		found = "hides"
	case "recording":
		found = "records"
	case "attack":
		found = "attack_tool"
	case "rights":
		if found = "privilege_unseen"; class == programs.Destroy {
			found = "permissions_escalate"
		}
	case "payments":
		if class == programs.Change {
			found = "spends"
		}
	case "git":
		switch found = ""; class {
		case programs.Destroy:
			found = "git_discards_work"
		case programs.Change:
			found = "git_may_discard"
		}
	}
	_, known := find(found)
	switch {
	case known || area == "" || found == "":
	case class == programs.Destroy:
		found, known = "cloud_destroy", true
	case class == programs.Reset:
		found, known = "database_reset", true
	case class == programs.Change:
		found, known = "cloud_change", true
	}
	if known {
		before := len(j.found)
		if j.add(found, j.line(i)); len(j.found) > before {
			j.found[before].first = programs.Instead(&j.set.Runs[i])
		}
	}
}

// asksFirst reports whether a program asks before it destroys something, and nothing
// on the line answers.
func (j *judge) asksFirst(i int) bool {
	r := &j.set.Runs[i]
	for up, steps := i, 0; up >= 0; up, steps = j.set.Runs[up].By, steps+1 {
		by := &j.set.Runs[up]
		fed := by.From >= 0 || by.Input != nil || by.Stdin != nil
		if fed || by.More || len(by.Env) > 0 || steps > 20 || up != i && !isShell(by.Program) && !by.Root {
			return false
		}
	}
	w := programs.Parse(r)
	if w.Word(0) != "destroy" {
		return false
	}
	switch r.Program {
	case "terraform", "tofu":
		return !w.Has("auto-approve", "force")
	case "pulumi":
		return !w.Has("yes", "y", "skip-preview", "f")
	}
	return false
}

// unsettled judges a run without a class. The class may depend on unknown words. An
// unknown program is judged by its arguments.
func (j *judge) unsettled(i int, area string) {
	r := &j.set.Runs[i]
	if r.Program == "" {
		return
	}
	switch {
	case programs.MayDestroy(r):
		j.add("unknown_argument", j.line(i))
	case programs.Unheard(r):
		j.add("unknown_verb", j.line(i))
	}
	j.removal(i, area)
}

// shares judges publishing files where everybody can read them.
func (j *judge) shares(i int, files []effects.Word) {
	for _, w := range files {
		p := effects.Path{Text: w.Text, Abs: path.Join(j.set.Runs[i].Dir.Abs, w.Text)}
		if path.IsAbs(w.Text) {
			p.Abs = path.Clean(w.Text)
		}
		if j.ground.Secret(p) {
			j.add("exfiltration", p.Abs+" → "+j.set.Runs[i].Program)
		}
	}
}

// environment judges the variables that are set for one run.
func (j *judge) environment(r *effects.Run) {
	for _, e := range r.Env {
		j.lentBy(e)
		switch e.Name {
		case "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "DYLD_FORCE_FLAT_NAMESPACE":
			if e.Value.Text != "" {
				j.add("injects_library", e.Name+"="+e.Value.Text)
			}
		case "PROMPT_COMMAND":
			if strings.Contains(e.Value.Text, "history") || strings.Contains(e.Value.Text, "logger") {
				j.add("records", e.Name+"="+e.Value.Text)
			}
		case "HISTFILE", "HISTSIZE":
			if row, _ := programs.Lookup(r.Program); r.Program != "" && !isShell(r.Program) && !row.Flag("opens") && row.Runs() == "" {
				continue // it keeps no history
			}
			if e.Value.Text == "/dev/null" || e.Value.Text == "0" || e.Value.Text == "" && e.Value.Known {
				j.add("covers_tracks", e.Name+"="+e.Value.Text)
			}
		}
	}
}

// exports judges variables that are set for later commands.
func (j *judge) exports(r *effects.Run) {
	var as effects.Run
	if r.Program == "setx" && len(r.Args) > 1 {
		as.Env = []model.Assign{{Name: r.Args[0].Text, Value: r.Args[1]}}
	}
	for _, w := range r.Args {
		name, value, ok := strings.Cut(w.Text, "=")
		if !ok {
			continue
		}
		e := model.Assign{Name: name, Value: effects.Word{Text: value, Known: w.Known}}
		as.Env = append(as.Env, e)
		if gitprefs.SkipsHooks(e) && (e.Name != "SKIP" || j.runsGit()) {
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
