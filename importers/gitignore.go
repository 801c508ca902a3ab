package importers

import "strings"

// Gitignore is a pattern of .gitignore as globs, as several agents use them for
// paths: //abs is absolute, ~/x below the home directory, and /x below the root,
// which is "." for the project. Everything else begins in the working directory,
// but what is denied below a folder of one name is denied wherever such a folder
// is, and a name alone is meant anywhere. With allows, nothing is meant anywhere
// but a name.
func Gitignore(pattern, root string, allows bool) (globs []string, why string) {
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
