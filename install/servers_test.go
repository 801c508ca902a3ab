package install

import (
	"maps"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/test/testfile"
)

// serverCases are configurations as agents and people write them.
var serverCases = []struct {
	host, user, project string
	text                string
	want                []string // of the wired file
	notes               int
}{
	{"claude-code", ".claude.json", ".mcp.json", "{\n  \"mcpServers\": {\n    \"files\": {\n      \"type\": \"stdio\",\n      \"command\": " +
		"\"npx\",\n" +
		"      \"args\": [\n        \"-y\",\n        \"srv\"\n      ],\n      \"env\": {\"A\": \"b\"}\n    },\n    \"bare\": {\"command\": " +
		"\"srv\"},\n" +
		"    \"far\": {\"type\": \"http\", \"url\": \"https://x/mcp\"}\n  }\n}\n",
		[]string{`"command": "/opt/trammel"`, `["mcp", "proxy", "--wired", "--name", "files", "--", "npx",`, `"--name", "bare", "--", "srv"]`},
		1},
	{"claude-code", ".claude.json", "", `{"numStartups":3,"projects":{"/a":{"mcpServers":{"x":{"command":"y","args":[]}}},"/b":{}}}`,
		[]string{`"args":["mcp", "proxy", "--wired", "--name", "x", "--", "y"]`}, 0},
	{"claude-code", ".claude.json", ".mcp.json", "{\n  \"mcpServers\": {\n    \"far\": {\n      \"type\": \"http\",\n      \"url\": " +
		"\"https://x/mcp?a=1\",\n" +
		"      \"headers\": { \"Authorization\": \"Bearer ${T}\", \"X-B\": \"1\" },\n      \"timeout\": 5\n    },\n" +
		"    \"near\": {\"url\": \"http://127.0.0.1:3000/mcp\"},\n    \"empty\": {},\n    \"signs in\": {\"url\": \"https://x/mcp\"},\n" +
		"    \"signs in itself\": {\"url\": \"https://x/mcp\", \"headers\": {\"A\": \"b\"}, \"oauth\": {\"clientId\": \"c\"}},\n" +
		"    \"password\": {\"url\": \"https://a:b@x/mcp\", \"headers\": {\"A\": \"b\"}}\n  }\n}\n",
		[]string{`{"command": "/opt/trammel", "args": ["mcp", "proxy", "--wired", "--name", "far", "--url", "https://x/mcp?a=1"], ` +
			`"env": {"TRAMMEL_MCP_HEADER_1": "Authorization: Bearer ${T}", "TRAMMEL_MCP_HEADER_2": "X-B: 1"}, "type": "stdio", ` + "\n" +
			`      "x-trammel-type": "http",`, `"x-trammel-headers": {`, `"timeout": 5`,
			`"near": {"command": "/opt/trammel", "args": ["mcp", "proxy", "--wired", "--name", "near", "--url", "http://127.0.0.1:3000/mcp"], ` +
				`"x-trammel-url": "http://127.0.0.1:3000/mcp"}`, `"password": {"url"`, `"signs in": {"url"`}, 4},
	{"gemini-cli", ".gemini/settings.json", "", `{"mcpServers":{"a":{ "httpUrl":"http://localhost/mcp" , "trust":true }}}`,
		[]string{`"--url", "http://localhost/mcp"]`, `"x-trammel-httpUrl":"http://localhost/mcp" , "trust":true }`}, 0},
	{"opencode", ".config/opencode/opencode.json", "opencode.json", `{"mcp":{"a":{"type":"remote","url":"http://localhost/mcp"},` +
		`"b":{"type":"local","command":["x"]}}}`, []string{`"--url", "http://localhost/mcp"], /*trammel*/` +
		`/*trammel: "type":"remote",*//*trammel: "url":"http://localhost/mcp"*/}`, `"--name", "b", "--","x"]`}, 0},
	{"opencode", ".config/opencode/opencode.json", "opencode.json", "{\n  // mine\n  \"mcp\": {\n    \"a\": {\n      \"enabled\": true,\n" +
		"      \"type\": \"remote\",\n      \"url\": \"https://x/mcp\",\n      \"headers\": {\"A\": \"Bearer {env:T}\"},\n      \"timeout\": " +
		"5,\n" +
		"    },\n    \"open\": {\"type\": \"remote\", \"url\": \"https://x/mcp\", \"oauth\": false},\n" +
		"    \"signs in\": {\"type\": \"remote\", \"url\": \"https://x/mcp\", \"oauth\": {}, \"headers\": {\"A\": \"b\"}},\n" +
		"    \"odd\": {\"type\": \"remote\", \"url\": \"http://localhost/*/\"}\n  }\n}\n",
		[]string{`"--name", "a", "--url", "https://x/mcp"], "environment": {"TRAMMEL_MCP_HEADER_1": "A: Bearer {env:T}"}, /*trammel*/` +
			"\n      \"enabled\": true,\n      /*trammel: \"type\": \"remote\",*/", `"--name", "open", "--url"`}, 2},
	{"gemini-cli", ".gemini/settings.json", ".gemini/settings.json",
		"{\r\n\t// mine\r\n\t\"mcpServers\": {\"s\": {\"command\": \"python\", \"args\": [\"-m\", \"s\",], " +
			"\"timeout\": 5, \"trust\": true,},},\r\n}", []string{`"--", "python","-m", "s",]`, "// mine"}, 0},
	{"qwen-code", ".qwen/settings.json", ".qwen/settings.json",
		"{\n  \"security\": {\"folderTrust\": {\"enabled\": false}},\n  \"mcpServers\": {\n    \"s\": {\n      \"command\": \"node\",\n" +
			"      \"args\": [\"s.js\"],\n      \"trust\": true\n    },\n    \"far\": {\"httpUrl\": \"https://x/mcp\"}\n  }\n}",
		[]string{`"--name", "s", "--", "node","s.js"]`, `"trust": true`}, 1},
	{"copilot-cli", ".copilot/mcp-config.json", "", `{"mcpServers":{"s":{"type":"local","command":"x","args":["1"],"tools":["*"]}}}`,
		[]string{`"--", "x","1"],"tools":["*"]`}, 0},
	{"kiro", ".kiro/settings/mcp.json", ".kiro/settings/mcp.json", `{"mcpServers":{"s":{"command":"x","args":[],"disabled":false}}}`,
		[]string{`"--", "x"],"disabled":false`}, 0},
	{"cursor", ".cursor/mcp.json", ".cursor/mcp.json", `{"mcpServers":{"a b":{"command":"C:\\x.exe","args":["--q=\"1\""]}}}`,
		[]string{`"--name", "a b", "--", "C:\\x.exe","--q=\"1\""`}, 0},
	{"vscode", "", ".vscode/mcp.json", `{"servers":{"a":{"command":"x"}},"inputs":[]}`, []string{`"--", "x"]`}, 0},
	{"opencode", ".config/opencode/opencode.json", "opencode.json",
		`{"mcp":{"a":{"type":"local","command":["npx","-y"],"enabled":true},"r":{"type":"remote","url":"x"}}}`,
		[]string{`["/opt/trammel", "mcp", "proxy", "--wired", "--name", "a", "--","npx","-y"]`}, 1},
	{"codex", ".codex/config.toml", ".codex/config.toml", "model = \"x\" # [mcp_servers.no]\n\n[mcp_servers.files]\ncommand = \"npx\" # " +
		"old\nargs = [\n  \"-y\", # yes\n  'srv',\n]\n" +
		"startup_timeout_sec = 5\n[mcp_servers.files.env]\ncommand = \"not this\"\n[mcp_servers.\"b c\"]\ncommand = " +
		"'srv'\n[mcp_servers.far]\nurl = \"https://x\"\n[other]\ncommand = \"z\"\n",
		[]string{"command = \"/opt/trammel\" # old\nargs = [\"mcp\", \"proxy\", \"--wired\", \"--name\", \"files\", \"--\", \"npx\",\n  " +
			"\"-y\", " +
			"# yes",
			"[mcp_servers.\"b c\"]\ncommand = \"/opt/trammel\"\nargs = [", "command = \"not this\"", "[other]\ncommand = \"z\""}, 1},
	{"codex", ".codex/config.toml", ".codex/config.toml", "[mcp_servers.near]\nurl = \"http://localhost:3000/mcp\" # here\nenabled = " +
		"true\n\n" +
		"[mcp_servers.far]\ntool_timeout_sec = 5\nurl = 'https://x/mcp'\nbearer_token_env_var = \"TOKEN\"\nhttp_headers = { \"X-A\" = \"1\", B " +
		"= '2' }\n" +
		"env_http_headers = {X-C = \"VAR\"}\n[mcp_servers.\"signs in\"]\nurl = \"https://x/mcp\"\n[mcp_servers.also]\nurl = \"https://x/mcp\"\n" +
		"bearer_token_env_var = \"T\"\nscopes = [\"a\"]\n[mcp_servers.table]\nurl = \"http://localhost/\"\n[mcp_servers.table.http_headers]\nA " +
		"= \"b\"\n" +
		"[mcp_servers.odd]\nurl = \"http://localhost/\"\nhttp_headers = { A = 5 }\n",
		[]string{"[mcp_servers.near]\ncommand = \"/opt/trammel\"\nargs = [\"mcp\", \"proxy\", \"--wired\", \"--name\", \"near\", \"--url\", " +
			"\"http://localhost:3000/mcp\"]\n#trammel: url = \"http://localhost:3000/mcp\" # here\nenabled = true\n",
			"env = { \"TRAMMEL_MCP_HEADER_1\" = \"Authorization: Bearer ${TOKEN}\", \"TRAMMEL_MCP_HEADER_2\" = \"X-A: 1\", " +
				"\"TRAMMEL_MCP_HEADER_3\" = " +
				"\"B: 2\", \"TRAMMEL_MCP_HEADER_4\" = \"X-C: ${VAR}\" }\nenv_vars = [\"TOKEN\", \"VAR\"]\ntool_timeout_sec = 5\n#trammel: url = " +
				"'https://x/mcp'\n"},
		4},
}

