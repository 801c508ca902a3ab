package proxy

import (
	"strings"

	"github.com/trammel-dev/trammel/internal/strict"
)

// failure is an error of JSON-RPC as a response. id is JSON.
func failure(id string, code int, message string) []byte {
	return response(id, "error", map[string]any{"code": int64(code), "message": message})
}

// response is our own response. id is JSON.
func response(id, key string, value map[string]any) []byte {
	var w strict.Writer
	w.Open()
	w.Text("jsonrpc", "2.0")
	w.Key("id")
	w.Raw([]byte(id))
	w.Any(key, value)
	w.Close()
	return w.Bytes()
}

// message is our own request or notification. id is JSON, "" for none.
func message(id, method string, params map[string]any) []byte {
	var w strict.Writer
	w.Open()
	w.Text("jsonrpc", "2.0")
	if id != "" {
		w.Key("id")
		w.Raw([]byte(id))
	}
	w.Text("method", method)
	w.Any("params", params)
	w.Close()
	return w.Bytes()
}

// Cancelled is the message that cancels a request. id is JSON.
func Cancelled(id string) []byte {
	return []byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
}

// denied is a result that says that a tool was not called, or why its result is
// withheld (MCP-33). The model reads it.
func denied(reason string, modern bool) map[string]any {
	if strings.TrimSpace(reason) == "" {
		reason = "Trammel has denied this."
	}
	out := map[string]any{"content": []any{text(reason)}, "isError": true}
	if modern {
		out["resultType"] = "complete"
	}
	return out
}

func text(s string) map[string]any { return map[string]any{"type": "text", "text": s} }

// deny is the response to a denied request: a result for a tool, an error for
// others.
func (e *exchange) deny(reason string) []byte {
	if e.method == "tools/call" {
		return response(e.id, "result", denied(reason, e.modern))
	}
	return failure(e.id, deniedCode, reason)
}

// deniedCode is the code of requests that are denied, as that of sampling.
const deniedCode = -1
