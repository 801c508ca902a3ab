package programs

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
