package programs

// packageScript is npm run. The script itself is read as what the program loads;
// which one it is may be known only to the running shell.
func packageScript(c *call) {
	if a, ok := c.options(); ok && c.name == "npm run" && len(a.Operands) > 0 && !a.Operands[0].Known {
		c.host.Doubt("argument", a.Operands[0].Text)
	}
}
