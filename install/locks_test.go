package install

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/test/testfile"
)

// TEAM-10: what switches our hooks off is found, with its file, in an
// administrator's settings and beside the wired ones.
func TestLocks(t *testing.T) {
	for _, c := range []struct{ host, file, text, says string }{
		{"claude-code", "etc/claude-code/managed-settings.json", `{"allowManagedHooksOnly": true}`, "allowManagedHooksOnly is set"},
		{"claude-code", "etc/claude-code/managed-settings.d/10-x.json", `{"disableAllHooks": true}`, "disableAllHooks is set"},
		{"claude-code", "etc/claude-code/managed-settings.json", `{"strictPluginOnlyCustomization": ["hooks"]}`, "strictPlugin"},
		{"claude-code", "project/.claude/settings.local.json", `{"disableAllHooks": true} // mine`, "disableAllHooks is set"},
		{"codex", "etc/codex/requirements.toml", "a = 1\nallow_managed_hooks_only = true\n", "allow_managed_hooks_only is set"},
		{"claude-code", "etc/claude-code/managed-settings.json", `{"allowManagedHooksOnly": false}`, ""},
		{"claude-code", "etc/claude-code/managed-settings.json", `{"strictPluginOnlyCustomization": ["skills"]}`, ""},
		{"claude-code", "etc/claude-code/managed-settings.json", `{"env": {"allowManagedHooksOnly": true}}`, ""},
		{"claude-code", "etc/claude-code/managed-settings.json", `{`, ""},
		{"codex", "etc/codex/requirements.toml", "# allow_managed_hooks_only = true\n", ""},
	} {
		for _, scope := range []Scope{User, Project} {
			env, opts := machine(t)
			env.Root, opts.Scope = filepath.Dir(env.Home), scope
			path := filepath.Join(env.Root, filepath.FromSlash(c.file))
			testfile.Write(t, path, c.text, 0o644)
			install(t, env, c.host, opts)
			r, err := Status(env, c.host, opts)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, found := range r.Checks {
				if found.Name == "enabled" && !found.OK && found.Path == path {
					got += found.Detail
				}
			}
			if c.says == "" && got != "" || !strings.Contains(got, c.says) {
				t.Errorf("%s, %s, %s %s: %q, expected %q", c.host, scope, c.file, c.text, got, c.says)
			}
		}
	}
}
