package shellguard

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
)

// statements judges what a client of a database is given to execute.
func (j *judge) statements(c *effects.Code) {
	switch c.Language {
	case "sql":
		if statement, found := destroysData(c.Text); found {
			j.add("database_destroy", statement)
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

// flushes reports whether a script for Redis calls FLUSHALL or FLUSHDB.
func flushes(script string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToUpper(script), func(c rune) bool { return c < 'A' || c > 'Z' }) {
		if word == "FLUSHALL" || word == "FLUSHDB" {
			return true
		}
	}
	return false
}

// database judges the programs that remove databases, and the tools that build them.
func (j *judge) database(i int) {
	r := &j.set.Runs[i]
	w := operands(r, "")
	if w.has("--help", "--version") {
		return
	}
	switch r.Program {
	case "dropdb", "dropuser":
		if len(w.list) > 0 {
			j.add("database_destroy", j.line(i))
		}
	case "mysqladmin":
		if contains(w.list, "drop") || contains(w.list, "shutdown") {
			j.add("database_destroy", j.line(i))
		}
	case "mongorestore":
		if w.has("--drop") {
			j.add("database_destroy", j.line(i))
		}
	case "pg_restore":
		if w.has("--clean", "-c") {
			j.add("database_reset", j.line(i))
		}
	case "bq", "snowsql", "cqlsh", "mssql-cli":
		if w.at(0) == "rm" && r.Program == "bq" {
			j.add("database_destroy", j.line(i))
		}
		for _, a := range r.Args[:min(len(r.Args), 100)] {
			j.statements(&effects.Code{Language: "sql", Text: a.Text})
		}
	default:
		j.migration(i)
	}
}

// keys judges the removal of all keys that a scan names: redis-cli keys '*' |
// xargs redis-cli del.
func (j *judge) keys(i int) {
	r := &j.set.Runs[i]
	if !r.More || r.By < 0 || j.set.Runs[r.By].From < 0 {
		return
	}
	w := operands(r, " -h -p -n -a -u ")
	if verb := strings.ToLower(w.at(0)); verb != "del" && verb != "unlink" {
		return
	}
	scan := &j.set.Runs[j.set.Runs[r.By].From]
	if scan.Program != r.Program {
		return
	}
	from := operands(scan, " -h -p -n -a -u --pattern ")
	pattern, some := from.value("--pattern")
	if from.has("--scan") && (!some || pattern == "*") || strings.EqualFold(from.at(0), "keys") && from.at(1) == "*" {
		j.add("database_destroy", j.line(i))
	}
}

// requests judges HTTP requests that delete everything a server has: DELETE
// http://search:9200/_all.
func (j *judge) requests(i int) {
	r := &j.set.Runs[i]
	w := words{args: r.Args}
	method, _ := w.value("-X", "--request")
	for _, a := range r.Args[:min(len(r.Args), 200)] {
		if r.Program != "curl" && a.Text == "DELETE" {
			method = a.Text
		}
	}
	if !strings.EqualFold(method, "DELETE") {
		return
	}
	for k := range j.set.Nets {
		n := &j.set.Nets[k]
		if n.Run != i {
			continue
		}
		_, rest, found := strings.Cut(n.URL, "://")
		if !found {
			rest = n.URL
		}
		_, at, _ := strings.Cut(rest, "/")
		at, _, _ = strings.Cut(at, "?")
		if last := at[strings.LastIndexByte(at, '/')+1:]; last == "_all" || last == "*" {
			j.add("database_destroy", j.line(i))
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
			case "dropDatabase", "dropAllUsers", "dropUser":
				if strings.HasPrefix(rest, "(") {
					return true
				}
			case "drop":
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

// migration judges the tasks of frameworks that drop databases. Development
// resets its own database all the time, so only what is forced, or says that
// it means production, is an error.
func (j *judge) migration(i int) {
	r := &j.set.Runs[i]
	w := operands(r, "")
	list := w.list
	for len(list) > 0 && runner(list[0]) {
		list = list[1:]
	}
	if r.Input != nil && (contains(list, "dbconsole") || contains(list, "dbshell") || contains(list, "db")) {
		j.statements(&effects.Code{Language: "sql", Text: *r.Input})
	}
	task := strings.Join(list[:min(3, len(list))], " ")
	production := forProduction(r)
	found := code("")
	switch {
	case strings.Contains(task, "prisma migrate reset"), r.Program == "prisma" && strings.HasPrefix(task, "migrate reset"):
		found = "database_reset"
		if w.has("--force", "-f") {
			found = "database_destroy"
		}
	case strings.Contains(task, "prisma db push"), r.Program == "prisma" && strings.HasPrefix(task, "db push"):
		if w.has("--force-reset", "--accept-data-loss") {
			found = "database_destroy"
		}
	case r.Program == "supabase" && strings.HasPrefix(task, "db reset"):
		found = "database_reset"
		if w.has("--linked", "--db-url") {
			found = "database_destroy"
		}
	default:
		for _, word := range list {
			switch word {
			case "db:drop", "db:reset", "db:purge", "db:drop:all", "db:schema:load", "db:drop:_unsafe", "migrate:fresh", "migrate:reset",
				"migrate:refresh", "db:wipe", "ecto.drop", "ecto.reset", "schema:drop", "reset_db", "flush", "db:migrate:reset", "db:truncate_all":
				found = "database_reset"
				if production || w.has("--force", "--force-drop", "--no-input", "--noinput") && word != "ecto.reset" {
					found = "database_destroy"
				}
			}
		}
	}
	if found != "" && manages(r, list) {
		j.add(found, j.line(i))
	}
}

// manages reports whether a generic interpreter really runs a task of a
// framework: `python flush` is no Django.
func manages(r *effects.Run, list []string) bool {
	switch r.Program {
	case "python", "python3", "php":
		return len(list) > 0 && (strings.HasSuffix(list[0], "manage.py") || strings.HasSuffix(list[0], "artisan"))
	}
	return true
}

// runner reports whether a word only starts the next one.
func runner(word string) bool {
	switch word {
	case "exec", "run", "dlx", "x", "--", "rails", "rake":
		return true
	}
	return strings.HasSuffix(word, "bin/rails") || strings.HasSuffix(word, "bin/rake")
}

func forProduction(r *effects.Run) bool {
	for _, e := range r.Env {
		switch e.Name {
		case "RAILS_ENV", "NODE_ENV", "MIX_ENV", "APP_ENV", "RACK_ENV", "DJANGO_ENV", "FLASK_ENV", "ENVIRONMENT", "ENV":
			if strings.HasPrefix(strings.ToLower(e.Value.Text), "prod") {
				return true
			}
		case "DISABLE_DATABASE_ENVIRONMENT_CHECK":
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
