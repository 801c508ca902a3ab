package model

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
)

var chatUsage = object{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}

// streamChat sends a turn as server-sent events.
func streamChat(w http.ResponseWriter, model string, t Turn) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	send := func(delta object, finish any) {
		raw, err := json.Marshal(object{
			"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 1, "model": model,
			"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}},
		})
		if err != nil {
			panic(err) // a script that is not JSON
		}
		fmt.Fprintf(w, "data: %s\n\n", raw)
	}
	send(object{"role": "assistant", "content": ""}, nil)
	if t.Text != "" {
		send(object{"content": t.Text}, nil)
	}
	for i, c := range t.Calls {
		send(object{"tool_calls": []object{{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": ""}}}},
			nil)
		for _, part := range pieces(c.Input) {
			send(object{"tool_calls": []object{{"index": i, "function": object{"arguments": part}}}}, nil)
		}
	}
	send(object{}, chatFinish(t))
	raw, err := json.Marshal(object{
		"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": []any{}, "usage": chatUsage,
	})
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", raw)
}

// sendChat sends a turn in one piece.
func sendChat(w http.ResponseWriter, model string, t Turn) {
	message := object{"role": "assistant", "content": t.Text}
	var calls []object
	for _, c := range t.Calls {
		calls = append(calls, object{"id": c.ID, "type": "function",
			"function": object{"name": c.Name, "arguments": strings.Join(pieces(c.Input), "")}})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.MarshalWrite(w, object{
		"id": "chatcmpl-scripted", "object": "chat.completion", "created": 1, "model": model, "usage": chatUsage,
		"choices": []object{{"index": 0, "message": message, "finish_reason": chatFinish(t)}},
	}); err != nil {
		panic(err)
	}
}

func chatFinish(t Turn) string {
	if len(t.Calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}
