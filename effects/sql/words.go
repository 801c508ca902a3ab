package sql

// writes reports whether a word may begin a statement that changes something,
// or makes a query one.
func writes(w string) bool {
	switch w {
	case "insert", "update", "delete", "merge", "upsert", "replace", "into", "drop", "alter", "create", "truncate", "rename",
		"grant", "revoke", "deny", "exec", "execute", "call", "set", "copy", "kill", "shutdown", "backup", "restore", "dbcc", "bulk",
		"writetext", "updatetext", "reconfigure", "waitfor", "checkpoint", "setuser", "declare", "begin", "commit", "rollback", "procedure":
		return true
	}
	return false
}

// syntax reports whether a parenthesis after this word belongs to the language:
// it is no call, or the type of a column.
func syntax(w string) bool {
	switch w {
	case "select", "distinct", "all", "any", "some", "from", "join", "lateral", "where", "and", "or", "not", "in", "exists", "between", "like",
		"ilike", "is", "case", "when", "then", "else", "end", "on", "using", "as", "with", "values", "union", "intersect", "except", "minus",
		"by", "having", "limit", "offset", "fetch", "top", "over", "partition", "filter", "within", "group", "order", "rows", "range",
		"materialized", "array", "row", "interval", "sets", "window", "escape", "return", "first", "next", "if", "analyze", "explain",
		"varchar", "char", "nvarchar", "nchar", "character", "varying", "decimal", "numeric", "number", "float", "double", "binary", "varbinary",
		"bit", "time", "timestamp", "datetime2", "timestamptz", "signed", "unsigned", "int", "integer", "bigint", "smallint", "text", "date":
		return true
	}
	return false
}

// function reports whether a function only computes, in every database that has it.
func function(w string) bool {
	switch w {
	case "count", "sum", "avg", "min", "max", "stddev", "stddev_pop", "stddev_samp", "variance", "var_pop", "var_samp", "median", "mode",
		"corr", "covar_pop", "covar_samp", "percentile_cont", "percentile_disc", "string_agg", "group_concat", "listagg", "array_agg",
		"json_agg", "jsonb_agg", "json_object_agg", "jsonb_object_agg", "bool_and", "bool_or", "every", "bit_and", "bit_or", "any_value",
		"count_big", "approx_count_distinct",
		"row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead", "first_value", "last_value", "nth_value",
		"coalesce", "nullif", "ifnull", "isnull", "nvl", "nvl2", "iif", "decode", "greatest", "least", "cast", "try_cast", "convert",
		"try_convert", "to_char", "to_date", "to_number", "to_timestamp", "to_json", "to_jsonb", "row_to_json", "typeof", "pg_typeof",
		"abs", "ceil", "ceiling", "floor", "round", "trunc", "truncate", "mod", "power", "pow", "sqrt", "exp", "ln", "log", "log10", "log2",
		"sign", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "pi", "degrees", "radians", "div",
		"length", "len", "char_length", "character_length", "octet_length", "datalength", "bit_length", "lower", "upper", "initcap",
		"trim", "ltrim", "rtrim", "btrim", "lpad", "rpad", "left", "right", "substr", "substring", "mid", "position", "instr", "strpos",
		"charindex", "locate", "patindex", "replace", "translate", "reverse", "repeat", "replicate", "space", "concat", "concat_ws",
		"split_part", "ascii", "chr", "unicode", "format", "hex", "unhex", "encode", "md5", "sha1", "sha2", "sha256", "quote_ident",
		"quote_literal", "regexp_replace", "regexp_match", "regexp_matches", "regexp_like", "regexp_substr", "regexp_count", "regexp_instr",
		"string_to_array", "array_to_string", "starts_with", "stuff", "field", "find_in_set", "glob",
		"now", "current_date", "current_time", "current_timestamp", "localtime", "localtimestamp", "clock_timestamp", "statement_timestamp",
		"getdate", "getutcdate", "sysdatetime", "sysdate", "curdate", "curtime", "utc_timestamp", "date", "datetime", "julianday",
		"strftime", "unixepoch", "date_trunc", "date_part", "extract", "datepart", "datename", "dateadd", "datediff", "date_add", "date_sub",
		"date_diff", "date_format", "datetrunc", "eomonth", "last_day", "add_months", "months_between", "year", "month", "day", "hour",
		"minute", "second", "quarter", "week", "weekday", "dayofweek", "dayofmonth", "dayofyear", "dayname", "monthname", "age",
		"make_date", "make_interval", "timestampdiff", "timestampadd", "unix_timestamp", "from_unixtime", "str_to_date", "to_days",
		"json_extract", "json_value", "json_query", "json_object", "json_array", "json_array_length", "json_type", "json_valid", "json_each",
		"json_tree", "json_unquote", "json_contains", "json_length", "json_keys", "json_build_object", "json_build_array",
		"jsonb_build_object", "jsonb_build_array", "jsonb_array_length", "jsonb_array_elements", "jsonb_array_elements_text", "jsonb_each",
		"jsonb_each_text", "jsonb_object_keys", "json_array_elements", "json_object_keys", "jsonb_extract_path_text", "isjson",
		"array_length", "array_position", "array_upper", "array_lower", "cardinality", "unnest", "generate_series", "generate_subscripts",
		"grouping", "rollup", "cube", "version", "database", "current_database", "current_schema", "current_user", "user", "db_name",
		"total", "likelihood", "likely", "unlikely", "printf", "rowid", "pg_size_pretty", "pg_relation_size", "pg_total_relation_size",
		"pg_table_size", "pg_database_size", "obj_description", "col_description", "format_type", "pg_get_viewdef", "pg_get_indexdef",
		"pg_get_constraintdef", "pg_get_functiondef", "pg_get_expr", "to_regclass", "object_id", "object_name", "schema_name", "col_name":
		return true
	}
	return false
}
