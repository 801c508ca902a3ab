package programs

import (
	"strconv"
	"strings"
)

// packageScript is npm run: a script of a package.json that this line has written.
// Others are the project's.
func packageScript(c *call) {
	a, ok := c.options()
	name := a.Word(0)
	if !ok || c.name != "npm run" {
		name = c.name[strings.IndexByte(c.name, ' ')+1:]
	}
	for _, held := range c.host.Holds(c.place(word("package.json"))) {
		if !held.Known {
			c.host.Doubt("code", "package.json")
			continue
		}
		_, scripts, _ := strings.Cut(held.Text, `"scripts"`)
		for _, each := range [...]string{"pre" + name, name, "post" + name} {
			if line, ok := member(scripts, each); ok {
				c.host.Script(line)
			}
		}
	}
}

// member is the text that a key has in the JSON of an object.
func member(object, key string) (string, bool) {
	_, rest, ok := strings.Cut(object, strconv.Quote(key))
	rest, colon := strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), ":")
	quoted, err := strconv.QuotedPrefix(strings.TrimLeft(rest, " \t\r\n"))
	if !ok || !colon || err != nil {
		return "", false
	}
	text, err := strconv.Unquote(quoted)
	return text, err == nil
}
