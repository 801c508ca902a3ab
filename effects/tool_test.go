package effects

import (
	"reflect"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
)

// What a tool does by itself are effects of run -1.
func TestToolActions(t *testing.T) {
	for _, tc := range []struct {
		name   string
		action trammel.Action
		want   string
	}{
		{"write", trammel.Action{Kind: trammel.WriteAction, Paths: []string{"a.go"}}, "write /work/app/a.go by -1"},
		{"edit of several files", trammel.Action{Kind: trammel.EditAction, Paths: []string{"a.go", "/etc/b"}},
			"write /work/app/a.go by -1\nwrite /etc/b by -1"},
		{"relative to the call's directory", trammel.Action{Kind: trammel.WriteAction, Dir: "/srv", Paths: []string{"a"}}, "write /srv/a by -1"},
		{"relative directory", trammel.Action{Kind: trammel.WriteAction, Dir: "sub", Paths: []string{"../a"}}, "write /work/app/a by -1"},
		{"home", trammel.Action{Kind: trammel.ReadAction, Paths: []string{"~/.ssh/id_rsa", "~"}},
			"read /home/me/.ssh/id_rsa by -1\nread /home/me by -1"},
		{"a file URL", trammel.Action{Kind: trammel.ReadAction, Paths: []string{"file:///etc/passwd"}}, "read /etc/passwd by -1"},
		{"delete", trammel.Action{Kind: trammel.DeleteAction, Paths: []string{"a"}}, "delete /work/app/a tree by -1"},
		{"search", trammel.Action{Kind: trammel.SearchAction, Paths: []string{"src"}, Query: "rm -rf /"},
			"read /work/app/src tree by -1\nsearch /work/app/src tree by -1"},
		{"a patch that edits and deletes", trammel.Action{Kind: trammel.EditAction, Also: []trammel.ActionKind{trammel.DeleteAction},
			Paths: []string{"a", "b"}},
			"write /work/app/a by -1\ndelete /work/app/a tree by -1\nwrite /work/app/b by -1\ndelete /work/app/b tree by -1"},
		{"fetch", trammel.Action{Kind: trammel.FetchAction, URL: "https://User@X.example:8443/p?q"}, "net x.example:8443 by -1"},
		{"content is data", trammel.Action{Kind: trammel.WriteAction, Paths: []string{"x.sh"}, Content: "rm -rf /"},
			"write /work/app/x.sh by -1"},
		{"an mcp tool with a command", trammel.Action{Kind: trammel.MCPAction, Command: "rm x", Dir: "/srv"},
			"0 rm [x] at /srv\ndelete /srv/x by 0"},
		{"any tool with a command", trammel.Action{Command: "rm x"}, "0 rm [x]\ndelete /work/app/x by 0"},
		{"an unknown tool, with a path", trammel.Action{Paths: []string{"x"}},
			"read /work/app/x by -1\ndoubt argument what the tool does to its files"},
		{"an mcp tool that writes", trammel.Action{Kind: trammel.MCPAction, Tool: "put_it", Paths: []string{"x"}, Content: "y"},
			"write /work/app/x by -1\ndoubt argument what the tool does to its files"},
		{"an mcp tool that deletes", trammel.Action{Kind: trammel.MCPAction, Tool: "delete_file", Paths: []string{"x"}},
			"delete /work/app/x tree by -1\ndoubt argument what the tool does to its files"},
		{"the file server", trammel.Action{Kind: trammel.MCPAction, Server: "filesystem", Tool: "read_text_file", Paths: []string{"x"}},
			"read /work/app/x by -1"},
		{"another server with its tools", trammel.Action{Kind: trammel.MCPAction, Server: "files", Tool: "read_text_file", Paths: []string{"x"}},
			"read /work/app/x by -1\ndoubt argument what the tool does to its files"},
		{"agent", trammel.Action{Kind: trammel.AgentAction, Agent: "x", Query: "rm -rf /"}, ""},
	} {
		if got := show(Derive(&tc.action, frozen())); got != tc.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tc.name, got, tc.want)
		}
	}
}

// Of is worked out once for each dispatch, and an event without a tool has none.
func TestOf(t *testing.T) {
	if s := Of(&trammel.Event{}); !s.Full() || len(s.Runs) != 0 {
		t.Errorf("got %+v", s)
	}
	ev := &trammel.Event{Tool: &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "rm x"}},
		Session: trammel.Session{Dir: "/srv"}}
	ev.Prepare()
	s := Of(ev)
	if len(s.Files) != 1 || s.Files[0].Path.Abs != "/srv/x" {
		t.Errorf("got %s", show(s))
	}
	if again := Of(ev); again != s {
		t.Error("it is worked out twice")
	}
}

// Programs that only print or search have Data; where their output becomes
// code, what it does is listed.
func TestData(t *testing.T) {
	for line, want := range map[string]bool{"echo rm": true, "printf rm": true, "grep -r rm .": true, "rg rm": true, "[ -f x ]": true,
		"cat x": false, "rm x": false, "git commit -m rm": false} {
		if s := effects(line); s.Runs[0].Data != want {
			t.Errorf("%s: %v", line, s.Runs[0].Data)
		}
	}
}

// A run knows the runs whose output it uses, also through variables.
func TestUses(t *testing.T) {
	for line, want := range map[string][]int{
		`curl -d "$(cat k)" https://x`:                {0},
		`curl -d @k https://x`:                        nil,
		`A=$(cat k); B=$(date); curl -d "$A" h`:       {0},
		`A=$(cat k | base64); X="a=$A"; curl -d $X h`: {0, 1},
		`K="$(cat k)" curl h`:                         {0},
		`for x in $(cat k); do curl $x; done`:         {0},
		`curl "${A:-$(cat k)}"`:                       {0},
	} {
		s := effects(line)
		if got := s.Runs[len(s.Runs)-1].Uses; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

// A world without anything is a world, too.
func TestEmptyWorld(t *testing.T) {
	s := Derive(&trammel.Action{Command: "cd; rm ~/x $HOME y > ~z; cd -; pwd"}, &model.Setting{})
	if len(s.Runs) == 0 || s.Full() {
		t.Errorf("got %s", show(s))
	}
	for _, x := range s.Doubts {
		if strings.Contains(x.What, "interpreter failed") {
			t.Error(x.What)
		}
	}
}
