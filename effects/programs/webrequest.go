package programs

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// webRequest is Invoke-WebRequest: it fetches a URL, into a file if it is told
// to, and sends a file or a text.
func webRequest(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	to, _ := a.Value("uri")
	if to.Text == "" && len(a.Operands) > 0 {
		to = a.Operands[0]
	}
	method, _ := a.Value("method")
	sends := a.Has("infile", "body", "form") || strings.EqualFold(method.Text, "post") || strings.EqualFold(method.Text, "put")
	c.listed(&a)
	c.url(to, sends || c.host.Fed() && method.Text != "")
	if file, ok := a.Value("infile"); ok {
		c.read(file)
	}
	if file, ok := a.Value("outfile"); ok {
		c.host.Wrote(c.add(File{Op: Write}, file), Fetched)
	}
}

// keygen is ssh-keygen: it makes a key, unless it is asked about one.
func keygen(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	c.listed(&a)
	file, given := a.Value("f")
	switch {
	case !given:
	case a.Has("y", "l", "B", "e", "L", "F", "i", "Q", "H", "Y"): // its public half, or what is no key
		c.add(File{Op: Read, Login: true}, file)
	default:
		c.write(file)
	}
}

// curlConfig reads options from a file of this line.
func (c *call) curlConfig(w Word) {
	held := c.host.Holds(c.place(w))
	if w.Text == "-" {
		held = []Stream{c.host.Input()}
	}
	if len(held) != 1 || !held[0].Known {
		c.host.Doubt("argument", "curl --config")
		c.host.AddNet(model.Net{URL: "curl --config " + w.Text})
		c.host.Run().More = true
		return
	}
	inner := *c
	inner.args = nil
	for line := range strings.Lines(held[0].Text) {
		name, value, _ := strings.Cut(strings.Replace(strings.TrimSpace(line), "=", " ", 1), " ")
		if name = strings.TrimLeft(name, "-"); name == "" || name[0] == '#' || name == "config" || name == "K" {
			continue
		}
		if value = strings.Trim(strings.TrimLeft(value, " ="), ` "`); value == "" {
			inner.args = append(inner.args, word("--"+name))
		} else {
			inner.args = append(inner.args, word("--"+name), word(value))
		}
	}
	run := c.host.Run()
	run.Args = append(slices.Clip(run.Args), inner.args...) // for rules, these are its arguments, too
	for _, u := range c.args {                              // what is sent goes to the URLs of the line
		if strings.Contains(u.Text, "://") {
			inner.args = append(inner.args, u)
		}
	}
	curl(&inner)
}
