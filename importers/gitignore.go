package importers

import (
	"strings"

	"github.com/trammel-dev/trammel"
)

// Files makes a rule one about files: with these tools if it allows, else by
// whatever does one of these actions.
func (r Rule) Files(actions, tools []string) Rule {
	if r.Decision == trammel.Allow {
		r.Calls.Tools = tools
	} else {
		r.Calls.Actions = actions
	}
	return r
}

// Below makes a rule one about the paths of a pattern of .gitignore.
func (r Rule) Below(root, pattern string) Rule {
	globs, why := gitignore(pattern, root, r.Decision == trammel.Allow)
	if why != "" {
		return r.Refuse(why)
	}
	r.Calls.Paths = globs
	return r
}

// gitignore is a pattern of .gitignore as globs, as several agents use them for
// paths: //abs is absolute, ~/x below the home directory, and /x below the root,
// which is "." for the project. Everything else begins in the working directory,
// but what is denied below a folder of one name is denied wherever such a folder
// is, and a name alone is meant anywhere. With allows, nothing is meant anywhere
// but a name.
func gitignore(pattern, root string, allows bool) (globs []string, why string) {
	if strings.HasPrefix(pattern, "!") {
		return nil, "a pattern that excludes cannot be imported"
	}
	pattern = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(pattern)
	dir := strings.HasSuffix(pattern, "/")
	bare, below := strings.CutSuffix(strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/"), "/**")
	glob := pattern
	switch {
	case strings.HasPrefix(pattern, "//"):
		glob = pattern[1:]
	case strings.HasPrefix(pattern, "~/"), strings.HasPrefix(pattern, "**/"), pattern == "**":
	case strings.HasPrefix(pattern, "/"):
		glob = root + pattern
	case strings.Contains(bare, "/"), allows && (below || dir || pattern != bare):
		glob = "./" + strings.TrimPrefix(pattern, "./")
	case below || dir:
		return []string{"**/" + bare + "/**"}, ""
	default:
		glob = bare
	}
	if dir {
		glob += "**"
	}
	globs = []string{glob}
	if strings.HasSuffix(glob, "/*") && !allows {
		globs = append(globs, glob+"/**")
	}
	return globs, ""
}
