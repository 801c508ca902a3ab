// Package plugins writes the packages that agents install themselves: a
// marketplace for Claude Code and Codex, an extension for Gemini CLI, and an npm
// package for pi and opencode. All are made from what "trammel init --scope
// project" writes, so they call trammel-hook by its name and fail closed without
// it.
package plugins

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel/dist/archive"
	"github.com/trammel-dev/trammel/dist/content"
	"github.com/trammel-dev/trammel/install"
)

// NPM is the npm package for pi and opencode.
const NPM = "@trammel/plugin"

type object map[string]any

const readme = `# Trammel

For people who run coding agents and want rules that are enforced. This plugin makes the agent ask Trammel before it uses a tool, and
tells Trammel the result. It contains no rules: they are in your trammel.yaml.

The plugin calls the program trammel-hook, which has to be installed and on the PATH. If it is missing, tool calls are blocked.

How to install it, how to write rules and what is recorded: ` + content.URL + `
`

// Tree is everything, as a directory that is published as it is.
func Tree(version content.Version) ([]content.File, error) {
	var files []content.File
	about := object{"name": content.Name, "version": string(version), "description": content.Summary,
		"author": object{"name": "The Trammel authors"}, "homepage": content.URL, "license": content.License}
	owner := object{"name": "The Trammel authors", "url": content.URL}
	with := func(o object, more object) object {
		out := object{}
		for _, m := range []object{o, more} {
			for k, v := range m {
				out[k] = v
			}
		}
		return out
	}
	manifests := map[string]object{
		".claude-plugin/marketplace.json": {"name": content.Name, "owner": owner, "metadata": object{"description": content.Summary},
			"plugins": []object{{"name": content.Name, "source": "./plugins/trammel", "description": content.Summary}}},
		".agents/plugins/marketplace.json": {"name": content.Name, "interface": object{"displayName": "Trammel"},
			"plugins": []object{{"name": content.Name, "source": object{"source": "local", "path": "./plugins/trammel"},
				"policy": object{"installation": "AVAILABLE", "authentication": "ON_INSTALL"}, "category": "Security"}}},
		"plugins/trammel/.claude-plugin/plugin.json": about,
		"plugins/trammel/.codex-plugin/plugin.json":  with(about, object{"hooks": "./hooks/codex.json"}),
		"gemini/gemini-extension.json":               {"name": content.Name, "version": string(version), "description": content.Summary},
		"npm/package.json": with(about, object{"name": NPM, "type": "module", "main": "./opencode.js", "engines": object{"node": ">=20"},
			"keywords": []string{"pi-package"}, "pi": object{"extensions": []string{"./pi.js"}}}),
	}
	for _, dir := range []string{"plugins/trammel", "gemini", "npm"} {
		files = append(files, content.File{Path: dir + "/README.md", Mode: 0o644, Data: []byte(readme)})
	}
	for path, m := range manifests {
		text, err := json.MarshalIndent(m, "", "  ")
		if err != nil {
			return nil, err
		}
		files = append(files, content.File{Path: path, Mode: 0o644, Data: append(text, '\n')})
	}
	for host, path := range map[string]string{"claude-code": "plugins/trammel/hooks/hooks.json", "codex": "plugins/trammel/hooks/codex.json",
		"gemini-cli": "gemini/hooks/hooks.json", "pi": "npm/pi.js", "opencode": "npm/opencode.js"} {
		text, err := wiring(host)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", host, err)
		}
		files = append(files, content.File{Path: path, Mode: 0o644, Data: text})
	}
	return content.Sorted(files), nil
}

// wiring is the one file that init writes into a project for a host.
func wiring(host string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "trammel-plugin-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	hook := filepath.Join(dir, "trammel-hook") // has to be there, and is not named
	if err := os.WriteFile(hook, nil, 0o755); err != nil {
		return nil, err
	}
	env := install.Env{Home: dir, State: filepath.Join(dir, "state"), GOOS: "linux", Getenv: func(string) string { return "" },
		LookPath: func(string) (string, error) { return "", os.ErrNotExist }}
	change, err := install.Plan(env, host, install.Options{Scope: install.Project, Project: filepath.Join(dir, "project"), Hook: hook})
	if err != nil {
		return nil, err
	}
	if n := len(change.Files); n != 1 {
		return nil, fmt.Errorf("init writes %d files, expected one", n)
	}
	text := change.Files[0].After
	if filepath.Ext(change.Files[0].Path) == ".js" {
		_, code, _ := bytes.Cut(text, []byte("\n"))
		return fmt.Appendf(nil, "// %s. Part of the package %s.\n%s", install.Marker, NPM, code), nil
	}
	return text, nil
}

// Write are the archives: the tree, and its npm package as npm wants it.
func Write(version content.Version, at time.Time) (tree, npm []byte, err error) {
	files, err := Tree(version)
	if err != nil {
		return nil, nil, err
	}
	if tree, err = archive.TarGz(content.WithParents(files), at); err != nil {
		return nil, nil, err
	}
	var inner []content.File
	for _, f := range files {
		if rel, err := filepath.Rel("npm", f.Path); err == nil && filepath.IsLocal(rel) {
			f.Path = rel
			inner = append(inner, f)
		}
	}
	npm, err = archive.TarGz(content.Below("package", inner), at)
	return tree, npm, err
}
