package server

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"sync/atomic"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/tasks"
	"github.com/trammel-dev/trammel/tasks/registry"
)

// call is a direct run (MCP-02). It ends when the client cancels it or
// disconnects, or at the longest time limit of an implementation.
func (s *Server) call(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	ctx, cancel := context.WithTimeout(ctx, registry.MaxTimeout)
	defer cancel()
	input := map[string]any{}
	if len(req.Params.Arguments) > 0 {
		var err error
		if input, err = strict.Object(req.Params.Arguments, strict.Limits{}); err != nil {
			return failure("the arguments cannot be used: " + err.Error()), nil
		}
	}
	r := s.runner
	r.Progress = progress(ctx, req)
	if id := req.Session.ID(); id != "" && r.Caller.SessionID == "" {
		r.Caller.SessionID = id
	}
	result, err := r.DirectRun(ctx, tasks.Request{Ability: req.Params.Name, Input: input})
	if err != nil {
		return failure(err.Error()), nil
	}
	return answer(result), nil
}

// progress sends progress to the client, if it has asked for it.
func progress(ctx context.Context, req *sdk.CallToolRequest) func(string) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	var n atomic.Int64
	return func(text string) {
		_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Message: text, Progress: float64(n.Add(1))})
	}
}

// answer is the result of a run as a client sees it: the output, or why there
// is none. The hooks' context for the model is added.
func answer(r *tasks.Result) *sdk.CallToolResult {
	out := &sdk.CallToolResult{IsError: r.Status != tasks.Success}
	var text string
	if out.IsError {
		out.StructuredContent, text = structured(r), why(r)
	} else {
		if r.Output == nil {
			r.Output = map[string]any{}
		}
		out.StructuredContent, text = r.Output, string(canonicalOf(r.Output))
	}
	out.Content = append(out.Content, &sdk.TextContent{Text: text})
	for _, more := range append(r.Context[:len(r.Context):len(r.Context)], r.Warnings...) {
		out.Content = append(out.Content, &sdk.TextContent{Text: more})
	}
	return out
}

// why is the text for the model about a call that failed.
func why(r *tasks.Result) string {
	text := string(r.Status)
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	if r.Error != nil {
		text += ": " + r.Error.Message
	}
	for _, v := range r.Violations {
		text += fmt.Sprintf("\n%s: %s", v.Field, v.Message)
	}
	for _, more := range []string{r.Suggestion, humanText(r.Human)} {
		if more != "" {
			text += "\n" + more
		}
	}
	return text
}

func humanText(h *tasks.Human) string {
	if h == nil {
		return ""
	}
	return h.How
}

// failure is a call that could not be made.
func failure(reason string) *sdk.CallToolResult {
	reason, _ = secret.Redact(reason)
	return answer(&tasks.Result{Status: tasks.Failure, Reason: reason})
}

// structured is a value as plain JSON data.
func structured(v any) map[string]any {
	out := map[string]any{}
	if data, err := json.Marshal(v); err == nil {
		_ = json.Unmarshal(data, &out)
	}
	return out
}

func canonicalOf(v any) []byte {
	data, err := canonical.Append(nil, v)
	if err != nil {
		data, _ = json.Marshal(v)
	}
	return data
}

// extra calls a tool that is not of the registry.
func (s *Server) extra(t Tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		ctx, cancel := context.WithTimeout(ctx, registry.DefaultTimeout)
		defer cancel()
		input := []byte(req.Params.Arguments)
		if len(input) == 0 {
			input = []byte("{}")
		}
		a, err := t.Call(ctx, input)
		if err != nil {
			return failure(err.Error()), nil
		}
		output := structured(a.Output)
		if a.Text == "" {
			a.Text = string(canonicalOf(output))
		}
		return &sdk.CallToolResult{IsError: a.Failed, StructuredContent: output, Content: []sdk.Content{&sdk.TextContent{Text: a.Text}}}, nil
	}
}

// objectSchema is a schema of an object: without one, every object is valid.
func objectSchema(schema any) map[string]any {
	given, _ := schema.(map[string]any)
	out := maps.Clone(given)
	if out == nil {
		out = map[string]any{}
	}
	if out["type"] == nil {
		out["type"] = "object"
	}
	return out
}

// jsonOf is a schema as text, to detect changes.
func jsonOf(schema any) string {
	data, _ := json.Marshal(schema)
	return string(data)
}
