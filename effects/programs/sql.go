package programs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/paths"
)

// database lists the statements that a database client is given. Policy reads
// them; here only the clients' own commands that leave the database are.
func database(c *call) {
	var o options
	switch c.name {
	case "psql", "usql", "pgcli":
		o = options{short: "c:d:f:h:L:o:p:U:v:F:P:R:T:", long: "command= dbname= file= host= port= username= log-file= output= set= variable= " +
			"help? version"}
	case "mysql", "mariadb", "mycli":
		o = options{short: "e:h:P:u:D:S:p::", long: "execute= host= port= user= database= socket= password? defaults-file= " +
			"defaults-extra-file= " +
			"tee= init-command= help version"}
	case "sqlite3", "sqlite", "duckdb":
		c.args = sqliteOptions(c.args)
		o = options{dash: true, long: "cmd= init= separator= nullvalue= vfs= newline= c= f= s= maxsize= mmap= header csv json line list " +
			"readonly batch help version"}
	case "mongosh", "mongo":
		o = options{short: "u:p:", long: "eval= host= port= username= password= authenticationDatabase= file= help version"}
	case "clickhouse-client", "clickhouse", "cockroach", "sqlcmd":
		o = options{short: "q:Q:h:d:u:e:S:U:P:i:o:", long: "query= queries-file= host= port= user= password= database= execute= url= help " +
			"version"}
	default:
		o = options{short: "h:p:n:a:u:x", long: "eval= user= pass= help version"}
	}
	a, ok := c.options(o)
	if !ok {
		return
	}
	language := "sql"
	switch c.name {
	case "mongosh", "mongo":
		language = "mongo"
	case "redis-cli", "valkey-cli", "keydb-cli":
		language = "redis"
	}
	given := false
	sql := func(w Word) {
		given = true
		c.host.AddCode(Code{Language: language, Text: w.Text, Origin: Inline})
		if w.Known {
			c.clientCommands(w.Text)
		} else {
			c.host.Doubt("code", w.Text)
		}
	}
	if host, ok := a.value("h", "host", "S"); ok && c.name != "sqlite3" {
		n := Net{}
		if host.Known {
			n.Host, n.Port = paths.HostOf(host.Text)
		}
		c.host.AddNet(n)
	}
	operands := a.operands
	switch c.name {
	case "sqlite3", "sqlite", "duckdb":
		if len(operands) > 0 {
			if w := operands[0]; w.Text != ":memory:" && w.Text != "" {
				c.add(File{Op: Write, Append: true}, w)
			}
			for _, w := range operands[1:] {
				sql(w)
			}
		}
		a.values(sql, "cmd", "c", "s")
		a.values(func(w Word) { given = true; c.host.RunFile(language, w) }, "f", "init")
	case "psql", "usql", "pgcli":
		a.values(sql, "c", "command")
		a.values(func(w Word) {
			if w.Text != "-" {
				given = true
				c.host.RunFile(language, w)
			}
		}, "f", "file")
		a.values(func(w Word) { c.write(w) }, "o", "output", "L", "log-file")
		for _, w := range operands {
			if strings.Contains(w.Text, "://") {
				c.url(w, false)
			}
		}
	case "mongosh", "mongo":
		a.values(sql, "eval")
		for _, w := range operands {
			switch {
			case strings.Contains(w.Text, "://"):
				c.url(w, false)
			case strings.HasSuffix(w.Text, ".js"):
				given = true
				c.host.RunFile(language, w)
			}
		}
	case "redis-cli", "valkey-cli", "keydb-cli":
		if len(operands) > 0 {
			sql(joined(operands))
		}
		a.values(func(w Word) { given = true; c.host.RunFile("lua", w) }, "eval")
	default:
		a.values(sql, "e", "execute", "q", "Q", "query", "init-command")
		a.values(func(w Word) { given = true; c.host.RunFile(language, w) }, "queries-file", "i")
	}
	if given {
		return
	}
	if in := c.host.Input(); in.Known {
		sql(word(in.Text))
		return
	}
	c.host.RunInput(language)
}

// sqliteOptions lets -- options of sqlite look like its - options.
func sqliteOptions(args []Word) []Word {
	out := append([]Word(nil), args...)
	for i, w := range out {
		if strings.HasPrefix(w.Text, "--") {
			out[i].Text = w.Text[1:]
		}
	}
	return out
}

// clientCommands reads the lines that the client itself acts on: \! and .shell
// run a program, \o and .output write a file.
func (c *call) clientCommands(text string) {
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if i := strings.Index(line, `\!`); i >= 0 && c.name != "sqlite3" {
			c.host.Script(line[i+2:])
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		rest = strings.Trim(strings.TrimSpace(rest), `'"`)
		switch name {
		case ".shell", ".system", "system":
			c.host.Script(rest)
		case ".output", ".once", `\o`, ".save", ".backup", ".dump", ".excel", `\w`:
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
