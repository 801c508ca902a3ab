package condition

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/plan"
)

// Names that agents give are compared exactly, and every text contains "".
func TestNames(t *testing.T) {
	tools := map[string]trammel.ActionKind{"Bash": trammel.ShellAction, "bash": trammel.ShellAction, "WebSearch": trammel.SearchAction}
	for _, c := range []struct{ when, want string }{
		{`tool.name == "Bash"`, ""},
		{`tool.name == "bash"`, `unknown-tool: tool.name is compared exactly, and other agents write "Bash"`},
		{`tool.name != "bash" || path == "x"`, `unknown-tool: tool.name is compared exactly`},
		{`tool.name == "bash" || tool.name == "Bash"`, ""},
		{`tool.name in ["bash", "Bash"]`, ""},
		{`tool.name in ["bash", "WebSearch"]`, `unknown-tool: tool.name is compared exactly`},
		{`tool.name == "websearch"`, `unknown-tool: no known agent has a tool "websearch", did you mean "WebSearch"`},
		{`tool.name == "BASH"`, `unknown-tool: no known agent has a tool "BASH", did you mean "Bash"`},
		{`tool.name == "Frobnicate"`, `unknown-tool: no known agent has a tool "Frobnicate"`},
		{`tool.name == "mcp__bank__pay"`, ""},
		{`tool.name == "my_tool"`, ""},
		{`session.mode == "plan"`, ""},
		{`session.mode == "Plan"`, `never-matches: no known agent has a permission mode "Plan", did you mean "plan"`},
		{`session.mode in ["plan", "bypass"]`, `never-matches: no known agent has a permission mode "bypass"`},
		{`command contains ""`, `always-true: command contains "" is true of every text`},
		{`path == "x" && command startsWith ""`, `always-true: command startsWith "" is true of every text`},
		{`command matches ""`, `always-true: command matches "" is true of every text`},
		{`command == ""`, ""},
		{`command contains path`, ""},
	} {
		var got []string
		for _, m := range Mistakes(c.when, []trammel.Kind{trammel.PreToolUse}, &plan.Match{}, true, tools) {
			got = append(got, m.Code+": "+m.Text)
		}
		if text := strings.Join(got, "\n"); c.want == "" && text != "" || !strings.HasPrefix(text, c.want) || len(got) > 1 {
			t.Errorf("%s: %q, expected %q", c.when, got, c.want)
		}
	}
	if got := Mistakes(`tool.name == "x"`, nil, &plan.Match{}, true, nil); len(got) > 0 {
		t.Errorf("without the tools of agents: %v", got)
	}
	if got := Mistakes(`tool.name == "bash"`, nil, &plan.Match{Hosts: []string{"pi"}}, true, tools); len(got) > 0 {
		t.Errorf("of one host: %v", got)
	}
}
