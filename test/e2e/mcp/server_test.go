//go:build e2e && unix

package mcp

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/test/testfile"
)

// repository makes a repository whose registry has tools under the names that
// the suite calls, as far as a script can do what they are to do.
func (p *parts) repository(t *testing.T) string {
	dir := filepath.Join(p.dir, "repo")
	for name, text := range map[string]string{
		".system/registry/low-level/test_simple_text.yaml":    ability("test_simple_text", "ok"),
		".system/registry/low-level/test_error_handling.yaml": ability("test_error_handling", "fail"),
		"ok.sh":   "#!/bin/sh\necho '{\"said\":\"This is a simple text response for testing.\"}'\n",
		"fail.sh": "#!/bin/sh\necho 'This tool intentionally returns an error for testing' >&2\nexit 1\n",
	} {
		testfile.Write(t, filepath.Join(dir, filepath.FromSlash(name)), text, 0o700)
	}
	return dir
}

func ability(key, script string) string {
	return "operation_key: " + key + "\nversion: 1\nsummary: A tool of the suite.\nkind: script\ninput_schema: {type: object}\n" +
		"impl: {kind: script, script: {path: " + script + ".sh}}\n"
}

// TestServerConformance proves MCP-91: what the official suite finds wrong with
// `trammel mcp --http` is what testdata/conformance.txt says, with the reasons,
// and no more. A line whose scenario passes has to go: the list only shrinks.
func TestServerConformance(t *testing.T) {
	p := newParts(t)
	address := free(t)
	server := p.command(p.trammel, "mcp", "--http", address)
	server.Dir = p.repository(t)
	p.start(address, server)
	data, err := os.ReadFile("testdata/conformance.txt")
	if err != nil {
		t.Fatal(err)
	}
	summary := regexp.MustCompile(`(?m)^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed`)
	for era, run := range map[string][]string{
		"modern": {filepath.Join(p.alpha, ".bin", "conformance"), "--suite", "all", "--spec-version", "2026-07-28"},
		"legacy": {filepath.Join(p.modules, ".bin", "conformance"), "--spec-version", "2025-11-25"},
	} {
		out, _ := p.command(run[0], append([]string{"server", "--url", "http://" + address + "/mcp"}, run[1:]...)...).CombinedOutput()
		var failed, expected []string
		for _, m := range summary.FindAllStringSubmatch(string(out), -1) {
			if m[1] == "✗" {
				failed = append(failed, m[2]+" "+m[4])
			}
		}
		for line := range strings.Lines(string(data)) {
			if words := strings.Fields(line); len(words) > 3 && words[0] == era {
				expected = append(expected, words[1]+" "+words[2])
			}
		}
		slices.Sort(failed)
		slices.Sort(expected)
		if !slices.Equal(failed, expected) {
			t.Errorf("%s: these fail:\n%s\nexpected were:\n%s\n%.500s", era, strings.Join(failed, "\n"), strings.Join(expected, "\n"), out)
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		t.Logf("%s: %s", era, lines[len(lines)-1])
	}
}
