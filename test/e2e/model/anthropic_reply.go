package model

import (
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/go-json-experiment/json"
)

// chunk is how many bytes of a tool's arguments go into one event; real models
// send far less, but a test may want megabytes.
const chunk = 16 << 10

type object = map[string]any

// streamAnthropic sends a turn as server-sent events.
func streamAnthropic(w http.ResponseWriter, model string, t Turn) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	send := func(kind string, data object) {
		data["type"] = kind
		raw, err := json.Marshal(data)
		if err != nil {
			panic(err) // a script that is not JSON
		}
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, raw)
	}
	start := anthropicMessage(model, t)
	start["content"], start["stop_reason"] = []any{}, nil
	send("message_start", object{"message": start})
	for i, b := range anthropicBlocks(t) {
		if b["type"] == "text" {
			send("content_block_start", object{"index": i, "content_block": object{"type": "text", "text": ""}})
			send("content_block_delta", object{"index": i, "delta": object{"type": "text_delta", "text": b["text"]}})
		} else {
			send("content_block_start", object{"index": i, "content_block": object{"type": "tool_use", "id": b["id"], "name": b["name"],
				"input": object{}}})
			for _, part := range pieces(b["input"]) {
				send("content_block_delta", object{"index": i, "delta": object{"type": "input_json_delta", "partial_json": part}})
			}
		}
		send("content_block_stop", object{"index": i})
	}
	send("message_delta", object{"delta": object{"stop_reason": anthropicStop(t), "stop_sequence": nil}, "usage": object{"output_tokens": 5}})
	send("message_stop", object{})
}

// sendAnthropic sends a turn in one piece.
func sendAnthropic(w http.ResponseWriter, model string, t Turn) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.MarshalWrite(w, anthropicMessage(model, t)); err != nil {
		panic(err)
	}
}

func anthropicMessage(model string, t Turn) object {
	return object{
		"id": messageID(), "type": "message", "role": "assistant", "model": model,
		"content": anthropicBlocks(t), "stop_reason": anthropicStop(t), "stop_sequence": nil,
		"usage": object{"input_tokens": 10, "output_tokens": 1},
	}
}

func anthropicBlocks(t Turn) []object {
	blocks := []object{}
	if t.Text != "" {
		blocks = append(blocks, object{"type": "text", "text": t.Text})
	}
	for _, c := range t.Calls {
		blocks = append(blocks, object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": c.Input})
	}
	return blocks
}

func anthropicStop(t Turn) string {
	if len(t.Calls) > 0 {
		return "tool_use"
	}
	return "end_turn"
}

var messages atomic.Int64

// messageID is another one each time: the host takes two messages with the same
// id for one.
func messageID() string { return fmt.Sprintf("msg_scripted_%d", messages.Add(1)) }

// pieces cuts the JSON of v into parts that are valid UTF-8 each.
func pieces(v any) []string {
	raw, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	var parts []string
	part := make([]rune, 0, chunk)
	for _, r := range string(raw) {
		if part = append(part, r); len(part) == chunk {
			parts, part = append(parts, string(part)), part[:0]
		}
	}
	return append(parts, string(part))
}
