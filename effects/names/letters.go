package names

// isDot knows full stops that some programs take for one in a host name.
func isDot(r rune) bool { return r == '。' || r == '．' || r == '｡' || r == '․' || r == '‥' }

// isSlash knows signs that look like the slash of a path.
func isSlash(r rune) bool {
	return r == '∕' || r == '⁄' || r == '／' || r == '⧸' || r == '╱' || r == '⟋'
}