// MCP-70, MCP-71, MCP-73, MCP-96: wiring changes commands and arguments alone,
// and never twice; unwiring restores the bytes, and of a file that somebody has
// changed since, the entries.
func TestServers(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // an installed trammel is not what is tested
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of POSIX")
	}
	for _, c := range serverCases {
		for scope, rel := range map[Scope]string{User: c.user, Project: c.project} {
			if rel == "" {
				continue
			}
			env, opts := machine(t)
			opts.Scope = scope
			base := env.Home
			if scope == Project {
				base = opts.Project
			}
			path := filepath.Join(base, filepath.FromSlash(rel))
			testfile.Write(t, path, c.text, 0o640)
			wire := func() *Change {
				t.Helper()
				change, err := PlanServers(env, c.host, opts, "/opt/trammel")
				if err != nil {
					t.Fatalf("%s: %v", c.host, err)
				}
				if err := Apply(change); err != nil {
					t.Fatalf("%s: %v", c.host, err)
				}
				return change
			}
			unwire := func() string {
				t.Helper()
				change, err := PlanServersUninstall(env, c.host, opts)
				if err != nil {
					t.Fatalf("%s: %v", c.host, err)
				}
				if err := Apply(change); err != nil {
					t.Fatalf("%s: %v", c.host, err)
				}
				return get(t, path)
			}
			if change := wire(); len(change.Notes) != c.notes {
				t.Errorf("%s: notes: %q", c.host, change.Notes)
			}
			wired := get(t, path)
			dirs := quoted("--user-config", opts.UserConfig, "--state", env.State) + ", "
			if named := strings.Contains(wired, dirs); named != (scope == User) {
				t.Errorf("%s: the directories are named in scope %s: %v", c.host, scope, named)
			}
			wired = strings.ReplaceAll(wired, dirs, "")
			if scope == Project { // TEAM-01: the same on every machine
				if strings.Contains(wired, "/opt/") {
					t.Errorf("%s: a path of this machine is in\n%s", c.host, wired)
				}
				wired = strings.ReplaceAll(wired, `"trammel"`, `"/opt/trammel"`)
			}
			for _, want := range c.want {
				if !strings.Contains(wired, want) {
					t.Errorf("%s: %s is not in\n%s", c.host, want, wired)
				}
			}
			list, err := Servers(env, c.host, opts)
			if err != nil {
				t.Fatal(err)
			}
			open := 0
			for _, s := range list {
				if s.Path != path || s.Behind && s.Broken == "" { // there is no /opt/trammel
					t.Errorf("%s: %+v", c.host, s)
				}
				if !s.Behind {
					open++
				}
			}
			if open != c.notes {
				t.Errorf("%s: %d servers are not behind the proxy, want %d", c.host, open, c.notes)
			}
			if again := wire(); len(again.Files) != 0 {
				t.Errorf("%s: wired twice:\n%s", c.host, again.Files[0].After)
			}
			if got := unwire(); got != c.text {
				t.Errorf("%s: restored as\n%s", c.host, got)
			}
			wire()
			testfile.Write(t, path, get(t, path)+"\n", 0o640) // somebody has changed it
			got := unwire()
			if strings.Contains(c.want[0], "--url") && got != c.text+"\n" || strings.Contains(got, "--wired") ||
				strings.Contains(got, "/opt/trammel") || strings.Contains(got, `"trammel"`) {
				t.Errorf("%s: entries are left:\n%s", c.host, got)
			}
		}
	}
}

