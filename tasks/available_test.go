package tasks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/tasks"
)

// AIC-51: what cannot run is not available: no key, no folder, and the hooks
// are not asked about it.
func TestWhatCannotRunIsNotAvailable(t *testing.T) {
	workflow := "id: twice\ntype: workflow\noperations: [say.hello]\nsteps: [{id: one, operation: say.hello, input: {name: x}}]\n"
	planner := "id: plan\ntype: agent\nagent: {path: scripts/plan.sh}\n"
	server := "operation_key: ask\nkind: mcp\nimpl: {kind: mcp, mcp: {server: {path: scripts/server.sh}, tool: t}}\n"
	fetch := "operation_key: fetch\nkind: api\nimpl: {kind: api, api: {url: 'https://example.com/', secrets_from_env: [NOT_SET_HERE]}}\n"
	files := map[string]string{".system/registry/low-level/hello.yaml": greet, ".system/registry/high-level/w.yaml": workflow,
		".system/registry/high-level/p.yaml": planner, ".system/registry/low-level/m.yaml": server,
		".system/registry/low-level/f.yaml": fetch, "scripts/plan.sh": "not executable"}
	hooks := &spy{}
	r := runner(repo(t, files), hooks)
	for ability, why := range map[string]string{"say.hello": "scripts/hello.sh", "twice": "step one", "plan": "not executable",
		"ask": "scripts/server.sh", "fetch": "NOT_SET_HERE is not set"} {
		made, err := r.Create(t.Context(), tasks.Request{Ability: ability, Input: map[string]any{"name": "Ada"}})
		if err != nil || made.Status != tasks.Unavailable || made.TaskKey != "" || !strings.Contains(made.Reason, why) || made.Suggestion == "" {
			t.Errorf("%s: %+v, %v", ability, made, err)
		}
	}
	if _, err := os.Stat(filepath.Join(r.Root, tasks.Dir)); len(hooks.seen) > 0 || !os.IsNotExist(err) {
		if list, _ := os.ReadDir(filepath.Join(r.Root, tasks.Dir)); len(list) > 0 || len(hooks.seen) > 0 {
			t.Errorf("%v %v", list, hooks.types())
		}
	}
}

// What a program prints may hold a secret; no message repeats it, to whomever
// it goes (systems.md 9).
func TestMessagesHoldNoSecrets(t *testing.T) {
	token := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	for name, script := range map[string]string{
		"stderr":     "#!/bin/sh\necho token " + token + " >&2; exit 3",
		"the output": "#!/bin/sh\necho '{\"greeting\":\"" + token + "\", \"greeting\":1}'",
	} {
		hooks := &spy{}
		r := runner(repo(t, map[string]string{".system/registry/low-level/hello.yaml": greet, "scripts/hello.sh": script}), hooks)
		key := create(t, r, "say.hello", map[string]any{"name": "Ada"})
		result := run(t, r, key)
		said := result.Error.Message
		for _, v := range result.Violations {
			said += v.Message
		}
		post, _ := hooks.seen[len(hooks.seen)-1].(interface{ AppendJSON([]byte) []byte })
		_, message, _ := strings.Cut(string(post.AppendJSON(nil)), `"error_message"`)
		document, err := os.ReadFile(filepath.Join(r.Root, tasks.Dir, key, "tool_call.md"))
		if err != nil || result.Status != tasks.Failure || strings.Contains(said+message+string(document), token) {
			t.Errorf("%s: %v %s\n%s\n%s", name, err, said, message, document)
		}
	}
}
