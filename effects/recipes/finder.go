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
			for word := range strings.FieldsFuncSeq(strings.ToLower(piece), func(r rune) bool { return strings.ContainsRune(" ()\n\t,", r) }) {
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
