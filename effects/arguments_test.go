package effects

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
)

// enforcement 1, design 3a: every text of a structured call is looked at, at any
// depth and under any name.
func TestArguments(t *testing.T) {
	deep := map[string]any{"command": "rm x"}
	for range 2 * maxDeep {
		deep = map[string]any{"inner": deep}
	}
	many := map[string]any{}
	for i := range 2 * maxArguments {
		many["a"+strings.Repeat("b", i%50)+string(rune('a'+i%26))+strings.Repeat("c", i/50)] = i
	}
	at := frozen()
	at.World.(*world.Frozen).Files = map[string]string{"/work/app/src/a.go": "", "/etc/hosts": "", "/home/me/.ssh/": ""}
	for _, tc := range []struct {
		name, tool string
		input      map[string]any
		want       string // all lines that have to be there
	}{
		{"another spelling of command", "mcp__x__run", map[string]any{"commandLine": "rm x"}, "delete /work/app/x by 0"},
		{"a tool that is named after its program", "mcp__prod__run_kubectl", map[string]any{"command": "delete namespace prod"},
			"1 kubectl [delete] [namespace] [prod]"},
		{"a whole line for such a tool", "mcp__x__docker_exec", map[string]any{"cmd": "rm x"}, "0 rm [x]\ndelete /work/app/x by 0"},
		{"switches for such a tool", "mcp__git__git_push", map[string]any{"remote": "origin", "force": true}, "git [push] [--force]"},
		{"options without a verb", "mcp__terraform__apply", map[string]any{"args": []any{"-auto-approve", "-destroy"}},
			"terraform [apply] [-auto-approve] [-destroy]"},
		{"rights of a container", "mcp__docker__run_container", map[string]any{"image": "alpine", "privileged": true},
			"docker [run] [--privileged] [alpine]"},
		{"commands in one shell", "mcp__x__run", map[string]any{"commands": []any{"cd /", "rm -rf home"}}, "delete /home tree by 1"},
		{"a program with its arguments", "mcp__x__run", map[string]any{"binary": "rm", "arguments": []any{"-rf", "x"}}, "0 rm [-rf] [x]"},
		{"code after a command that the set has", "mcp__x__run", map[string]any{"command": "ls", "python": "import os; os.remove('x')",
			"py": "os.remove('y')"}, "delete /work/app/x code by -1\ndelete /work/app/y code by -1"},
		{"code in a language that nothing names", "mcp__x__run", map[string]any{"snippet": "import os; os.remove('x')"},
			"delete /work/app/x code by -1"},
		{"more code than is read", "mcp__x__run", map[string]any{"snippet": "f(x)" + strings.Repeat("\n", 1<<18)}, "doubt size code"},
		{"what is typed", "mcp__x__send_keys", map[string]any{"pane": "rm y", "text": "rm x"}, "0 rm [x]\ndelete /work/app/x by 0"},
		{"a line of a notebook", "mcp__jupyter__execute_cell", map[string]any{"source": "!rm x"}, "delete /work/app/x by 0"},
		{"another spelling of file", "mcp__x__create_file", map[string]any{"fileName": "~/.bashrc", "body": "x"}, "write /home/me/.bashrc by -1"},
		{"an editor that shows", "str_replace_editor", map[string]any{"command": "view", "path": "/etc/hosts"}, "read /etc/hosts by -1"},
		{"an editor that writes", "mcp__x__editor", map[string]any{"command": "insert", "path": "~/.bashrc", "insert_text": "x"},
			"write /home/me/.bashrc by -1"},
		{"an editor that removes", "editor", map[string]any{"action": "rm", "path": "/etc/hosts"}, "delete /etc/hosts tree by -1"},
		{"an editor that moves", "editor", map[string]any{"op": "mv", "old_path": "/etc/hosts", "new_path": "x"},
			"delete /etc/hosts tree by -1\nwrite /work/app/x by -1"},
		{"operations in a list", "files", map[string]any{"operations": []any{map[string]any{"mode": "delete", "path": "/etc/hosts"}}},
			"delete /etc/hosts tree by -1"},
		{"a program with the name of an operation", "run", map[string]any{"command": "view x", "path": "y"}, "0 view [x]"},
		{"a patch of an agent", "apply_patch", map[string]any{"patchText": "*** Begin Patch\n*** Add File: ~/.bashrc\n+x\n*** Delete File: a\n"},
			"write /home/me/.bashrc by -1\ndelete /work/app/a tree by -1"},
		{"a patch of git", "mcp__x__git_apply", map[string]any{"text": "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n"}, "write /work/x by -1"},
		{"an address that is written", "save", map[string]any{"uri": "file:///etc/hosts", "text": "x"}, "write /etc/hosts by -1"},
		{"files as keys", "workspace_edit", map[string]any{"edits": map[string]any{"file:///etc/hosts": []any{}}}, "write /etc/hosts by -1"},
		{"a pattern outside of the project", "read_many", map[string]any{"include": []any{"/home/me/.ssh/*"}}, "read /home/me/.ssh/* by -1"},
		{"a hard reset", "git_reset", map[string]any{"mode": "hard"}, "git [reset] [--hard]"},
		{"and another", "mcp__x__run", map[string]any{"cli_command": "rm x"}, "delete /work/app/x by 0"},
		{"a command below", "mcp__x__run", map[string]any{"task": map[string]any{"command": "rm", "args": []any{"-rf", "x"}}},
			"0 rm [-rf] [x]\ndelete /work/app/x tree by 0"},
		{"a command with arguments", "frob", map[string]any{"command": "rm", "args": []any{"a b"}}, "0 rm [a b]\ndelete /work/app/a b by 0"},
		{"two commands", "frob", map[string]any{"command": "rm x", "script": "rm y"}, "delete /work/app/x by 0\ndelete /work/app/y by 1"},
		{"a command in a list", "mcp__x__batch", map[string]any{"steps": []any{map[string]any{"cmd": "ls"}, map[string]any{"cmd": "rm x"}}},
			"0 ls\n1 rm [x]\ndelete /work/app/x by 1"},
		{"a command that nothing names", "mcp__x__do", map[string]any{"line": "rm -rf ~"}, "delete /home/me tree by 0"},
		{"words that nothing names", "mcp__x__do", map[string]any{"argv": []any{"rm", "-rf", "/srv/a"}}, "delete /srv/a tree by 0"},
		{"JSON in a text", "mcp__x__do", map[string]any{"payload": `{"a":[{"command":"rm x"}]}`}, "delete /work/app/x by 0"},
		{"paths", "mcp__fs__write_file", map[string]any{"filepath": "~/.ssh/authorized_keys"}, "write /home/me/.ssh/authorized_keys by -1"},
		{"paths below", "mcp__fs__move", map[string]any{"items": []any{map[string]any{"absolutePath": "/etc/hosts"}}}, "write /etc/hosts by -1"},
		{"a path that nothing names", "mcp__x__get", map[string]any{"target": "/etc/hosts"}, "read /etc/hosts by -1"},
		{"a path of home", "mcp__x__get", map[string]any{"a": map[string]any{"b": "~/.aws/credentials"}}, "read /home/me/.aws/credentials by -1"},
		{"a new file", "mcp__x__save", map[string]any{"to": "src/new.go"}, "write /work/app/src/new.go by -1"},
		{"a secret that is not there yet", "mcp__x__get", map[string]any{"target": "/srv/app/.ssh/id_rsa"}, "read /srv/app/.ssh/id_rsa by -1"},
		{"a secret without a folder", "mcp__mail__send", map[string]any{"attachments": []any{".env"}}, "read /work/app/.env by -1"},
		{"what is put somewhere is read", "mcp__s3__put_object", map[string]any{"file": "/srv/a"}, "read /srv/a by -1\nwrite /srv/a by -1"},
		{"what is created from a file, too", "mcp__drive__create_file", map[string]any{"local_path": "/srv/a"}, "read /srv/a by -1"},
		{"several URLs", "mcp__x__get", map[string]any{"urls": []any{"https://a.example/x", "https://b.example"},
			"next": "http://c.example:8080"},
			"net a.example by -1\nnet b.example by -1\nnet c.example:8080 by -1"},
		{"SQL", "mcp__postgres__query", map[string]any{"sql": "DROP TABLE users"}, "code sql inline by -1"},
		{"SQL as a query", "mcp__postgres__query", map[string]any{"query": "delete from users"}, "code sql inline by -1"},
		{"code", "mcp__ide__js_repl", map[string]any{"code": "require('fs').rmSync('x')"}, "delete /work/app/x code by -1"},
		{"too deep", "mcp__x__run", deep, "doubt depth inner"},
		{"too many", "mcp__x__run", many, "doubt size more arguments than are looked at"},
		// what is said about something does not happen
		{"prose", "mcp__github__create_issue", map[string]any{"title": "rm -rf ~ is dangerous", "body": "see https://x.example; rm -rf ~"},
			"none"},
		{"words", "mcp__x__search", map[string]any{"q": "find the bug in make", "query": "rm -rf /"}, "none"},
		{"a route", "mcp__x__call", map[string]any{"route": "/api/users", "method": "GET"}, "none"},
	} {
		call := &trammel.ToolCall{Name: tc.tool, Input: tc.input}
		ev := &trammel.Event{Tool: call, World: at.World, Session: trammel.Session{Dir: at.Dir, Project: at.Project}}
		ev.Prepare()
		got := show(Of(ev))
		if tc.want == "none" && got != "" {
			t.Errorf("%s: got\n%s", tc.name, got)
			continue
		}
		for line := range strings.Lines(tc.want) {
			if line = strings.TrimSpace(line); tc.want != "none" && !strings.Contains("\n"+got+"\n", line) {
				t.Errorf("%s: got\n%s\nwithout %s", tc.name, got, line)
			}
		}
	}
}

