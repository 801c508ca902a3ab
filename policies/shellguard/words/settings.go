package words

import (
	"slices"
	"strings"
)

// starts reports whether an argument names a key in the registry of Windows from which
// programs start by themselves.
func starts(input map[string]any) bool {
	for _, value := range input {
		key, _ := value.(string)
		if key = strings.ReplaceAll(strings.ToLower(key), "/", `\`); !strings.HasPrefix(key, "hk") {
			continue
		}
		for _, part := range [...]string{`\currentversion\run`, `\image file execution options\`, `\currentversion\winlogon`,
			`\currentcontrolset\services\`, `\shell\open\command`, `\inprocserver32`} {
			if strings.Contains(key, part) {
				return true
			}
		}
	}
	return false
}

// lends reports whether arguments set a program to one from a place where everybody can
// put some: {"setting": "git.path", "value": "/tmp/git"}.
func lends(input map[string]any) bool {
	program, place := false, false
	for field, value := range input {
		text, _ := value.(string)
		switch strings.ToLower(field) {
		case "setting", "key", "name", "option", "preference", "property":
			said := Of(text)
			program = program || len(said) > 1 && slices.ContainsFunc(said[1:], func(word string) bool {
				return slices.Contains([]string{"path", "executable", "command", "shell", "binary", "program", "interpreter", "linux"}, word)
			})
		case "value":
			for _, begin := range [...]string{"/tmp/", "/var/tmp/", "/dev/shm/", `\\`, `C:\Users\Public\`} {
				place = place || strings.HasPrefix(text, begin)
			}
		}
	}
	return program && place
}
