package programs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/fit"
	"github.com/trammel-dev/trammel/effects/programs/gitline"
	"github.com/trammel-dev/trammel/effects/programs/parts"
	"github.com/trammel-dev/trammel/effects/sql"
)

// database lists the statements that a database client is given. Policy reads
// them; here only the clients' own commands that leave the database are.
func database(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	given := false
	statement := func(w Word) {
		given = true
		c.host.AddCode(model.Code{Language: c.language(), Text: w.Text, Origin: model.Inline})
		if c.host.Run().Program == "duckdb" {
			c.duckdb(w)
		}
		if w.Known {
			if c.language() == "mongo" {
				c.host.Inline("node", w.Text)
			}
			c.clientCommands(w.Text)
		} else {
			c.host.Doubt("code", w.Text)
		}
	}
	file := func(w Word) {
		if given = given || w.Text != "-"; w.Text != "-" {
			c.host.RunFile(c.language(), w)
			if text := c.sourced(w); text.Known {
				c.clientCommands(text.Text)
			}
		}
	}
	for i := range a.Given {
		if g := &a.Given[i]; g.Role == "H" || g.Role == "U" {
			c.do(&roles{}, parts.Part{Role: g.Role[0]}, g.Value)
		}
	}
	a.Values(c.connection, "dbname")
	for i, w := range a.Operands {
		switch c.language() {
		case "redis":
			if i == 0 {
				statement(gitline.Joined(a.Operands))
			}
		case "mongo":
			if strings.HasSuffix(w.Text, ".js") && !strings.Contains(w.Text, "://") {
				file(w)
			}
		default:
			switch {
			case c.name != "sqlite3":
			case i > 0:
				statement(w)
			case w.Text != ":memory:" && w.Text != "" && fit.ReadsOnly(&a):
				c.read(w)
			case w.Text != ":memory:" && w.Text != "":
				c.add(File{Op: Write, Append: true}, w)
			}
		}
		switch {
		case c.name == "sqlite3":
		case strings.Contains(w.Text, "://"):
			c.url(w, false)
		default:
			c.connection(w)
		}
	}
	for i := range a.Given {
		switch g := &a.Given[i]; {
		case g.Role == "W":
			c.do(&roles{}, parts.Part{Role: 'W'}, g.Value)
		case g.Role == "Z":
			statement(g.Value)
		case g.Role == "X" && c.name == "redis-cli":
			given = true
			c.host.RunFile("lua", g.Value)
		case g.Role == "X":
			file(g.Value)
		}
	}
	if given {
		return
	}
	if in := c.host.Input(); in.Known {
		statement(word(in.Text))
		return
	} else if text, ok := c.host.Given(); ok && (c.name == "redis-cli" || c.name == "sqlite3") {
		statement(word(text))
		return
	}
	c.host.RunInput(c.language())
}

// connection lists the host of a connection string: host=a dbname=b.
func (c *call) connection(w Word) { c.servers(sql.Servers(w.Text), w.Known) }

func (c *call) servers(list []string, known bool) {
	for _, host := range list {
		c.reach(Word{Text: host, Known: known}, false)
	}
}

// statementFiles lists the files that a statement names: those that SQLite's
// functions and psql's \copy read and write.
func (c *call) statementFiles(line string) {
	if c.host.Run().Program != "duckdb" { // Places has these
		for _, file := range sql.FilesRead(line) {
			c.read(word(file))
		}
	}
	if c.name == "sqlite3" {
		c.write(word(sql.QuotedAfter(line, "writefile(")), word(sql.QuotedAfter(line, "vacuum into")))
		if file := sql.QuotedAfter(line, "attach "); file != ":memory:" {
			c.add(File{Op: Write, Append: true}, word(file))
		}
	} else if sql.QuotedAfter(line, "local infile ") != "" { // MySQL sends it
		c.host.AddNet(model.Net{Sends: true})
	} else if strings.HasPrefix(line, `\copy `) {
		c.write(word(sql.QuotedAfter(line, " to")))
	}
}

// clientCommands reads the lines that the client itself acts on: \! and .shell
// run a program, \o and .output write a file.
func (c *call) clientCommands(text string) {
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		c.statementFiles(line)
		if i := strings.Index(line, `\!`); i >= 0 && c.name != "sqlite3" {
			c.host.Script(line[i+2:])
			continue
		}
		if command := sql.QuotedAfter(line, " program "); command != "" { // COPY … TO PROGRAM
			c.host.Script(command)
		}
		for _, call := range [...]string{"executable(", "edit(", "xp_cmdshell", "sys_exec(", "sys_eval(", "system("} {
			if _, command, ok := strings.Cut(line, call); ok {
				if command, ok = c.lines().In(command); ok {
					c.host.Script(command)
				}
			}
		}
		name, rest, _ := strings.Cut(line, " ")
		rest = strings.Trim(strings.TrimSpace(rest), `'"`)
		if strings.HasPrefix(name, "!") { // !rm, !!rm, !sh rm
			c.host.Script(strings.TrimPrefix(strings.TrimLeft(line, "!"), "sh "))
		}
		switch strings.ToLower(name) {
		case ".shell", ".system", "system", "host", "ho", "shell", `\shell`:
			c.host.Script(rest)
		case `\c`, `\connect`:
			c.servers(sql.Connects(rest), true)
		case ".load":
			c.host.RunFile("library", word(rest))
		case ".output", ".once", `\o`, ".save", ".backup", ".clone", ".dump", ".excel", `\w`:
			if command, ok := strings.CutPrefix(rest, "|"); ok {
				c.host.Script(command)
			} else if rest != "" && name != ".dump" {
				c.write(word(rest))
			}
		case ".read", ".import", `\i`, `\ir`, "source", ".restore", ".open":
			if command, ok := strings.CutPrefix(rest, "|"); ok {
				c.host.Script(command)
			} else if first, _, _ := strings.Cut(rest, " "); first != "" {
				c.read(word(first))
			}
		}
	}
}

// duckdb lists what its statements read and write by name.
func (c *call) duckdb(statement Word) {
	for _, p := range sql.Places(statement.Text) {
		w := Word{Text: p.Text, Known: p.Whole && statement.Known}
		if !p.Whole {
			w.Text = "$_/" + p.Text
		}
		switch {
		case p.Verb == "env":
			c.host.AddFile(File{Op: Read, Path: Path{Text: "$" + p.Text, Abs: "/proc/self/environ"}})
		case strings.Contains(p.Text, "://"):
			c.url(w, p.Verb == "write")
		case p.Verb == "load" && strings.ContainsAny(p.Text, "./"):
			c.host.RunFile("library", w)
		case p.Verb == "write":
			c.write(w)
		case p.Verb == "attach":
			c.add(File{Op: Write, Append: true}, w)
			c.connection(w)
		case p.Verb == "read":
			c.read(w)
		}
	}
}
