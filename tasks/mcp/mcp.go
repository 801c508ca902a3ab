// Package mcp runs operations that are tools of an MCP server. The server is a program
// of the repository that is started for the call, talks over stdin and stdout, and is
// stopped afterwards, with everything that it started.
package mcp

import (
	"context"
	"os/exec"
	"path"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/procgroup"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/version"
	"github.com/trammel-dev/trammel/tasks/operation"
	"github.com/trammel-dev/trammel/tasks/registry"
	"github.com/trammel-dev/trammel/tasks/script"
)

type prepared struct {
	call    operation.Call
	tool    *registry.Tool
	command procgroup.Command
}

// Prepare fills in the server's arguments. The tool's arguments are the input.
func Prepare(c operation.Call) (operation.Prepared, error) {
	command, err := script.Command(c, &c.Impl.MCP.Server)
	if err != nil {
		return nil, err
	}
	return &prepared{c, c.Impl.MCP, command}, nil
}

// Action is a call of the tool, and the start of the program.
func (p *prepared) Action() trammel.Action {
	a := script.Action(p.call, p.command.Args)
	a.Also = append(a.Also, trammel.ShellAction)
	a.Kind = trammel.MCPAction
	a.Server, a.Tool = strings.TrimSuffix(path.Base(p.tool.Server.Path), path.Ext(p.tool.Server.Path)), p.tool.Tool
	return a
}

// Run starts the server, calls the tool and stops the server.
func (p *prepared) Run(ctx context.Context) (out operation.Outcome, err error) {
	ctx, cancel := context.WithTimeout(ctx, registry.Timeout(p.tool.Server.TimeoutSec))
	defer cancel()
	cmd := exec.CommandContext(ctx, p.command.Args[0], p.command.Args[1:]...)
	cmd.Env, cmd.Dir = p.command.Env, p.command.Dir
	var stderr head
	cmd.Stderr = &stderr
	cmd.WaitDelay = time.Second
	group(cmd)
	defer func() {
		killGroup(cmd)
		out.Stderr = stderr.bytes()
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "trammel", Version: version.Version}, nil)
	session, err := client.Connect(ctx, &sdk.CommandTransport{Command: cmd, TerminateDuration: time.Second}, nil)
	if err != nil {
		return out, operation.Ended(ctx, "the MCP server", err)
	}
	defer session.Close()
	result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: p.tool.Tool, Arguments: p.call.Input})
	if err != nil {
		return out, operation.Ended(ctx, "the MCP server", err)
	}
	return outcome(result)
}

// outcome is the structured content of a tool's result, or its text.
func outcome(result *sdk.CallToolResult) (operation.Outcome, error) {
	var texts []string
	for _, c := range result.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			texts = append(texts, t.Text)
		}
	}
	text := strings.Join(texts, "\n")
	output := map[string]any{}
	switch structured, ok := result.StructuredContent.(map[string]any); {
	case ok:
		data, err := canonical.Append(nil, structured)
		if err != nil {
			return operation.Outcome{}, trammel.Fail(trammel.CodeMalformed, "the tool's content: %w", err)
		}
		if output, err = strict.Object(data, strict.Limits{}); err != nil {
			return operation.Outcome{}, trammel.Fail(trammel.CodeMalformed, "the tool's content: %w", err)
		}
	case text != "":
		output["text"] = text
	}
	if result.IsError {
		return operation.Outcome{Output: output}, trammel.Fail(trammel.CodeError, "the tool failed: %s", text)
	}
	return operation.Take(output), nil
}

// head keeps the beginning of what a server writes to stderr.
type head struct {
	mu   sync.Mutex
	kept []byte
}

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	const most = 64 << 10
	h.kept = append(h.kept, p[:min(len(p), most-len(h.kept))]...)
	return len(p), nil
}

func (h *head) bytes() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]byte(nil), h.kept...)
}
