package sql

import "strings"

// QuotedAfter is the text in quotes behind a word, "" if there is none.
func QuotedAfter(line, word string) string {
	i := strings.Index(strings.ToLower(line), word)
	if i < 0 {
		return ""
	}
	_, rest, _ := strings.Cut(line[i+len(word):], "'")
	text, _, ok := strings.Cut(rest, "'")
	if !ok {
		return ""
	}
	return text
}

// Programs are the command lines that a statement makes the database run, as texts in
// single quotes: COPY … PROGRAM 'x', xp_cmdshell 'x'.
func Programs(text string) (lines []string) {
	for _, word := range [...]string{" program ", "xp_cmdshell", "executable(", "sys_exec(", "sys_eval(", "system("} {
		if line := QuotedAfter(text, word); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// FilesRead are, for other databases than DuckDB, the texts in single quotes that a statement reads as files: FROM 'x',
// INFILE 'x', and the first argument of a function whose name says so.
func FilesRead(line string) (files []string) {
	before := ""
	for n, part := range strings.Split(line, "'") {
		if n%2 == 0 {
			before = strings.ToLower(strings.TrimRight(part, " \t["))
			continue
		}
		word := before[strings.LastIndexAny(strings.TrimSuffix(before, "("), " \t,(=.")+1:]
		name, called := strings.CutSuffix(word, "(")
		if !called && (word == "from" || word == "infile" || word == "attach") || called && readsFile(name) {
			files = append(files, part)
		}
	}
	return files
}

func readsFile(function string) bool {
	for _, sign := range [...]string{"read", "load", "import", "scan", "file", "glob", "infile", "bfilename", "openrowset"} {
		if strings.Contains(function, sign) && !strings.Contains(function, "write") {
			return true
		}
	}
	return false
}
