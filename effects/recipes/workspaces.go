package recipes

import (
	"slices"
	"strings"
)

// Workspaces are the patterns of the folders in which a project has its packages, as the
// package.json, the pnpm-workspace.yaml or the lerna.json in its root lists them.
func Workspaces(files ...string) (patterns []string) {
	for _, text := range files {
		outline(text).each(func(e *entry) {
			if e.name == "workspaces" || e.name == "packages" {
				e.each(func(item *entry) {
					if item.name == "packages" {
						return
					}
					if pattern := strings.TrimPrefix(unquoted(item.text), "./"); pattern != "" && pattern[0] != '!' &&
						!slices.Contains(patterns, pattern) {
						patterns = append(patterns, pattern)
					}
				})
			}
		})
	}
	return patterns
}

// NameOf is the name of a package or a project.
func NameOf(text string) (name string) {
	outline(text).each(func(e *entry) {
		if e.name == "name" && name == "" {
			name = unquoted(e.text)
		}
	})
	return name
}

// TasksBefore are the tasks on which these depend, as a turbo.json or nx.json says.
func TasksBefore(text string, tasks []string) (out []string) {
	if !strings.Contains(text, "dependsOn") {
		return nil
	}
	all := slices.Clone(tasks)
	for i := 0; i < len(all) && i < 64; i++ {
		for rest := text; ; {
			_, after, ok := strings.Cut(rest, `"`+all[i]+`"`)
			if rest = after; !ok {
				break
			}
			if after = strings.TrimLeft(after, " :\r\n\t"); !strings.HasPrefix(after, "{") {
				continue
			}
			if _, list, ok := strings.Cut(upTo(after, '{', '}'), `"dependsOn"`); ok {
				for task := range quotedTexts(upTo(list, '[', ']')) {
					task = strings.TrimPrefix(task[strings.IndexByte(task, '#')+1:], "^")
					if !slices.Contains(all, task) {
						all = append(all, task)
					}
				}
			}
		}
	}
	return all[len(tasks):]
}

// targets are the commands of a target of an nx project: command, or commands.
func targets(text string, words []string) []Step {
	var lines []string
	for _, word := range words {
		_, rest, ok := strings.Cut(text, `"`+word+`"`)
		if rest = strings.TrimLeft(rest, " :\r\n\t"); !ok || !strings.HasPrefix(rest, "{") {
			continue
		}
		target := upTo(rest, '{', '}')
		for _, name := range [...]string{`"command"`, `"commands"`} {
			_, value, found := strings.Cut(target, name)
			value = strings.TrimLeft(value, " :\r\n\t")
			switch {
			case !found:
			case strings.HasPrefix(value, "["):
				for line := range quotedTexts(upTo(value, '[', ']')) {
					if line != "command" {
						lines = append(lines, line)
					}
				}
			default:
				for line := range quotedTexts(firstText(value)) {
					lines = append(lines, line)
				}
			}
		}
	}
	return shell(strings.Join(lines, "\n"))
}
