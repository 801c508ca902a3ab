//go:build e2e && unix

package mcp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSameOutput proves MCP-90 and MCP-10: what the inspector prints is the same
// directly, through the proxy on stdio, and over HTTP both ways.
func TestSameOutput(t *testing.T) {
	p := newParts(t)
	file := filepath.Join(p.dir, "a.txt")
	if err := os.WriteFile(file, []byte("some text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	everything := []string{"node", p.module("server-everything"), "stdio"}
	address, modern := free(t), free(t)
	web := p.command("node", p.module("server-everything"), "streamableHttp")
	web.Env = append(web.Env, "PORT="+address[strings.LastIndexByte(address, ':')+1:])
	p.start(address, web)
	p.start(modern, p.command(p.server, "-http", modern))
	for _, c := range []struct {
		name   string
		server []string // a command, or a URL
		ask    string
		want   string
	}{
		{"list", everything, "--method tools/list", "get-tiny-image"},
		{"call", everything, "--method tools/call --tool-name echo --tool-arg message=hi", "Echo: hi"},
		{"image", everything, "--method tools/call --tool-name get-tiny-image", "image/png"},
		{"structured", everything, "--method tools/call --tool-name get-structured-content --tool-arg location=Chicago", "structuredContent"},
		{"prompts", everything, "--method prompts/list", "prompts"},
		{"resources", everything, "--method resources/list", "resources"},
		{"templates", everything, "--method resources/templates/list", "resourceTemplates"},
		{"unknown tool", everything, "--method tools/call --tool-name none", ""},
		{"files", []string{"node", p.module("server-filesystem"), p.dir},
			"--method tools/call --tool-name read_text_file --tool-arg path=" + file, "some text"},
		{"memory", []string{"node", p.module("server-memory")}, "--method tools/list", "create_entities"},
		{"modern", []string{p.server}, "--protocol-era modern --method tools/list", "test_simple_text"},
		{"modern call", []string{p.server}, "--protocol-era modern --method tools/call --tool-name test_simple_text", "text"},
		{"legacy", []string{p.server}, "--protocol-era legacy --method tools/list", "test_simple_text"},
		{"http", []string{"http://" + address + "/mcp"}, "--transport http --method tools/list", "get-tiny-image"},
		{"http call", []string{"http://" + address + "/mcp"}, "--transport http --method tools/call --tool-name echo --tool-arg message=hi",
			"Echo: hi"},
		{"modern http", []string{"http://" + modern + "/"}, "--transport http --protocol-era modern --method tools/list", "test_simple_text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := strings.Fields(c.ask)
			direct := p.inspect(slices.Concat(c.server, args)...)
			if !strings.Contains(direct, c.want) {
				t.Fatalf("directly: %s", direct)
			}
			same := func(how string, server ...string) {
				if got := p.inspect(append(server, args...)...); got != direct {
					t.Errorf("%s:\n%.2000s\ndirectly:\n%.2000s", how, got, direct)
				}
			}
			proxy := []string{p.trammel, "mcp", "proxy", "--name", strings.ReplaceAll(c.name, " ", "-")}
			if !strings.HasPrefix(c.server[0], "http") {
				same("proxied", slices.Concat(proxy, []string{"--"}, c.server)...)
				if strings.HasSuffix(c.name, "call") {
					same("over HTTP", p.serve(c.server...), "--transport", "http")
				}
				return
			}
			same("relayed", p.relay(c.server[0]))
			args = strings.Fields(strings.ReplaceAll(c.ask, "--transport http", ""))
			same("on stdio", append(proxy, "--url", c.server[0])...)
		})
	}
}

// TestSameConformance proves MCP-90: the official suite counts the same through
// the proxy, for both eras.
func TestSameConformance(t *testing.T) {
	p := newParts(t)
	for _, c := range []struct {
		name, suite, args string
		server            []string
		total             string
		served            string // of the server as a program, reached over HTTP
	}{
		{"modern", filepath.Join(p.alpha, ".bin", "conformance"), "--suite all --spec-version 2026-07-28", nil, "153 passed, 0 failed",
			"146 passed, 6 failed"}, // headers for single arguments are not looked at: the program does not see them
		{"legacy", filepath.Join(p.modules, ".bin", "conformance"), "--spec-version 2025-11-25", []string{"-stateless=false"},
			"40 passed, 0 failed", "39 passed, 0 failed"}, // no stream is taken up again
	} {
		t.Run(c.name, func(t *testing.T) {
			address := free(t)
			p.start(address, p.command(p.server, append([]string{"-http", address}, c.server...)...))
			direct := "http://" + address + "/"
			for how, url := range map[string]string{"directly": direct, "relayed": p.relay(direct), "served": p.serve(p.server)} {
				want := c.total
				if how == "served" {
					want = c.served
				}
				out, _ := p.command(c.suite, append([]string{"server", "--url", url}, strings.Fields(c.args)...)...).CombinedOutput()
				lines := strings.Split(strings.TrimSpace(string(out)), "\n")
				last := lines[len(lines)-1]
				t.Logf("%s: %s", how, last)
				if !strings.Contains(last, want) {
					lines = slices.DeleteFunc(lines, func(l string) bool { return !strings.HasPrefix(l, "✗") })
					t.Errorf("%s: %s, want %s\n%s", how, last, want, strings.Join(lines, "\n"))
				}
			}
		})
	}
}
