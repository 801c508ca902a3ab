//go:build e2e && unix

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel/test/e2e/model"
	"github.com/trammel-dev/trammel/test/people"
)

// TestRepositoryServer: an agent with `trammel mcp` as a server calls what the
// repository can do. What a rule denies does not run, what a person approves
// does, and both are on record (MCP-02, MCP-92).
func TestRepositoryServer(t *testing.T) {
	t.Parallel()
	h := claude{} // the server is the same for all
	const rule = "version: 1\nhooks:\n  - id: mark\n    match: { tool: mark }\n    on: pre_tool_use\n    "
	for _, s := range []scenario{
		{
			name: "denied", config: rule + "deny: Nothing is marked today.",
			check: func(t *testing.T, r *result) {
				r.ran(t, ".system", "mark.sh")
				r.told(t, true, "Nothing is marked today.")
				r.recorded(t, record{Event: "pre_tool_use", Decision: "deny", Hook: "mark", Reason: "Nothing is marked"})
			},
		},
		{
			name: "approved", config: rule + "approve: { reason: Somebody looks at this first., mode: block }",
			arrange: signs(people.Decision{Approve: true, Host: "repohooks"}),
			check: func(t *testing.T, r *result) {
				r.ran(t, ".system", "mark.sh", marker)
				r.told(t, false, "made")
				r.became(t, "requested", "approved", "consumed")
				r.recorded(t, record{Event: "pre_tool_use", Decision: "allow", Hook: "mark"}, record{Event: "post_tool_use", Decision: "none"})
			},
		},
	} {
		t.Run(h.name()+"/"+s.name, func(t *testing.T) {
			t.Parallel()
			note(t, h, "")
			if why, missing := ready.Missing[h.name()]; missing {
				skip(t, why)
			}
			s.script = func(h host, _ *box) model.Script { return attempt(h.(serverHost).tool("repo", "mark", object{})) }
			s.wire = serveRepository
			s.events = []string{"pre_tool_use", "post_tool_use"}
			check := s.check
			s.check = func(t *testing.T, r *result) {
				r.from = "repohooks"
				check(t, r)
			}
			s.play(t, h)
		})
	}
}

// serveRepository makes the project one with an ability that leaves the marker,
// and names `trammel mcp` in the host's configuration.
func serveRepository(t *testing.T, b *box, h host) {
	b.put(t, filepath.Join(b.project, ".system", "registry", "low-level", "mark.yaml"), "operation_key: mark\nversion: 1\n"+
		"summary: Leaves a mark.\nkind: script\ninput_schema: {type: object}\nimpl: {kind: script, script: {path: mark.sh}}\n")
	script := filepath.Join(b.project, "mark.sh")
	b.put(t, script, "#!/bin/sh\ntouch "+marker+" && echo '{\"made\":true}'\n")
	if err := os.Chmod(script, 0o700); err != nil {
		t.Fatal(err)
	}
	h.(serverHost).serve(t, b, "repo", []string{ready.Trammel, "mcp"})
}
