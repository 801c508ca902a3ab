package sql

import (
	"slices"
	"strings"
)

// Opens reports whether a text of SQL gives somebody all rights on a server, gives
// everybody all rights on something, or takes the protection of rows away. It returns the
// beginning of the statement.
func Opens(text string) (statement string, found bool) {
	for tokens, part := range statements(text) {
		if opening(tokens, part) {
			return strings.Join(tokens[:min(len(tokens), 8)], " "), true
		}
	}
	return "", false
}

// opening reports whether one statement does; whole is its text, for what stands in quotes.
func opening(t []string, whole string) bool {
	said := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(t, w) })
	}
	switch {
	case len(t) < 3:
	case t[0] == "GRANT" && said("SUPERUSER", "SUPER", "DBA", "SYSDBA", "ACCOUNTADMIN", "SECURITYADMIN", "RDS_SUPERUSER", "CLOUDSQLSUPERUSER",
		"PG_EXECUTE_SERVER_PROGRAM", "PG_READ_SERVER_FILES", "PG_WRITE_SERVER_FILES", "PG_READ_ALL_DATA", "PG_WRITE_ALL_DATA"):
		return true
	case t[0] == "GRANT" && said("ALL"):
		return said("PUBLIC", "ANON") || strings.Contains(strings.Join(strings.Fields(whole), ""), "*.*")
	case (t[0] == "CREATE" || t[0] == "ALTER") && (t[1] == "ROLE" || t[1] == "USER"):
		return said("SUPERUSER", "BYPASSRLS", "DBA")
	case t[0] == "ALTER" && t[1] == "SERVER" && said("SYSADMIN", "SECURITYADMIN") && said("ADD"),
		t[0] == "ALTER" && t[1] == "LOGIN" && said("SA"):
		return true
	case t[0] == "ALTER" && t[1] == "TABLE":
		return strings.Contains(strings.Join(t, " "), "DISABLE ROW LEVEL SECURITY")
	case t[0] == "ALTER" && t[1] == "SYSTEM":
		return said("LISTEN_ADDRESSES") && strings.ContainsAny(whole, "*0")
	case said("SP_ADDSRVROLEMEMBER"):
		return true
	}
	return false
}
