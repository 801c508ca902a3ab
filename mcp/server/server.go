// Package server offers what a repository can do as an MCP server: each
// operation and ability that is valid in an environment is a tool, and a call
// of it is a direct run of the guarded runner (MCP-01 to 06). There is no other
// way to run anything.
package server

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/version"
	"github.com/trammel-dev/trammel/tasks"
	"github.com/trammel-dev/trammel/tasks/registry"
)

// Tool is a tool beside those of the registry. Call gets the arguments as they
// were sent, an object.
type Tool struct {
	Name, Summary string
	Input         map[string]any // a schema
	Call          func(ctx context.Context, input []byte) (Answer, error)
}

// Answer is the result of a tool. A failure is in its output.
type Answer struct {
	Output any
	Text   string // for people, if the output alone is not enough
	Failed bool
}

// Server is one repository, for any number of clients.
type Server struct {
	runner tasks.Runner
	more   []Tool
	log    io.Writer
	sdk    *sdk.Server

	mu      sync.Mutex
	offered map[string]string // the tools, with a digest of their descriptions and schemas
	broken  error             // why there are none
}

// New makes a server of a runner. Errors outside of calls are written to log.
func New(r tasks.Runner, log io.Writer, more ...Tool) *Server {
	s := &Server{runner: r, more: more, log: log, offered: map[string]string{}}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "trammel", Title: "What this repository can do", Version: version.Version},
		&sdk.ServerOptions{Logger: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelError})),
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}}})
	s.sdk.AddReceivingMiddleware(s.current)
	for _, t := range more {
		s.sdk.AddTool(&sdk.Tool{Name: t.Name, Description: t.Summary, InputSchema: t.Input}, s.extra(t))
	}
	s.refresh()
	return s
}

// lookAgain is how often the registry is checked between requests.
const lookAgain = 2 * time.Second

// Stdio serves the client on stdin and stdout until it disconnects.
func (s *Server) Stdio(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go s.Follow(ctx)
	return s.sdk.Run(ctx, &sdk.StdioTransport{})
}

// Follow notifies clients when the registry changes, until the context ends.
func (s *Server) Follow(ctx context.Context) {
	for t := time.NewTicker(lookAgain); ; {
		select {
		case <-ctx.Done():
			t.Stop()
			return
		case <-t.C:
			s.refresh()
		}
	}
}

// current makes every list and call use the current registry. If it cannot be
// read, calls are answered with the reason.
func (s *Server) current(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if method == "tools/list" || method == "tools/call" {
			if err := s.refresh(); err != nil && method == "tools/call" && !s.own(req) {
				return failure("the registry of this repository cannot be used: " + err.Error()), nil
			}
		}
		return next(ctx, method, req)
	}
}

// own reports whether a call is for a tool that is not in the registry.
func (s *Server) own(req sdk.Request) bool {
	p, ok := req.GetParams().(*sdk.CallToolParamsRaw)
	return ok && slices.ContainsFunc(s.more, func(t Tool) bool { return t.Name == p.Name })
}

// refresh offers what the registry has now. Clients are notified only of changes.
func (s *Server) refresh() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, err := s.tools()
	if err != nil && (s.broken == nil || s.broken.Error() != err.Error()) {
		fmt.Fprintln(s.log, "trammel mcp: no tools are offered:", err)
	}
	s.broken = err
	var gone []string
	for name := range s.offered {
		if found[name] == nil {
			gone = append(gone, name)
			delete(s.offered, name)
		}
	}
	if len(gone) > 0 {
		s.sdk.RemoveTools(gone...)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		t := found[name]
		digest := canonical.DigestOf([]any{t.Description, jsonOf(t.InputSchema), jsonOf(t.OutputSchema)})
		if s.offered[name] == digest {
			continue
		}
		if s.offer(t) {
			s.offered[name] = digest
		}
	}
	return err
}

// tools are the operations and abilities that are valid in the environment.
func (s *Server) tools() (map[string]*sdk.Tool, error) {
	reg, err := registry.Load(s.runner.Root)
	if err != nil {
		return nil, err
	}
	out := map[string]*sdk.Tool{}
	for _, entry := range reg.List() {
		at, err := reg.Resolve(entry.ID, s.runner.Environment)
		if err != nil || slices.ContainsFunc(s.more, func(t Tool) bool { return t.Name == entry.ID }) {
			continue // not valid in this environment
		}
		summary, _ := secret.Redact(entry.Summary)
		t := &sdk.Tool{Name: entry.ID, Description: summary, InputSchema: objectSchema(at.Input.JSON())}
		if out := at.Output.JSON(); out != nil {
			t.OutputSchema = objectSchema(out)
		}
		out[entry.ID] = t
	}
	return out, nil
}

// offer adds a tool. One whose schema clients could not use is left out.
func (s *Server) offer(t *sdk.Tool) (ok bool) {
	defer func() {
		if wrong := recover(); wrong != nil {
			fmt.Fprintf(s.log, "trammel mcp: %s is not offered: %v\n", t.Name, wrong)
			ok = false
		}
	}()
	s.sdk.AddTool(t, s.call)
	return true
}
