package repository

import (
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/dialects/standard"
)

// mayName are the files outside of dialects that may name an agent, and why.
var mayName = map[string]string{
	"cmd/trammel/explain.go":              "the default of --host",
	"cmd/trammel/init.go":                 "an example in an error message",
	"cmd/trammel/mancmd/pages.go":         "examples in a manual page",
	"dist/plugins/write.go":               "the files of a plugin, which each agent wants under names of its own",
	"config/file.go":                      "an example in the schema",
	"demo/demo.go":                        "the played session is one of some agent",
	"demo/console.go":                     "and so is the made-up history",
	"internal/flow/actor.go":              "names that Flow Agents has for runtimes, by its contract",
	"policies/prodconfigguard/command.go": "a deployment tool of that name",
	"policytest/run.go":                   "the host of a test case that names none",
}

// Issue 9, "One place per agent": what is known about an agent is known in its
// dialect and nowhere else, so nothing else has a reason to name one.
func TestAgentsAreNamedInDialectsOnly(t *testing.T) {
	var names []string
	for _, h := range standard.Hosts() {
		name := strings.TrimSuffix(strings.TrimSuffix(h.System, "-code"), "-cli")
		if h.Wiring != nil && len(name) > 2 && name != "cursor" { // ordinary words
			names = append(names, strings.ReplaceAll(name, "-", "[-_ ]?"))
		}
	}
	agent := regexp.MustCompile("(?i)" + strings.Join(names, "|"))
	out, err := exec.Command("git", "ls-files", "*.go").Output()
	if err != nil {
		t.Skip(err)
	}
	used := map[string]bool{}
	for _, file := range strings.Fields(string(out)) {
		if strings.HasPrefix(file, "dialects/") || strings.HasPrefix(file, "test/") || strings.HasSuffix(file, "_test.go") ||
			strings.Contains(file, "/testdata/") {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			continue // removed, and not committed yet
		}
		fset := token.NewFileSet()
		var s scanner.Scanner
		s.Init(fset.AddFile(file, fset.Base(), len(src)), src, nil, 0)
		for {
			pos, tok, text := s.Scan()
			if tok == token.EOF {
				break
			}
			if (tok == token.STRING || tok == token.IDENT) && agent.MatchString(text) {
				if used[file] = true; mayName[file] == "" {
					t.Errorf("%s: %s names an agent: what is known about it belongs in its dialect", fset.Position(pos), text)
				}
			}
		}
	}
	for file := range mayName {
		if !used[file] {
			t.Errorf("%s names no agent any more: take it from the list", file)
		}
	}
}
