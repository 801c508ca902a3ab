package main

import (
	"context"

	"github.com/trammel-dev/trammel/cmd/trammel/packcmd"
	"github.com/trammel-dev/trammel/mcp/server"
	"github.com/trammel-dev/trammel/packs/process"
)

// processTools let a model control the process in a directory, and read its
// contract. The process is pinned: later changes of the pack do not affect this
// server.
func processTools(dir string) ([]server.Tool, error) {
	if dir == "" {
		return nil, nil
	}
	p, err := packcmd.OpenProcess(dir)
	if err != nil {
		return nil, err
	}
	p.Pin()
	text := map[string]any{"type": "string"}
	return []server.Tool{
		{Name: "fst.control", Summary: "Asks the process whether an intended action is allowed. Act only if may_proceed is true.",
			Input: map[string]any{"type": "object", "required": []any{"action", "payload"}, "properties": map[string]any{
				"protocol_version": text, "action": text, "payload": map[string]any{"type": "object"}, "run_id": text,
				"idempotency_key": text, "process_id": text, "actor": map[string]any{"type": []any{"object", "string"}}}},
			Call: func(ctx context.Context, input []byte) (server.Answer, error) { return controlled(ctx, p, input) }},
		{Name: "fst.help.process_contract", Summary: "What the process expects: its actions, artifacts and gates.",
			Input: map[string]any{"type": "object"},
			Call: func(context.Context, []byte) (server.Answer, error) {
				return server.Answer{Output: p.Contract()}, nil
			}},
	}, nil
}

// controlled judges a control call of a model. Whoever calls over MCP is an
// agent, so it cannot act for anybody else.
func controlled(ctx context.Context, p *process.Process, input []byte) (server.Answer, error) {
	req, err := process.DecodeRequest(input)
	if err != nil {
		return refused(process.CodeRequest, err.Error()), nil
	}
	if role := req.Actor.Role; role != "" && role != "agent" {
		return refused(process.CodeActor, "over MCP the actor is the agent"), nil
	}
	out, err := p.Control(ctx, req)
	return server.Answer{Output: out, Failed: out.Status == process.StatusError}, err
}

func refused(code process.Code, reason string) server.Answer {
	return server.Answer{Output: process.Response{Status: process.StatusError, Code: code, Reason: reason}, Failed: true}
}
