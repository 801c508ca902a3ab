package programs

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/programs/found"
)

// find lists the places that find goes through, and what it does there itself.
// What it starts (-exec) is the interpreter's.
func find(c *call) {
	expression := found.Expression(c.args)
	if len(c.args) > 0 && slices.Contains([]string{"--help", "--version", "-help"}, c.args[0].Text) {
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

// fd is find with other words.
func fd(c *call) {
	end := len(c.args)
	for i, w := range c.args {
		if w.Text == "-x" || w.Text == "-X" || w.Text == "--exec" || w.Text == "--exec-batch" {
			end = i
		}
	}
	rest := c.args[end:]
	c.args = c.args[:end]
	a, ok := c.options()
	if !ok {
		return
	}
	roots := []Word{word(".")}
	if len(a.Operands) > 1 {
		roots = a.Operands[1:]
	}
	a.Values(func(w Word) { roots = append(roots, w) }, "search-path", "base-directory")
	for _, w := range roots {
		c.add(File{Op: Search, Tree: true}, w)
	}
	if len(rest) < 2 {
		return
	}
	var words []Word
	found := false
	names := []string{"/*"}
	plain := strings.NewReplacer("^", "", "$", "", `\.`, ".", ".*", "*").Replace(a.Word(0)) // of a regular expression
	if len(a.Operands) > 0 && a.Operands[0].Known && strings.Trim(plain, ".*|") != "" {
		names = nil
		for one := range strings.SplitSeq(plain, "|") {
			names = append(names, "/*"+one+"*")
		}
	}
	ends := append(a.All("extension"), Word{})
	put := func(w Word) {
		for _, root := range roots {
			for _, end := range ends[:max(1, len(ends)-1)] {
				for _, name := range names {
					below := Word{Text: strings.TrimRight(root.Text, "/") + "/**", Known: root.Known, Glob: true}
					if end.Known {
						below.Text += name + "." + end.Text
					} else if name != "/*" {
						below.Text += name
					}
					words = append(words, below)
				}
			}
		}
		found = true
	}
	for _, w := range rest[1:] {
		switch w.Text {
		case ";":
		case "{}", "{/}", "{//}", "{.}", "{/.}":
			put(w)
		default:
			words = append(words, w)
		}
	}
	if !found {
		put(Word{})
	}
	c.host.Start(words, Start{More: true})
}
