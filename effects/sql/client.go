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
