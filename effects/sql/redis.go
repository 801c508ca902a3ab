package sql

import "strings"

// RedisExecutes reports whether a command of Redis loads a library, runs more than Lua may, or
// makes Redis write its data where another program will run or believe it.
func RedisExecutes(command, rest string) bool {
	command = strings.ToUpper(command)
	if command != "MODULE" && command != "CONFIG" && command != "EVAL" {
		return false
	}
	words := strings.Fields(strings.ToLower(rest))
	at := func(i int) string {
		if i < len(words) {
			return strings.Trim(words[i], `"'`)
		}
		return ""
	}
	switch command {
	case "MODULE":
		return at(0) == "load" || at(0) == "loadex"
	case "CONFIG":
		if at(0) != "set" {
			return false
		}
		for i := 1; i < len(words); i += 2 {
			switch value := at(i + 1); at(i) {
			case "dir":
				if runFile(value+"/") || strings.Contains(value, "/www") || strings.HasPrefix(value, "/root") {
					return true
				}
			case "dbfilename", "appendfilename":
				if runFile("/"+value) || value == "authorized_keys" || value == "root" {
					return true
				}
			}
		}
	case "EVAL":
		for _, call := range [...]string{"package.loadlib", "io.popen", "os.execute"} {
			if strings.Contains(strings.ToLower(rest), call) {
				return true
			}
		}
	}
	return false
}

// RedisFlushes reports whether a script for Redis calls FLUSHALL or FLUSHDB.
func RedisFlushes(script string) bool {
	script = strings.NewReplacer(`".."`, "", `'..'`, "", `" .. "`, "").Replace(script)
	if lower := strings.ToLower(script); strings.Contains(lower, "'*'") || strings.Contains(lower, `"*"`) { // all that keys finds
		if strings.Contains(lower, "keys") && (strings.Contains(lower, "'del'") || strings.Contains(lower, `"del"`) ||
			strings.Contains(lower, "unlink")) {
			return true
		}
	}
	for word := range strings.FieldsFuncSeq(strings.ToUpper(script), func(c rune) bool { return c < 'A' || c > 'Z' }) {
		if word == "FLUSHALL" || word == "FLUSHDB" {
			return true
		}
	}
	return false
}