// MCP-71: where a variable names the directory of the settings, the file is in
// there, even if it is the directory that it would be anyway.
func TestServersWhereAVariableNames(t *testing.T) {
	env, opts := machine(t)
	dir := filepath.Join(env.Home, ".claude")
	inside, beside := filepath.Join(dir, ".claude.json"), filepath.Join(env.Home, ".claude.json")
	for _, path := range []string{inside, beside} {
		testfile.Write(t, path, `{"mcpServers":{"s":{"command":"x"}}}`, 0o600)
	}
	for variable, want := range map[string]string{"": beside, dir: inside} {
		env.Getenv = func(name string) string {
			if name == "CLAUDE_CONFIG_DIR" {
				return variable
			}
			return ""
		}
		list, err := Servers(env, "claude-code", opts)
		if err != nil || len(list) != 1 || list[0].Path != want {
			t.Errorf("CLAUDE_CONFIG_DIR=%s: %+v, %v", variable, list, err)
		}
	}
}

// MCP-71: the servers of plugins and administrators are named, and not wired.
func TestServersOfOthers(t *testing.T) {
	for host, files := range map[string]map[string]string{
		"claude-code": {
			"home/.claude/plugins/cache/m/p/1/.mcp.json":                  `{"bare":{"command":"x"}}`,
			"home/.claude/plugins/cache/m/q/2/.mcp.json":                  `{"mcpServers":{"wrapped":{"command":"x"}}}`,
			"home/.claude/plugins/cache/m/r/2/.claude-plugin/plugin.json": `{"name":"r","mcpServers":{"inline":{"command":"x"}}}`,
			"home/.claude/plugins/cache/m/s/1/.claude-plugin/plugin.json": `{"name":"s","author":{"name":"no server"}}`,
			"home/.claude/plugins/cache/m/t/1/.mcp.json":                  `{"broken`,
			"root/etc/claude-code/managed-mcp.json": `{"mcpServers":{"admin":{"url":"https://x"},"behind":{"command":"true","args":` +
				`["mcp","proxy","--wired","--name","behind","--","x"]}}}`},
		"codex": {"home/.codex/plugins/cache/m/p/1/.mcp.json": `{"mcpServers":{"bare":{"command":"x"}}}`,
			"root/etc/codex/config.toml": "[mcp_servers.admin]\ncommand = \"x\"\n"},
		"gemini-cli": {"home/.gemini/extensions/e/gemini-extension.json": `{"name":"e","mcpServers":{"inline":{"command":"x"}}}`,
			"root/etc/gemini-cli/settings.json": `{"mcpServers":{"admin":{"command":"x"}}}`},
		"qwen-code":   {"home/.qwen/extensions/e/qwen-extension.json": `{"mcpServers":{"inline":{"command":"x"}}}`},
		"copilot-cli": {"home/.copilot/installed-plugins/m/p/.mcp.json": `{"mcpServers":{"bare":{"command":"x"}}}`},
		"opencode":    {"root/etc/opencode/opencode.json": `{"mcp":{"admin":{"type":"local","command":["x"]}}}`},
	} {
		dir := t.TempDir()
		testfile.Tree(t, dir, files)
		want := map[string]string{}
		for _, text := range files {
			for _, server := range []string{"bare", "wrapped", "inline"} {
				if strings.Contains(text, `"`+server+`"`) {
					want[server] = byPlugin
				}
			}
			if strings.Contains(text, "admin") {
				want["admin"] = byAdmin
			}
		}
		env := Env{Home: filepath.Join(dir, "home"), State: filepath.Join(dir, "state"), Root: filepath.Join(dir, "root"), GOOS: "linux",
			Getenv: func(string) string { return "" }}
		opts := Options{Scope: User, UserConfig: filepath.Join(dir, "user")}
		list, err := Servers(env, host, opts)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, s := range list {
			if s.Behind != (s.Name == "behind") {
				t.Errorf("%s: %+v", host, s)
			}
			if !s.Behind {
				got[s.Name] = s.Whose
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", host, got, want)
		}
		c, err := PlanServers(env, host, opts, filepath.Join(dir, "trammel"))
		if err != nil || len(c.Files) != 0 || len(c.Notes) != len(want) {
			t.Errorf("%s: %+v, %v", host, c, err)
		}
		opts.Scope, opts.Project = Project, dir
		if list, err := Servers(env, host, opts); err != nil || len(list) > 0 {
			t.Errorf("%s: a project has %v, %v", host, list, err)
		}
	}
}
