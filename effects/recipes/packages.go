package recipes

import "strings"

// packaged are the commands with which a recipe for a package builds it: those of the
// sections of an RPM spec, or the functions of a PKGBUILD, which its tool calls.
func packaged(text string) string {
	var out strings.Builder
	section := !strings.Contains(text, "\n%")
	for line := range strings.Lines(text) {
		if word, found := strings.CutPrefix(line, "%"); found && !strings.HasPrefix(word, "{") {
			name, _, _ := strings.Cut(strings.TrimSpace(word), " ")
			section = strings.Contains(" prep build install check clean pre post preun postun generate_buildrequires ", " "+name+" ")
		} else if section {
			out.WriteString(line)
		}
	}
	for _, name := range [...]string{"prepare", "pkgver", "build", "check", "package"} {
		if strings.Contains(text, name+"()") {
			out.WriteString("\n" + name)
		}
	}
	return out.String()
}

// statements are those of SQL that a project of dbt sends before and after its models.
func statements(text string) (out []Step) {
	outline(text).each(func(e *entry) {
		if e.name = strings.TrimPrefix(e.name, "+"); !strings.HasPrefix(e.name, "on-run-") && e.name != "pre-hook" && e.name != "post-hook" {
			return
		}
		e.each(func(item *entry) {
			if item.text != "" {
				out = append(out, Step{"sql", item.text})
			}
		})
	})
	return out
}
