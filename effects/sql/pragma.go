package sql

// asks reports whether a PRAGMA only asks.
func (s statement) asks() bool {
	if len(s) > 2 && s.at(2) == "." { // of one of the attached databases
		s = s[2:]
	}
	switch s.at(1) {
	case "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list", "foreign_key_check",
		"integrity_check", "quick_check": // what is in parentheses is the name of a table
		return len(s) == 2 || len(s) == 5 && s.at(2) == "(" && s.at(4) == ")"
	case "database_list", "collation_list", "function_list", "module_list", "pragma_list", "compile_options", "user_version",
		"schema_version", "application_id", "encoding", "page_count", "page_size", "freelist_count", "foreign_keys", "journal_mode",
		"synchronous", "cache_size", "auto_vacuum", "data_version", "busy_timeout":
		return len(s) == 2 // a value sets it
	}
	return false
}
