package sql

import (
	"path"
	"slices"
	"strings"
)

// Executes reports whether a text of SQL makes the database run a program, load code that
// is not SQL, or write a file that another program will run. It returns the beginning of the
// statement.
func Executes(text string) (statement string, found bool) {
	for tokens, part := range statements(text) {
		whole := strings.ToLower(part)
		if _, library, ok := strings.Cut("\n"+whole, "\n.load "); ok && outside(strings.Trim(strings.TrimSpace(library), `'"`)) { // of sqlite3
			return strings.TrimSpace(whole), true
		}
		if executing(tokens, whole) {
			return strings.Join(tokens[:min(len(tokens), 8)], " "), true
		}
	}
	return "", false
}

// executing reports whether one statement executes something. whole is its text in lower
// case, for what is in its quotes.
func executing(t []string, whole string) bool {
	for i, word := range t {
		next := func(n int) string {
			if i+n < len(t) {
				return t[i+n]
			}
			return ""
		}
		switch name := word[strings.LastIndexByte(word, '.')+1:]; name {
		case "PROGRAM":
			if t[0] == "COPY" && i > 1 && (t[i-1] == "FROM" || t[i-1] == "TO") {
				return true
			}
		case "XP_CMDSHELL", "SP_OACREATE", "SP_OAMETHOD", "SP_EXECUTE_EXTERNAL_SCRIPT", "XP_REGWRITE", "SP_ADDEXTENDEDPROC", "SONAME", "DUMPFILE":
			return true
		case "SYS_EXEC", "SYS_EVAL", "EXECUTABLE", "LO_EXPORT", "PG_FILE_WRITE", "DBMS_JAVA", "RUNJAVA":
			if next(1) == "(" {
				return true
			}
		case "LOAD_EXTENSION":
			if next(1) == "(" && outside(QuotedAfter(whole, "load_extension")) {
				return true
			}
		case "SP_CONFIGURE":
			if strings.Contains(whole, "xp_cmdshell") || strings.Contains(whole, "ole automation") || strings.Contains(whole, "clr ") ||
				strings.Contains(whole, "external scripts") {
				return true
			}
		case "CREATE_JOB", "CREATE_PROGRAM":
			if strings.Contains(whole, "executable") || strings.Contains(whole, "external_script") {
				return true
			}
		case "SP_ADD_JOBSTEP":
			if strings.Contains(whole, "cmdexec") || strings.Contains(whole, "powershell") {
				return true
			}
		case "LANGUAGE":
			language := next(1)
			if language == "'" {
				language = strings.ToUpper(QuotedAfter(whole, "language"))
			}
			if (t[0] == "CREATE" || t[0] == "DO") && free(language) {
				return true
			}
		case "EXTENSION":
			if t[0] == "CREATE" && (free(t[len(t)-1]) || free(next(1)) || next(1) == "IF" && free(next(4))) {
				return true
			}
		case "ASSEMBLY":
			if i == 1 && t[0] == "CREATE" {
				return true
			}
		case "JAVA":
			if t[0] == "CREATE" && (next(1) == "SOURCE" || next(1) == "CLASS") {
				return true
			}
		case "ALIAS": // H2: a method of Java
			if t[0] == "CREATE" && (slices.Contains(t[i:], "AS") || slices.Contains(t[i:], "FOR")) {
				return true
			}
		case "RUNSCRIPT":
			if i == 0 && strings.Contains(whole, "://") {
				return true
			}
		case "INSTALL": // DuckDB
			if i == 0 && (strings.Contains(whole, "://") || outside(QuotedAfter(whole, "install"))) {
				return true
			}
		case "LOAD":
			if i == 0 && next(1) == "'" && outside(QuotedAfter(whole, "load")) {
				return true
			}
		case "OUTFILE", "GENERAL_LOG_FILE", "SLOW_QUERY_LOG_FILE", "ATTACH":
			if runFile(QuotedAfter(whole, strings.ToLower(name))) {
				return true
			}
		case "ARCHIVE_COMMAND", "RESTORE_COMMAND", "SSL_PASSPHRASE_COMMAND", "ARCHIVE_CLEANUP_COMMAND", "RECOVERY_END_COMMAND":
			if t[0] == "ALTER" || t[0] == "SET" {
				return true
			}
		case "DYNAMIC_LIBRARY_PATH", "SHARED_PRELOAD_LIBRARIES", "SESSION_PRELOAD_LIBRARIES", "LOCAL_PRELOAD_LIBRARIES":
			if (t[0] == "ALTER" || t[0] == "SET") && outside(QuotedAfter(whole, strings.ToLower(name))) {
				return true
			}
		}
	}
	return false
}

// free reports whether functions in a language of PostgreSQL may do whatever the server may.
func free(language string) bool {
	switch language {
	case "C", "PLPERLU", "PLTCLU", "PLSH", "PLSHELL", "PLR", "PLJAVAU", "PLRUBYU", "PLLUAU", "JAVA":
		return true
	}
	return strings.HasPrefix(language, "PLPYTHON")
}

// outside reports whether a library is named by a place that is neither of the project nor
// where the system has its libraries.
func outside(name string) bool {
	if !strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "~") && !strings.HasPrefix(name, `\`) && !strings.Contains(name, ":") &&
		!strings.HasPrefix(name, "../") {
		return false
	}
	for _, dir := range [...]string{"/usr/lib", "/usr/local/lib", "/opt/homebrew/", "/lib/", "/usr/local/opt/"} {
		if strings.HasPrefix(name, dir) && !strings.Contains(name, "..") {
			return false
		}
	}
	return true
}

// runFile reports whether a file is one that a web server, a shell or the machine runs.
func runFile(name string) bool {
	switch path.Ext(name) {
	case ".php", ".phtml", ".jsp", ".asp", ".aspx", ".sh", ".py", ".pl", ".so", ".dll", ".bat", ".ps1", ".exe", ".vbs", ".service":
		return true
	}
	for _, part := range [...]string{"/.ssh/", "/cron", "/.bash", "/.profile", "/.zsh", "/etc/"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
