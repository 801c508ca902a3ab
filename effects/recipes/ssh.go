package recipes

import (
	"path"
	"strings"
)

// Machine is what a configuration of ssh says of a machine that a call names: the
// names that it really has, and those on the way to it.
func Machine(text, host string) (names, via []string) {
	here := false
	for line := range strings.Lines(text) {
		words := strings.Fields(strings.Replace(strings.TrimSpace(line), "=", " ", 1))
		if len(words) < 2 {
			continue
		}
		switch strings.ToLower(words[0]) {
		case "host":
			here = false
			for _, pattern := range words[1:] {
				ok, _ := path.Match(strings.ToLower(pattern), host)
				here = here || ok
			}
		case "match":
			here = false
		case "hostname":
			if here && !strings.Contains(words[1], "%") {
				names = append(names, strings.ToLower(words[1]))
			}
		case "proxyjump":
			if here {
				via = append(via, strings.Split(words[1], ",")...)
			}
		}
	}
	return names, via
}
