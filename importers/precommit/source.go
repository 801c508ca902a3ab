// Package precommit reads the configuration of pre-commit, so that its hooks run
// before an agent stops (TEAM-30).
package precommit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/document"
)

// Source is .pre-commit-config.yaml. Each hook becomes a check of the files that
// have changed.
var Source = importers.Source{
	Name:  "pre-commit",
	Files: []string{".pre-commit-config.yaml", ".pre-commit-config.yml"},
	Read:  read,
}

// changed lists files that differ from the last commit, and new ones.
const changed = "{ git diff --name-only --diff-filter=d HEAD; git ls-files --others --exclude-standard; }"

func read(f importers.File) (out []importers.Rule, err error) {
	root, err := document.YAML(f.Data)
	if err != nil {
		return nil, err
	}
	repos := root.Get("repos")
	if !repos.Is(document.List) {
		return nil, document.Wrong(1, "there are no repos, expected a list of repositories with hooks")
	}
	stages, err := root.Get("default_stages").Texts()
	if err != nil {
		return nil, err
	}
	for _, repo := range repos.Items {
		for _, h := range repo.Get("hooks").Many() {
			r, err := hook(h, stages)
			if err != nil {
				return nil, err
			}
			out = append(out, r)
		}
	}
	return out, nil
}

func hook(h *document.Node, stages []string) (importers.Rule, error) {
	id := h.Get("id").String()
	if id == "" {
		return importers.Rule{}, document.Wrong(h.Line, "a hook has no id")
	}
	r := importers.Rule{Line: h.Line, Text: id}
	if own := h.Get("stages"); own != nil {
		var err error
		if stages, err = own.Texts(); err != nil {
			return r, err
		}
	}
	before := func(stage string) bool {
		return stage == "pre-commit" || stage == "commit" || stage == "pre-push" || stage == "push"
	}
	if len(stages) > 0 && !slices.ContainsFunc(stages, before) {
		return r.Refuse("it runs at " + strings.Join(stages, ", ") + ", and not before a commit or a push"), nil
	}
	stage := ""
	if len(stages) > 0 {
		at := stages[slices.IndexFunc(stages, before)]
		stage = " --hook-stage " + map[string]string{"commit": "pre-commit", "push": "pre-push"}[at]
		if strings.HasPrefix(at, "pre-") {
			stage = " --hook-stage " + at
		}
	}
	if strings.ContainsAny(id, "'\n") {
		return r.Refuse("its id cannot be written as a word of a command line"), nil
	}
	r.Program = &importers.Program{Event: "stop", Seconds: "5m", ID: "pre-commit." + importers.Slug(id),
		Check: fmt.Sprintf("%s | tr '\\n' '\\0' | xargs -0 -r pre-commit run '%s'%s --files", changed, id, stage)}
	return r, nil
}
