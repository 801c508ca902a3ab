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
		{"claude-code", "project/.claude/settings.json", `{"disableAllHooks": true}`, "disableAllHooks is set"},
		{"claude-code", "home/.claude/settings.json", `{"disableAllHooks": true}`, "disableAllHooks is set"},
		{"claude-code", "project/.claude/settings.local.json", `{"disableAllHooks": false, "disableAllHooks": true}`, "disableAllHooks is set"},
		{"claude-code", "project/.claude/settings.json", `{"disableAllHooks": "true"}`, ""},
		{"codex", "home/.codex/config.toml", "[features]\nhooks = false\n", "features.hooks=false is set"},
		{"codex", "project/.codex/config.toml", "features = { codex_hooks = false }\n", "features.codex_hooks=false is set"},
		{"codex", "etc/codex/requirements.toml", "features.hooks = false\n", "features.hooks=false is set"},
		{"codex", "home/.codex/config.toml", "[features]\nhooks = true\n[other]\nhooks = false\n", ""},
		{"gemini-cli", "project/.gemini/settings.json", `{"hooksConfig": {"enabled": false}}`, "hooksConfig.enabled=false is set"},
		{"gemini-cli", "etc/gemini-cli/settings.json", `{"hooksConfig": {"disabled": ["x", "/bin/trammel-hook y"]}}`, "hooksConfig.disabled"},
		{"gemini-cli", "home/.gemini/settings.json", `{"hooksConfig": {"enabled": true, "disabled": ["mine"]}}`, ""},
		{"qwen-code", "project/.qwen/settings.json", `{"disableAllHooks": true}`, "disableAllHooks is set"},
		{"qwen-code", "etc/qwen-code/settings.json", `{"disableAllHooks": true}`, "disableAllHooks is set"},
		{"copilot-cli", "home/.copilot/config.json", `{"disableAllHooks": true}`, "disableAllHooks is set"},
		{"copilot-cli", "project/.github/copilot/settings.json", `{"disableAllHooks": true}`, "disableAllHooks is set"},
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
