package dockeragent

import "github.com/trammel-dev/trammel"

// FailsClosed reports whether a hook of this system that fails denies the
// event, whatever its on_error says: before a tool runs (DA-40).
func (*dialect) FailsClosed(kind trammel.Kind) bool {
	return kind == trammel.PreToolUse || kind == trammel.ToolGuard || kind == trammel.ToolInputTransform
}
