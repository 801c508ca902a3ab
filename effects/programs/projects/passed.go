package projects

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// Passed are the operands of a program. If it runs scripts of the files, those that it hands to the
// script are behind recipes.Passed: npm run x -- -v, yarn x -v.
func Passed(manager, files string, args, operands []model.Word) (words []string) {
	for _, w := range operands {
		words = append(words, w.Text)
	}
	at := 0
	switch {
	case len(words) == 0,
		!strings.Contains(files, "package.json") && !strings.Contains(files, "deno.json") && manager != "composer":
		return words
	case slices.Contains([]string{"run", "run-script", "rum", "urn", "task"}, words[0]):
		at = 1
	case words[0] == "t" || words[0] == "tst":
		words[0] = "test"
	case slices.Contains([]string{"test", "start", "stop", "restart"}, words[0]):
	case manager == "npm" ||
		slices.Contains([]string{"install", "i", "add", "ci", "publish", "pack", "version", "exec", "x", "dlx"}, words[0]):
		return words
	}
	if at+1 > len(words) {
		return words
	}
	given := words[at+1:]
	if manager != "npm" && manager != "composer" { // these take options after the script for their own
		for _, before := range operands[:at+1] {
			args = args[slices.IndexFunc(args, func(w model.Word) bool { return w.Text == before.Text })+1:]
		}
		given = nil
		for _, w := range args {
			given = append(given, w.Text)
		}
		given = slices.DeleteFunc(given, func(text string) bool { return text == "--" })
	}
	return append(append(words[:at+1:at+1], recipes.Passed), given...)
}
