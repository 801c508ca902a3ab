package shellguard

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/sql"
	"github.com/trammel-dev/trammel/policies/shellguard/environments"
	"github.com/trammel-dev/trammel/policies/shellguard/hosts"
	"github.com/trammel-dev/trammel/policies/shellguard/words"
)

// statements judges the statements that a database client executes.
func (j *judge) statements(c *model.Code) {
	switch c.Language {
	case "sql":
		if statement, found := sql.Destroys(c.Text); found {
			if sql.DropsTests(c.Text) && environments.Here(j.set, c.Run) && !j.hosted(c.Run) {
				j.add("database_reset", statement)
			} else {
				j.add("database_destroy", statement)
			}
		}
		if statement, found := sql.Executes(c.Text); found {
			j.add("database_code", statement)
		}
		if statement, found := sql.Opens(c.Text); found && !(c.Run >= 0 && environments.Test(&j.set.Runs[c.Run])) {
			j.add("database_access", statement)
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
		if sql.MongoDrops(c.Text) {
			j.add("database_destroy", c.Text)
		}
	case "redis":
		if strings.Contains(c.Text, "redis.") && sql.RedisFlushes(c.Text) { // a script in Lua
			j.add("database_destroy", c.Text)
		}
		for line := range strings.Lines(c.Text) {
			word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			if strings.Contains(word, ":") { // --cluster call 10.0.0.1:7000 FLUSHALL
				word, rest, _ = strings.Cut(rest, " ")
			}
			switch word = strings.ToUpper(word); {
			case word == "FLUSHALL", word == "FLUSHDB", word == "SHUTDOWN", word == "FLUSH_ALL",
				word == "CLUSTER" && strings.HasPrefix(strings.ToUpper(rest), "RESET"):
				j.add("database_destroy", line)
			case word == "EVAL" && sql.RedisFlushes(rest):
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
	return slices.ContainsFunc(words.Of(path.Base(address)), func(word string) bool { return words.Verb(word) >= words.Removes })
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
	if hosts.Service(host) {
		return "cloud_destroy"
	}
	return "http_delete"
}

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
			if _, what := words.Mutation(text); what {
				j.add("cloud_destroy", j.line(i))
			}
			if text != "" {
				j.statements(&model.Code{Language: "sql", Text: text})
			}
		}
		if strings.Contains(text, `"remove_index"`) {
			j.add("database_destroy", j.line(i))
		}
		if words.Deletes(v) {
			j.add("http_delete", j.line(i))
		}
	}
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
