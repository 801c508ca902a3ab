package standard_test

import (
	"context"
	"os"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/policies/configprotection"
	"github.com/trammel-dev/trammel/policies/pathguard"
	"github.com/trammel-dev/trammel/policies/prodconfigguard"
	"github.com/trammel-dev/trammel/policies/secrets"
	"github.com/trammel-dev/trammel/policies/selfprotection"
	"github.com/trammel-dev/trammel/policies/shellguard"
)

// BenchmarkTrees is the verdict of the guards of the preset standard together
// on patterns and trees in large directories (issue 4: below 5 ms).
func BenchmarkTrees(b *testing.B) {
	var hooks []trammel.Hook
	for _, p := range []trammel.Policy{shellguard.Policy(), selfprotection.Policy(), pathguard.Policy(), secrets.Policy(),
		configprotection.Policy(), prodconfigguard.Policy()} {
		var options []byte
		if p.Name == "path-guard" {
			options = []byte(`{"deny":{"write":["~/.ssh/**","~/.bashrc","~/.config/git/**"]},"unknown":"allow"}`)
		}
		h, err := p.New(trammel.Spec{Config: options})
		if err != nil {
			b.Fatal(err)
		}
		hooks = append(hooks, trammel.Hook{ID: p.Name, On: []trammel.Kind{trammel.PreToolUse}, May: p.May, Handler: h})
	}
	engine, err := trammel.New(hooks)
	if err != nil {
		b.Fatal(err)
	}
	for _, dir := range []string{"/usr/lib", "/usr/local/go"} {
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		for _, command := range []string{"rm -rf *", "rm -rf **/*.o", "rm -f */*/*", "for f in **/*; do rm $f; done", "find / -name x -delete",
			"find . -type f -exec sed -i s/a/b/ {} +", "sed -i s/a/b/ **/*.go", "chmod -R 755 .", "mv *.txt /tmp/"} {
			b.Run(dir+" "+command, func(b *testing.B) {
				for b.Loop() {
					engine.Dispatch(context.Background(), &trammel.Event{Kind: trammel.PreToolUse, Session: trammel.Session{ID: "x", Dir: dir,
						Project: dir},
						Tool: &trammel.ToolCall{Name: "Bash", Action: trammel.Action{Kind: trammel.ShellAction, Command: command}}})
				}
			})
		}
	}
}