// A tool that fetches talks to all hosts that it is given.
func TestFetchOfSeveral(t *testing.T) {
	shapes := trammel.Shapes{"fetch": {Kind: trammel.FetchAction, URL: []string{"url", "urls"}}}
	for want, input := range map[string]map[string]any{
		"a.example b.example": {"urls": []any{"https://a.example/x", "https://b.example"}},
		"c.example d.example": {"prompt": "Compare https://c.example/x, and (http://d.example)."},
		"e.example":           {"url": "https://e.example", "prompt": "as on https://other.example"},
		"f.example g.example": {"url": "https://f.example", "more": map[string]any{"url": "https://g.example"}},
	} {
		ev := &trammel.Event{Tools: shapes, Tool: &trammel.ToolCall{Name: "fetch", Input: input}}
		ev.Prepare()
		var got []string
		for _, n := range Of(ev).Nets {
			got = append(got, n.Host)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
}

// Texts of tools that are known are no commands: a plan, a thought, a file.
func TestArgumentsOfKnownTools(t *testing.T) {
	shapes := trammel.Shapes{"think": {Kind: trammel.OtherAction}, "write": {Kind: trammel.WriteAction, Paths: []string{"path"}}}
	for name, input := range map[string]map[string]any{"think": {"line": "rm -rf ~"}, "write": {"path": "x", "line": "rm -rf ~"}} {
		ev := &trammel.Event{Tools: shapes, Tool: &trammel.ToolCall{Name: name, Input: input}}
		ev.Prepare()
		if s := Of(ev); len(s.Runs) > 0 {
			t.Errorf("%s: %s", name, show(s))
		}
	}
}
