package match

import (
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
)

// TEAM-24, TEAM-27: an exception for a command line holds for that line, in the
// project's root, as long as the line shows all that it does.
func TestExactly(t *testing.T) {
	for _, tc := range []struct {
		name, agreed, line string
		change             func(*trammel.Event)
		want               bool
	}{
		{"the line", "rm -rf build", "rm -rf build", nil, true},
		{"other blanks", "rm -rf build", "  rm   -rf\tbuild ", nil, true},
		{"blanks that mean something", "rm 'a b'", "rm 'a  b'", nil, false},
		{"quotes", "rm -rf build", "rm -rf 'build'", nil, false},
		{"one word more", "rm -rf build", "rm -rf build src", nil, false},
		{"one less", "rm -rf build", "rm -rf", nil, false},
		{"another order", "rm -rf build", "rm build -rf", nil, false},
		{"and something else", "rm -rf build", "rm -rf build; ls", nil, false},
		{"on two lines", "rm -rf build", "rm -rf\nbuild", nil, false},
		{"a wrapper", "rm -rf build", "sudo rm -rf build", nil, false},
		{"in a folder", "rm -rf build", "rm -rf build", func(ev *trammel.Event) { ev.Session.Dir = "/p/sub" }, false},
		{"in a folder that the call names", "rm -rf build", "rm -rf build", func(ev *trammel.Event) { ev.Tool.Action.Dir = "/" }, false},
		{"in the root by its name", "rm -rf build", "rm -rf build", func(ev *trammel.Event) { ev.Tool.Action.Dir = "/p" }, true},
		{"no project", "rm -rf build", "rm -rf build", func(ev *trammel.Event) { ev.Session.Project = "" }, false},
		{"with another right", "rm -rf build", "rm -rf build",
			func(ev *trammel.Event) { ev.Tool.Input["dangerouslyDisableSandbox"] = true }, false},
		{"with a word for people", "rm -rf build", "rm -rf build",
			func(ev *trammel.Event) {
				ev.Tool.Input["description"], ev.Tool.Input["timeout"], ev.Tool.Input["run_in_background"] = "x", 5.0, false
			}, true},
		{"with another argument", "rm -rf build", "rm -rf build", func(ev *trammel.Event) { ev.Tool.Input["stdin"] = "x" }, false},
		{"not a shell", "rm -rf build", "rm -rf build", func(ev *trammel.Event) { ev.Tool.Action.Kind = trammel.MCPAction }, false},
		{"a variable", "rm -rf $X", "rm -rf $X", nil, false},
		{"a script", "./deploy.sh", "./deploy.sh", nil, false},
		{"a script by its shell", "sh deploy.sh", "sh deploy.sh", nil, false},
		{"a target", "make deploy", "make deploy", nil, false},
		{"a host", "curl https://a.example/x", "curl https://a.example/x", nil, true},
		{"another host", "curl https://b.example/x", "curl https://b.example/x", nil, false},
		{"the remote", "git push origin main", "git push origin main", nil, true},
		{"a remote that points elsewhere", "git push evil main", "git push evil main", nil, false},
	} {
		ev := shellEvent(tc.line)
		ev.Session.Dir, ev.Session.Project = "/p", "/p"
		ev.Tool.Input = map[string]any{"command": tc.line}
		ev.World = &world.Frozen{HomeDir: "/home/me", Files: map[string]string{"/p/build/a": "", "/p/deploy.sh": "rm -rf build\n",
			"/p/Makefile":    "deploy:\n\trm -rf build\n",
			"/p/.git/config": "[remote \"origin\"]\n\turl = https://a.example/p.git\n[remote \"evil\"]\n\turl = https://evil.example/p.git\n"}}
		if tc.change != nil {
			tc.change(ev)
		}
		if got := Exactly([]string{tc.agreed}, []string{"a.example"}).Holds(ev); got != tc.want {
			t.Errorf("%s: %q for %q: found %v", tc.name, tc.agreed, tc.line, got)
		}
	}
}
