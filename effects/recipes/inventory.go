package recipes

import (
	"path"
	"strings"
)

// Inventory is the hosts that a call of Ansible is about: a list of them, those in a file, and a
// pattern that is the name of one.
func Inventory(list, file, program, pattern string) (hosts []string) {
	add := func(name string) {
		name, _, _ = strings.Cut(strings.Trim(name, `:"'`), ":")
		if name != "" && !strings.ContainsAny(name, "/=*[]{}!") {
			hosts = append(hosts, name)
		}
	}
	if strings.Contains(list, ",") { // hosts, and not a file of them
		file = strings.ReplaceAll(list, ",", "\n")
	}
	for line := range strings.Lines(file) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.ContainsAny(words[0][:1], "#;[") {
			continue
		}
		if strings.Contains(words[0], ".") || strings.Contains(list, ",") {
			add(words[0])
		}
		for i, word := range words {
			if address, ok := strings.CutPrefix(word, "ansible_host="); ok {
				add(address)
			} else if word == "ansible_host:" && i+1 < len(words) {
				add(words[i+1])
			}
		}
	}
	if program == "ansible" && strings.Contains(pattern, ".") && path.Ext(pattern) != ".yml" {
		add(pattern)
	}
	return hosts
}
