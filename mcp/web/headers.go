package web

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/mcp/frame"
)

// The headers of MCP.
const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
	methodHeader  = "Mcp-Method"
	nameHeader    = "Mcp-Name"
	paramHeader   = "Mcp-Param-"
	lastHeader    = "Last-Event-Id"
)

// modern is the first revision whose headers repeat fields of the body;
// headerMismatch is its error for headers that differ.
const (
	modern         = "2026-07-28"
	headerMismatch = -32020
)

// versionOf is the revision that a message is written in; "" if it does not say.
func versionOf(m *frame.Message) string {
	meta, _ := m.Params["_meta"].(map[string]any)
	version, _ := meta["io.modelcontextprotocol/protocolVersion"].(string)
	return version
}

// nameOf is what a request is about, and whether its headers name it.
func nameOf(m *frame.Message) (name string, named bool) {
	switch m.Method {
	case "tools/call", "prompts/get":
		name, named = m.Params["name"].(string)
	case "resources/read":
		name, named = m.Params["uri"].(string)
	}
	return name, named
}

// mismatch says which header differs from the body: a reader of the headers
// would see another message than the one that was judged. Missing headers are
// for the server to refuse. tool is the description of the called tool.
func mismatch(h http.Header, m *frame.Message, tool map[string]any) string {
	if got := h.Get(methodHeader); got != "" && m.Method == "" {
		return fmt.Sprintf("The header %s is %q, and the message has no method.", methodHeader, got)
	}
	name, _ := nameOf(m)
	want := map[string]string{versionHeader: versionOf(m), methodHeader: m.Method, nameHeader: name}
	for header, value := range paramsOf(m, tool) {
		want[header] = value
	}
	for header, value := range want {
		for _, got := range h.Values(header) {
			if value != "" && decoded(got) != value {
				return fmt.Sprintf("The header %s is %q, and the message says %q.", header, decoded(got), value)
			}
		}
	}
	return ""
}

// wrongHeaders says why we, as the server, must refuse a request: its headers
// differ from the body, or something is missing.
func wrongHeaders(h http.Header, m *frame.Message) (code int, why string) {
	switch _, named := nameOf(m); {
	case h.Get(versionHeader) < modern || m.Method == "":
		return 0, ""
	case versionOf(m) == "":
		return frame.InvalidParams, "the message has no version in _meta"
	case h.Get(methodHeader) == "" || named && h.Get(nameHeader) == "":
		return headerMismatch, "a header is missing: " + methodHeader + " or " + nameHeader
	}
	return headerMismatch, mismatch(h, m, nil)
}

// statusOf is the status of a response that is one message: modern revisions
// have special ones for some errors.
func statusOf(response []byte, version string) int {
	m, err := frame.Parse(response)
	if err != nil || version < modern || m.Error == nil {
		return http.StatusOK
	}
	switch m.Error["code"] {
	case int64(frame.MethodNotFound):
		return http.StatusNotFound
	case int64(frame.InvalidParams), int64(headerMismatch), int64(headerMismatch - 1), int64(headerMismatch - 2): // capabilities, version
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// repeat sets the headers that repeat fields of a message.
func repeat(h http.Header, m *frame.Message, tool map[string]any) {
	h.Set(methodHeader, m.Method)
	if name, named := nameOf(m); named {
		h.Set(nameHeader, encoded(name))
	}
	for header, value := range paramsOf(m, tool) {
		if value == "" {
			h.Del(header)
		} else {
			h.Set(header, encoded(value))
		}
	}
}

// paramsOf are the headers that repeat arguments, as a tool's schema says, with
// their values; "" for an argument that is not there.
func paramsOf(m *frame.Message, tool map[string]any) map[string]string {
	if m.Method != "tools/call" || tool == nil {
		return nil
	}
	schema, _ := tool["inputSchema"].(map[string]any)
	out := map[string]string{}
	collectParams(out, schema, m.Params["arguments"])
	return out
}

func collectParams(out map[string]string, schema map[string]any, value any) {
	properties, _ := schema["properties"].(map[string]any)
	values, _ := value.(map[string]any)
	for name, p := range properties {
		property, _ := p.(map[string]any)
		if header, ok := property["x-mcp-header"].(string); ok && header != "" {
			out[http.CanonicalHeaderKey(paramHeader+header)] = spelled(values[name])
		}
		collectParams(out, property, values[name])
	}
}

// spelled is a value in a header; "" for a value that cannot be in one.
func spelled(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	}
	return ""
}

const encodedFrom, encodedTo = "=?base64?", "?="

// encoded is a value as written in a header: in base64 if it could be misread
// or cut.
func encoded(value string) string {
	plain := strings.TrimSpace(value) == value && !strings.HasPrefix(value, encodedFrom)
	for i := 0; i < len(value) && plain; i++ {
		plain = value[i] >= ' ' && value[i] <= '~'
	}
	if plain {
		return value
	}
	return encodedFrom + base64.StdEncoding.EncodeToString([]byte(value)) + encodedTo
}

func decoded(value string) string {
	inner, ok := strings.CutPrefix(value, encodedFrom)
	inner, closed := strings.CutSuffix(inner, encodedTo)
	if raw, err := base64.StdEncoding.DecodeString(inner); ok && closed && err == nil {
		return string(raw)
	}
	return value
}

// dropped are headers that concern one connection, or that we do not pass on:
// Origin is checked here, compression would delay events, and a browser's
// cookies are private.
var dropped = []string{"Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade", "Host", "Origin", "Cookie", "Set-Cookie", "Accept-Encoding", "Content-Encoding", "Content-Length",
	"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Original-Url", "X-Rewrite-Url", "X-Http-Method",
	"X-Http-Method-Override", "X-Method-Override"}

// single are headers that may occur only once: of two, we would read one, and
// the server perhaps the other. MCP's own headers are single, too.
var single = []string{"Authorization", lastHeader}

// doubled is a header that a request has more than once, "" if it has none.
func doubled(h http.Header) string {
	for name, values := range h {
		if len(values) > 1 && (strings.HasPrefix(name, "Mcp-") || slices.Contains(single, name)) {
			return name
		}
	}
	return ""
}

// passed are the headers of one side that the other gets. Some servers read an
// underscore in a name as a hyphen: no header may look like one that we read.
func passed(h http.Header) http.Header {
	out := h.Clone()
	for _, named := range h.Values("Connection") {
		for name := range strings.SplitSeq(named, ",") {
			out.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range dropped {
		out.Del(name)
	}
	maps.DeleteFunc(out, func(name string, _ []string) bool { return strings.Contains(name, "_") })
	return out
}

// headersFromEnv are our own headers for the server: credentials do not belong
// in command lines. Each variable that begins with TRAMMEL_MCP_HEADER holds
// one, as "Name: value"; for ${NAME} in it see expanded.
func headersFromEnv(env []string) (http.Header, error) {
	out := http.Header{}
	for _, v := range env {
		variable, header, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(variable, "TRAMMEL_MCP_HEADER") {
			continue
		}
		header, err := expanded(header, env)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", variable, err)
		}
		name, value, ok := strings.Cut(header, ":")
		if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name+value, "\r\n") {
			return nil, fmt.Errorf("%s is not a header; expected Name: value", variable)
		}
		out.Add(name, strings.TrimSpace(value))
	}
	return out, nil
}
