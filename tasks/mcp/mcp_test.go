package mcp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/tasks/operation"
	"github.com/trammel-dev/trammel/tasks/registry"
)

// TestMain lets the test binary be the server.
func TestMain(m *testing.M) {
	if os.Getenv("MCP_TEST_ROLE") == "" {
		os.Exit(m.Run())
	}
	fmt.Fprintln(os.Stderr, "the server is up")
	server := sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	type in struct {
		Name string `json:"name"`
	}
	type out struct {
		Greeting string `json:"greeting"`
		Secret   string `json:"secret"`
	}
	sdk.AddTool(server, &sdk.Tool{Name: "hello"}, func(_ context.Context, _ *sdk.CallToolRequest, i in) (*sdk.CallToolResult, out, error) {
		if i.Name == "mallory" {
			return nil, out{}, fmt.Errorf("not mallory")
		}
		return nil, out{"hello " + i.Name, os.Getenv("MCP_SECRET")}, nil
	})
	sdk.AddTool(server, &sdk.Tool{Name: "hang"}, func(context.Context, *sdk.CallToolRequest, any) (*sdk.CallToolResult, any, error) {
		time.Sleep(10 * time.Minute)
		return nil, nil, nil
	})
	server.Run(context.Background(), &sdk.StdioTransport{})
}

// call has three seconds where it hangs, and two minutes elsewhere.
func call(t *testing.T, tool, script string, input map[string]any) (operation.Prepared, error) {
	t.Helper()
	limit := 120
	if tool == "hang" || strings.Contains(script, "sleep") {
		limit = 3
	}
	if runtime.GOOS == "windows" {
		t.Skip("the server is started by a POSIX shell")
	}
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "greeter.sh"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return Prepare(operation.Call{Root: root, Dir: root, ID: "greet", Input: input,
		Environ: func(string) []string { return []string{"PATH=" + os.Getenv("PATH")} },
		Impl: &registry.Impl{Kind: registry.MCP, MCP: &registry.Tool{Tool: tool, Server: registry.Program{Path: "greeter.sh",
			TimeoutSec: limit}}}})
}

// AIC-51: an operation of kind mcp calls a tool of a real server.
func TestTool(t *testing.T) {
	t.Setenv("MCP_SECRET", "leaked")
	server := "#!/bin/sh\nMCP_TEST_ROLE=server exec " + os.Args[0] + "\n"
	for name, c := range map[string]struct {
		tool, script, input, code, want string
	}{
		"structured":   {"hello", server, "Ada", "", "hello Ada"},
		"tool fails":   {"hello", server, "mallory", "error", ""},
		"no such tool": {"nope", server, "Ada", "unavailable", ""},
		"hangs":        {"hang", server, "Ada", "timeout", ""},
		"not a server": {"hello", "#!/bin/sh\necho hello\n", "Ada", "unavailable", ""},
		"never speaks": {"hello", "#!/bin/sh\nsleep 600\n", "Ada", "timeout", ""},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			p, err := call(t, c.tool, c.script, map[string]any{"name": c.input})
			if err != nil {
				t.Fatal(err)
			}
			out, err := p.Run(t.Context())
			code := trammel.Code("")
			if f, ok := err.(*trammel.Failure); ok {
				code = f.Code
			}
			if string(code) != c.code || c.want != "" && (out.Output["greeting"] != c.want || out.Output["secret"] != "") {
				t.Errorf("%v, %v", out.Output, err)
			}
			if c.want != "" && !strings.Contains(string(out.Stderr), "up") {
				t.Errorf("stderr %q", out.Stderr)
			}
			if time.Since(began) > 2*time.Minute {
				t.Errorf("took %v", time.Since(began))
			}
		})
	}
}

// Policies see the server, the tool and the program.
func TestAction(t *testing.T) {
	p, err := call(t, "hello", "#!/bin/sh\n", map[string]any{"path": "/etc/passwd"})
	if err != nil {
		t.Fatal(err)
	}
	a := p.Action()
	if !a.Is(trammel.MCPAction) || !a.Is(trammel.ShellAction) || a.Server != "greeter" || a.Tool != "hello" || len(a.Paths) != 1 ||
		!strings.HasSuffix(a.Command, "greeter.sh") {
		t.Errorf("%+v", a)
	}
}
