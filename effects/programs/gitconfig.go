package programs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/programs/gitprefs"
)

// gitConfig lists the configuration file that is changed. A setting for all
// repositories that only states a preference does not count.
func gitConfig(c *call) {
	a, ok := c.options()
	if !ok || a.Has("get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool", "list", "l", "blob", "h") {
		return
	}
	verb, n := a.Word(0), len(a.Operands)
	changes := n > 1 || a.Has("unset", "unset-all", "remove-section", "edit", "e")
	switch verb {
	case "get", "list", "":
		changes = changes && verb == "" && a.Has("edit", "e")
	}
	if !changes {
		return
	}
	if key, value, ok := gitprefs.Setting(&a); ok {
		c.gitSetting(Setting{Key: strings.ToLower(key.Text), Value: value}, "")
		if strings.HasPrefix(strings.ToLower(key.Text), "alias.") { // as good as what it stands for: git x comes later
			command, ok := strings.CutPrefix(value.Text, "!")
			if !ok {
				command = "git " + command
			}
			c.host.Command(Word{Text: command, Known: value.Known})
		}
	}
	file, given := a.Value("f", "file")
	switch {
	case given:
		c.add(File{Op: Write, Append: true}, file)
	case a.Has("global", "system") && gitprefs.Only(&a):
	case a.Has("global"):
		c.add(File{Op: Write, Append: true}, word(c.host.Home()+"/.gitconfig"))
	case a.Has("system"):
		c.add(File{Op: Write, Append: true}, word("/etc/gitconfig"))
	default:
		c.add(File{Op: Write, Append: true}, word(".git/config"))
	}
}
