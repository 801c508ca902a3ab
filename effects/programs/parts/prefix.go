package parts

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Prefixed reads the beginning of a word that says what the rest of it is for the program:
// msl: in convert msl:script x.png. In list are prefixes with the roles of the rest; in them a
// dot is the role that the word has without a prefix.
func Prefixed(list, text string) (pattern, rest string, ok bool) {
	for one := range strings.SplitSeq(list, ",") {
		words, roles, _ := strings.Cut(strings.TrimSpace(one), " ")
		for prefix := range strings.SplitSeq(words, "|") {
			if n := prefixLen(text, prefix); n > 0 {
				return roles, text[n:], true
			}
		}
	}
	return "", text, false
}

// prefixLen is the length of a prefix in a text, 0 if the text does not begin with it. A
// star is any text without a slash; alone before the colon it is any name of a format, which no address
// begins with.
func prefixLen(text, prefix string) int {
	begin, end, some := strings.Cut(prefix, "*")
	switch {
	case prefix == "" || len(text) < len(begin) || !strings.EqualFold(text[:len(begin)], begin):
		return 0
	case !some:
		return len(begin)
	}
	i := strings.Index(text[len(begin):], end)
	name := text[len(begin):max(i+len(begin), len(begin))]
	if i < 0 || strings.ContainsRune(name, '/') || begin == "" && (i < 2 || strings.HasPrefix(text[i+len(end):], "//")) {
		return 0
	}
	return len(begin) + i + len(end)
}

// Opened says what perl does with a name that it loops over: it may be that of a file that is
// read, R, or written, W, or a command, S.
func Opened(name string) (role byte, rest string) {
	name = strings.TrimSpace(name)
	command, before := strings.CutPrefix(name, "|")
	command, behind := strings.CutSuffix(command, "|")
	switch {
	case before || behind:
		return 'S', command
	case strings.HasPrefix(name, ">") || strings.HasPrefix(name, "+"):
		return 'W', strings.TrimLeft(name, "+<> ")
	}
	return 'R', strings.TrimLeft(name, "< ")
}

// Into returns where source ends up in the directory dir.
func Into(dir, source model.Word) model.Word {
	base := path.Base(source.Text)
	if base == "." || base == ".." || base == "/" {
		base = "."
	}
	if !source.Known {
		base = "*" // whatever it is called
	}
	return model.Word{Text: dir.Text + "/" + base, Known: dir.Known, Glob: dir.Glob || source.Glob || !source.Known}
}
