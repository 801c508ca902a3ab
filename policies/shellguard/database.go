package shellguard

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
)

// statements judges what a client of a database is given to execute.
func (j *judge) statements(c *model.Code) {
	switch c.Language {
	case "sql":
		if statement, found := destroysData(c.Text); found {
			j.add("database_destroy", statement)
		}
		for _, name := range [...]string{"pg_shadow", "rolpassword", "authentication_string", "duckdb_secrets"} {
			if strings.Contains(strings.ToLower(c.Text), name) {
				j.add("reads_secret", name)
			}
		}
	case "mongo":
		if dropsCollections(c.Text) {
			j.add("database_destroy", c.Text)
		}
	case "redis":
		for line := range strings.Lines(c.Text) {
			word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch word = strings.ToUpper(word); {
			case word == "FLUSHALL", word == "FLUSHDB", word == "SHUTDOWN", word == "CLUSTER" && strings.HasPrefix(strings.ToUpper(rest), "RESET"):
				j.add("database_destroy", line)
			case word == "EVAL" && flushes(rest):
				j.add("database_destroy", line)
			}
		}
	}
}

// made judges statements that one client writes and the next one executes: select
// 'drop table ' || name.
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
	for word := range strings.FieldsFuncSeq(strings.ToUpper(script), func(c rune) bool { return c < 'A' || c > 'Z' }) {
		if word == "FLUSHALL" || word == "FLUSHDB" {
			return true
		}
	}
	return false
}

// keys judges the removal of all keys that a scan names: redis-cli keys '*' |
// xargs redis-cli del.
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
	for k := range j.set.Nets {
		n := &j.set.Nets[k]
		if n.Run == i && strings.Contains(n.URL, "/_delete_by_query") {
			j.add("database_destroy", n.URL)
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
		socket, _ := w.Value("unix-socket")
		if last := at[strings.LastIndexByte(at, '/')+1:]; last == "_all" || last == "*" {
			j.add("database_destroy", j.line(i))
		} else if strings.HasSuffix(socket.Text, "docker.sock") || strings.HasSuffix(socket.Text, "podman.sock") {
			j.add("container_destroy", j.line(i))
		} else if !local(n.Host) {
			j.add("http_delete", n.Host)
		}
	}
}

// dropsCollections reports whether a script of the Mongo shell removes whole
// databases or collections: db.dropDatabase(), c.drop(), c.deleteMany({}).
func dropsCollections(text string) bool {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\'' || c == '"' || c == '`':
			i += quoted(text[i:], c)
		case strings.HasPrefix(text[i:], "//"):
			i += lineEnd(text[i:])
		case wordByte(c) && c != '.':
			end := i
			for end < len(text) && wordByte(text[end]) && text[end] != '.' {
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
			case "deleteMany", "remove":
				if strings.HasPrefix(rest, "({})") || strings.HasPrefix(rest, "()") && text[i:end] == "remove" {
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
		if a.Text == "--env=test" || strings.HasSuffix(a.Text, "_ENV=test") {
			return true
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
		}
	}
	for _, a := range r.Args {
		if strings.HasSuffix(a.Text, "_ENV=production") || a.Text == "--env=production" {
			return true
		}
	}
	return false
}
