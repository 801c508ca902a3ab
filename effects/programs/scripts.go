package programs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/recipes"
)

// packageScript is npm run: a script of a package.json that this line has written.
// Others are read as what the program loads.
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
		for _, step := range recipes.Of("package.json", held.Text, []string{"run", name}) {
			c.host.Script(step.Text)
		}
	}
}
