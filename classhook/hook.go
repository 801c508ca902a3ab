package classhook

import (
	"context"
	"fmt"

	"github.com/trammel-dev/trammel"
)

// Point is where in the agent's loop a hook runs (FIM-01).
type Point uint8

const (
	// SessionStart is before the first call of the model. It adds context and
	// cannot block.
	SessionStart Point = iota + 1
	// PreToolUse is after the model chose a tool and before the tool runs. It
	// can block, and rewrite the arguments.
	PreToolUse
	// PostToolUse is after the tool ran, successfully or not, and before the
	// model sees what it returned. It can rewrite that, and not block.
	PostToolUse
)

var pointNames = [...]string{"", "session_start", "pre_tool_use", "post_tool_use"}

func (p Point) String() string {
	if int(p) < len(pointNames) && p > 0 {
		return pointNames[p]
	}
	return fmt.Sprintf("point(%d)", uint8(p))
}

// Context is what a hook gets to see (FIM-11). ToolArgs and ToolResult are as
// the hooks before it have left them; they must not be changed in place.
type Context struct {
	Point          Point
	ToolName       string
	ToolArgs       map[string]any
	ToolResult     string // PostToolUse
	Failed         bool   // PostToolUse: the tool did not succeed
	AgentID        string
	UserID         string
	ConversationID string
	// Metadata has org_id, conversation_id, tool_call_id and
	// requires_confirmation, and whatever fields the host sent beside.
	Metadata map[string]any
	// Event is the whole event.
	Event *trammel.Event
}

// Result is what a hook says. The zero value lets the call through unchanged
// (FIM-14).
type Result struct {
	// Block stops the call. Only PreToolUse can; elsewhere it is ignored (FIM-13).
	Block bool
	// Error tells the model why it was blocked.
	Error string
	// Args are new values of arguments; arguments that it does not name stay.
	Args map[string]any
	// Result replaces what the model sees of the tool's output. Nil leaves it;
	// what is not text becomes JSON.
	Result any
	// Context is added to the conversation, where the point can do that.
	Context []string
	// SideEffects say what the hook did, for the trace.
	SideEffects []string
}

// Hook is one hook. Embed Pre, Post or Start to write only what differs.
//
// Execute runs when ShouldTrigger says so. An error or a panic of either is a
// failure: before a tool it blocks the call, because a guard that cannot
// answer must not let it through (FIM-09); elsewhere it is recorded and the
// chain goes on.
type Hook interface {
	Name() string
	Point() Point
	// Priority orders the chain: lower runs earlier.
	Priority() int
	// Filter is a glob over tool names; "" is every tool. Session hooks have none.
	Filter() string
	ShouldTrigger(*Context) bool
	Execute(context.Context, *Context) (Result, error)
}

// DefaultPriority is that of a hook that does not say.
const DefaultPriority = 50

type base struct{}

func (base) Priority() int               { return DefaultPriority }
func (base) Filter() string              { return "" }
func (base) ShouldTrigger(*Context) bool { return true }

// Pre is embedded by hooks that run before a tool.
type Pre struct{ base }

// Point is PreToolUse.
func (Pre) Point() Point { return PreToolUse }

// Post is embedded by hooks that run after a tool.
type Post struct{ base }

// Point is PostToolUse.
func (Post) Point() Point { return PostToolUse }

// Start is embedded by hooks that run when a session starts.
type Start struct{ base }

// Point is SessionStart.
func (Start) Point() Point { return SessionStart }
