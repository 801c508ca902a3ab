package recipes

import "strings"

// Finder is the place that AppleScript tells the Finder to remove, "" if it is none:
// folder "a" of folder "b" of home, (path to documents folder), POSIX file "/a/b".
// What is chosen by more than its name is none.
func Finder(script string) string {
	pieces := strings.Split(script, `"`) // every second one is a text
	removes, base, below := false, "", ""
	for i, piece := range pieces {
		switch {
		case i%2 == 0:
			for word := range strings.FieldsFuncSeq(strings.ToLower(piece), func(r rune) bool { return strings.ContainsRune(" ().;\n\t,", r) }) {
				switch word {
				case "delete", "erase", "trash":
					removes = true
				case "whose", "where":
					return ""
				case "home":
					base = "~"
				case "documents", "desktop", "pictures", "music", "movies", "library":
					base = "~/" + strings.ToUpper(word[:1]) + word[1:]
				}
			}
		case strings.HasPrefix(piece, "/"), strings.HasPrefix(piece, "~"):
			base = piece
		case piece != "Finder" && piece != "System Events":
			below = "/" + piece + below
		}
	}
	if !removes || base == "" || !strings.Contains(script, "Finder") && !strings.Contains(script, "System Events") {
		return ""
	}
	return base + below
}

// FinderScript is Finder for JavaScript: Application("Finder").delete(Path("/a/b")).
func FinderScript(script string) string {
	if !strings.Contains(script, "Application(") {
		return ""
	}
	return Finder(strings.ReplaceAll(script, "'", `"`))
}

// InPatterns are the pieces of code in the regular expressions of Perl: (?{ … }).
func InPatterns(text string) (code []string) {
	for text = strings.ReplaceAll(text, "(??{", "(?{"); ; {
		_, rest, _ := strings.Cut(text, "(?{")
		inner, behind, ok := strings.Cut(rest, "})")
		if !ok {
			return code
		}
		code, text = append(code, strings.ReplaceAll(inner, `\/`, "/")), behind
	}
}

// Bourne writes what fish and nu substitute, and what fish assigns, as other shells
// do: rm (pwd), set x y.
func Bourne(text string) string {
	for _, mark := range [...]string{"![", "$["} { // of xonsh
		if inner, ok := strings.CutPrefix(strings.TrimSpace(text), mark); ok {
			return strings.TrimSuffix(inner, "]")
		}
	}
	text = strings.TrimPrefix(strings.ReplaceAll(" "+text, " e:", " "), " ") // programs of elvish
	var out strings.Builder
	quote := byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == '(' && i > 0 && text[i-1] == ' ' && !strings.HasPrefix(text[i:], "()"):
			out.WriteByte('$')
		}
		out.WriteByte(text[i])
	}
	if strings.ContainsAny(text, `"'(`) {
		return out.String()
	}
	lines := strings.Split(strings.ReplaceAll(text, ";", "\n"), "\n")
	for i, line := range lines {
		words := strings.Fields(line)
		if n := len(words); n > 2 && words[0] == "set" && !strings.HasPrefix(words[n-2], "-") {
			lines[i] = words[n-2] + "=" + words[n-1]
		}
	}
	return strings.Join(lines, "\n")
}
