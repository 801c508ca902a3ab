package handed

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// testers are the programs that run the tests of a project, by the endings of their files.
var testers = [...]struct{ endings, programs oneOf }{
	{" .py ", " pytest py.test unittest tox nox hatch coverage nose2 trial green stestr "},
	{" .js .mjs .cjs .ts .mts .cts .jsx .tsx ", " mocha jest vitest ava tap jasmine playwright cypress karma uvu tape borp c8 nyc "},
	{" .rb ", " rspec rake minitest cucumber rails "},
	{" .php ", " phpunit pest paratest codecept "},
	{" .sh .bats .t .pl ", " bats prove shellspec "},
	{" .lua ", " busted "},
}

// tests reports whether a run is of a program that runs the tests of a project, and a file
// is one of them by its name.
func tests(r *model.Run, called []string, name string) bool {
	ext := strings.ToLower(path.Ext(name))
	for _, t := range testers {
		if !t.endings.has(ext) {
			continue
		}
		node := r.Program == "node" || r.Program == "bun" || r.Program == "deno"
		return (slices.ContainsFunc(called, t.programs.has) ||
			node && ext != ".py" && slices.ContainsFunc(r.Args, func(w model.Word) bool { return w.Text == "test" || w.Text == "--test" })) &&
			isTest(strings.ToLower(name))
	}
	return false
}

// isTest reports whether a file is called like a test: test_x, x_test, x.spec, XTest, or
// lies in a folder of tests.
func isTest(name string) bool {
	stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
	for _, word := range [...]string{"test", "tests", "spec", "cy"} {
		if strings.HasSuffix(stem, word) || strings.HasPrefix(stem, word+"_") {
			return true
		}
	}
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(folder string) bool {
		return folder == "test" || folder == "tests" || folder == "spec" || folder == "__tests__" || folder == "t"
	})
}
