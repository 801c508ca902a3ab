package names

import (
	_ "embed"
	"strings"
)

// packages has a list for each registry; its head says what is in them. It is
// looked at only when something is installed.
//
//go:embed packages.txt
var packages string

// Package returns the popular package of the same registry (npm, pypi, crates) that
// a name is one letter away from; "" if there is none, or the name is legitimate.
func Package(registry, name string) string {
	if name = canonical(name); len(name) < 4 || listed(registry, name) || listed(registry+" too", name) {
		return ""
	}
	for famous := range strings.FieldsSeq(section(registry)) {
		if near(name, canonical(famous)) {
			return famous
		}
	}
	return ""
}

// canonical is the form in which registries compare names.
func canonical(name string) string {
	if strings.IndexByte(name, '_') < 0 && name == strings.ToLower(name) {
		return name
	}
	return strings.ReplaceAll(strings.ToLower(name), "_", "-")
}

// section is one list.
func section(title string) string {
	_, rest, _ := strings.Cut(packages, "\n--- "+title+"\n")
	list, _, _ := strings.Cut(rest, "\n---")
	return list
}

func listed(title, name string) bool {
	for n := range strings.FieldsSeq(section(title)) {
		if canonical(n) == name {
			return true
		}
	}
	return false
}
