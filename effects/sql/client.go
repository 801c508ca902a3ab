package sql

import "strings"

// ClientReads is OnlyReads for what a database client is given: lines may also be
// commands of the client itself that only show something: \d of psql, .schema of
// sqlite3.
func ClientReads(text string) bool {
	var statements strings.Builder
	for line := range strings.Lines(text) {
		if !shows(strings.TrimSpace(line)) {
			statements.WriteString(line)
		}
	}
	rest := statements.String()
	return strings.TrimSpace(rest) == "" && strings.TrimSpace(text) != "" || OnlyReads(rest)
}

// shows reports whether a line is a command of a client that only shows something.
func shows(line string) bool {
	name, rest, _ := strings.Cut(line, " ")
	if strings.ContainsAny(rest, "\\|;!`") { // psql takes several commands in a line
		return false
	}
	if name = strings.TrimRight(name, "+S"); strings.HasPrefix(name, `\d`) {
		return strings.Trim(name[2:], "abcdefgilmnopstuvxyADEFLOPRT") == ""
	}
	switch name {
	case `\l`, `\conninfo`, `\?`, `\h`, `\x`, `\timing`, `\z`, `\echo`, `\encoding`,
		".schema", ".fullschema", ".dump", ".recover", ".nullvalue", ".separator", ".tables",
		".indexes", ".databases", ".headers", ".header", ".mode", ".width", ".dbinfo", ".help", ".show", ".timer", ".stats":
		return true
	}
	return false
}

// Servers are the hosts and URLs that a connection string names: host=db.example port=5432.
func Servers(text string) (out []string) {
	if _, rest, ok := strings.Cut(text, "://"); ok && rest != "" {
		return []string{text}
	}
	for field := range strings.FieldsSeq(text) {
		name, host, _ := strings.Cut(field, "=")
		if (name == "host" || name == "hostaddr") && host != "" && host[0] != '/' {
			out = append(out, host)
		}
	}
	return out
}

// Connects are the servers of a line that changes the connection: dbname user host, or a
// connection string in place of all that.
func Connects(rest string) []string {
	if words := strings.Fields(rest); len(words) > 2 && words[2] != "-" && !strings.Contains(rest, "=") {
		return words[2:3]
	}
	return Servers(rest)
}
