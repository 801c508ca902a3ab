package programs

import "strings"

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
