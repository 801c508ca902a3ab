package proxy

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trammel-dev/trammel/mcp/frame"
)

// breaksSchema says why a changed result no longer matches its tool's schema,
// "" if it does.
func (s *Session) breaksSchema(e *exchange, was, now map[string]any) string {
	name, _ := e.params["name"].(string)
	tool := s.toolNamed(name)
	failed, _ := now["isError"].(bool)
	if e.method != "tools/call" || tool["outputSchema"] == nil || failed ||
		frame.KeyOf(was["structuredContent"]) == frame.KeyOf(now["structuredContent"]) {
		return ""
	}
	if err := conforms(tool["outputSchema"], now["structuredContent"]); err != nil {
		return "The tool has run. Its result is withheld: after Trammel's changes it no longer matches the schema that the tool " +
			"declares."
	}
	return ""
}

// conforms checks a value against a schema that a server has declared. Nothing
// conforms to a schema that cannot be used.
func conforms(schema, value any) error {
	data, err := json.Marshal(schema)
	if err != nil {
		return err
	}
	var read jsonschema.Schema
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	resolved, err := read.Resolve(nil)
	if err != nil {
		return err
	}
	return resolved.Validate(value)
}
