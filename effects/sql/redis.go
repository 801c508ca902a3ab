package sql

import "strings"

// RedisExecutes reports whether a command of Redis loads a library, runs more than Lua may, or
// makes Redis write its data where another program will run or believe it.
func RedisExecutes(command, rest string) bool {
	words := strings.Fields(strings.ToLower(rest))
	at := func(i int) string {
		if i < len(words) {
			return strings.Trim(words[i], `"'`)
		}
		return ""
	}
	switch strings.ToUpper(command) {
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
