package recipes

import "strings"

// CommandVerb reports whether a text ends with a word that runs what follows.
func CommandVerb(text string) bool {
	text = strings.TrimRight(text, " =")
	at := strings.LastIndexAny(text, " \n\t;({[\"'\\.$")
	switch text[at+1:] {
	case "shell", "exec", "system", "sy", "run", "command", "sh", "cmd", "spawn", "execute", "COMMAND":
		return true
	}
	return false
}
