package programs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/programs/found"
)

// find lists the places that find goes through, and what it does there itself.
// What it starts (-exec) is the interpreter's.
func find(c *call) {
	expression := found.Expression(c.args)
	if findPrintsHelp(c.args) {
		return
	}
	places := found.Places(c.args)
	deletes := false
	for i := 0; i < len(expression); i++ {
		switch t := expression[i].Text; t {
		case "-delete":
			deletes = true
		case "-exec", "-execdir", "-ok", "-okdir":
			for i+1 < len(expression) && !(expression[i].Text == ";" || expression[i].Text == "+" && expression[i-1].Text == "{}") {
				i++
			}
		case "-fprint", "-fls", "-fprint0", "-fprintf":
			if i+1 < len(expression) {
				i++
				c.write(expression[i])
			}
		default:
			if found.TakesValue(t) {
				i++
			}
		}
	}
	if !deletes {
		for _, w := range found.Roots(c.args) {
			c.add(File{Op: Search, Tree: true}, w)
		}
		return
	}
	for _, w := range places {
		c.add(File{Op: Delete, Tree: !strings.HasSuffix(w.Text, "/**/*")}, w)
	}
}

func findPrintsHelp(args []Word) bool {
	return len(args) > 0 && (args[0].Text == "--help" || args[0].Text == "--version" || args[0].Text == "-help")
}
