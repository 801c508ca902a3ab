package recipes

import "strings"

// Escape is the command that a line typed into a program hands to a shell, "" if it
// does not: most programs with commands of their own have one of a few signs for it.
func Escape(line string) string {
	line = strings.TrimSpace(line)
	for _, sign := range [...]string{"!", ":!", `\!`, "~!", "@exec ", "shell ", "sh ", ".shell ", ".system ", "system ", "exec ", "exe ",
		".sy ", "host ", ":sh ", "/exec ", `\shell `, ":shell ", "/shell ", "/sh ", ":exec ", ":spawn ", ":r !", ":w !", ":silent !", "%!",
		".!"} {
		rest, ok := strings.CutPrefix(line, sign)
		for ok && strings.HasPrefix(rest, "-") { // /exec -sh
			_, rest, _ = strings.Cut(rest, " ")
		}
		if ok {
			return strings.TrimLeft(rest, "! ")
		}
	}
	return ""
}

// Hidden reports whether a file is one of those in which programs keep their settings,
// of whatever program: ~/.config/x/y, ~/.xrc, /etc/x.
func Hidden(name string) bool {
	base := name[strings.LastIndexByte(name, '/')+1:]
	return strings.Contains(name, "/.config/") || strings.Contains(name, "/.local/share/") ||
		strings.HasPrefix(name, "/etc/") || strings.HasPrefix(name, "//etc/") || // RunBy puts a slash in front
		strings.HasPrefix(base, ".") && strings.HasSuffix(base, "rc")
}

// Commands are the command lines in the settings of a program that is not known: from
// the first command in a line to its end. Comments are left out.
func Commands(text string) (out []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.IndexByte("#;", line[0]) >= 0 || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "--") {
			continue
		}
		if at := firstProgram(line); at >= 0 {
			out = append(out, behindQuote(line, at))
		}
	}
	return out
}

// firstProgram is where a command begins in a line, -1 if there is none.
func firstProgram(line string) int {
	for at := 0; at < len(line); at++ {
		if (at == 0 || strings.IndexByte(" \t\"'`=|:;,(){}[]!^", line[at-1]) >= 0) && line[at] != ' ' && IsCommand(line[at:]) {
			return at
		}
	}
	return -1
}

// behindQuote is the rest of a line, up to the quote that was opened right before it.
func behindQuote(line string, at int) string {
	rest := line[at:]
	if at > 0 && strings.IndexByte("\"'`", line[at-1]) >= 0 {
		rest, _, _ = strings.Cut(rest, line[at-1:at])
	}
	return strings.TrimRight(rest, " })],;")
}
