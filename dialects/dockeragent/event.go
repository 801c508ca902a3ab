package dockeragent

import (
	"cmp"
	"maps"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Dialect is docker-agent's dialect, for the host and for hook programs. The
// host leaves out what is empty, also the arguments of a tool that has none.
var Dialect = dialect{Reader: decode.Reader{Host: &Host, Foreign: true, Read: read,
	Known: []string{"session_id", "cwd", "hook_event_name", "agent_name", "model_id", "iteration", "last_user_message", "tool_name",
		"tool_use_id", "tool_input", "tool_response", "tool_error", "tool_category", "safety_policy", "messages", "source", "reason",
		"stop_response", "prompt", "parent_session_id", "notification_level", "notification_message", "from_agent", "to_agent",
		"agent_switch_kind", "approval_decision", "approval_source", "safety_label", "input_tokens", "output_tokens", "context_limit",
		"compaction_reason", "summary", "usage", "cost", "steering_messages", "from_agent_models"}}}

type dialect struct {
	decode.Reader
	strict bool // nothing in an answer of the hook may be ignored
}

func readSession(f *strict.Fields, s *trammel.Session) {
	s.ID, s.Dir = f.String("session_id"), f.String("cwd")
	s.Agent, s.Model, s.Mode = f.String("agent_name"), f.String("model_id"), f.String("safety_policy")
	s.Bypass = s.Mode == "autonomous"
	if parent := f.String("parent_session_id"); parent != "" {
		s.Parents = []string{parent}
	}
}

func read(r *decode.Reader, f *strict.Fields, ev *trammel.Event) {
	readSession(f, &ev.Session)
	switch ev.Kind {
	case trammel.PreToolUse, trammel.ToolInputTransform, trammel.ToolGuard, trammel.PermissionRequest, trammel.PostToolUse,
		trammel.ToolResponseTransform:
		readTool(r, f, ev)
	case trammel.ToolApprovalDecision:
		readTool(r, f, ev)
		ev.Approval = &trammel.Approval{Decision: f.String("approval_decision"), Source: f.String("approval_source"),
			Label: f.String("safety_label")}
	case trammel.UserPromptSubmit, trammel.UserFollowupSubmit:
		ev.Prompt = &trammel.Prompt{Text: f.String("prompt")}
	case trammel.UserSteeringSubmit: // what was typed meanwhile, message by message
		ev.Prompt = &trammel.Prompt{Text: cmp.Or(f.String("prompt"), strings.Join(f.Strings("steering_messages"), "\n"))}
	case trammel.BeforeLLMCall:
		ev.Model = &trammel.ModelCall{Messages: f.List("messages"), Iteration: int(f.Int("iteration"))}
	case trammel.AfterLLMCall:
		ev.Model = &trammel.ModelCall{LastPrompt: f.String("last_user_message"), Response: f.String("stop_response"), Cost: f.Float("cost")}
		readUsage(f, &ev.Model.Usage)
	case trammel.Stop, trammel.SubagentStop:
		ev.Stop = &trammel.StopInfo{Message: f.String("stop_response")}
	case trammel.PreCompact, trammel.BeforeCompaction, trammel.PostCompact:
		ev.Compaction = &trammel.Compaction{Reason: f.String("compaction_reason"), InputTokens: f.Int("input_tokens"),
			OutputTokens: f.Int("output_tokens"),
			ContextLimit: f.Int("context_limit"), Summary: f.String("summary")}
	case trammel.Notification, trammel.ErrorOccurred, trammel.MaxIterations:
		ev.Notice = &trammel.NoticeInfo{Level: f.String("notification_level"), Message: f.String("notification_message")}
	case trammel.AgentSwitch:
		ev.Switch = &trammel.Switch{Kind: f.String("agent_switch_kind"), From: f.String("from_agent"), To: f.String("to_agent"),
			Models: readModels(f)}
	}
	ev.Source, ev.Reason = f.String("source"), f.String("reason")
}

// readModels reads the models of the previous agent.
func readModels(f *strict.Fields) (models []trammel.ServedModel) {
	for _, m := range f.List("from_agent_models") {
		obj, _ := m.(map[string]any)
		in := strict.FieldsOf(maps.Clone(obj), "from_agent_models")
		models = append(models, trammel.ServedModel{Provider: in.String("provider"), Name: in.String("model"), URL: in.String("base_url"),
			Unload: in.String("unload_api")})
		f.Fail(in.Err())
	}
	return models
}

func readUsage(f *strict.Fields, u *trammel.Usage) {
	obj := f.Object("usage")
	if obj == nil {
		return
	}
	in := strict.FieldsOf(obj, "usage")
	u.Input, u.Output = in.Int("input_tokens"), in.Int("output_tokens")
	u.CachedInput, u.CachedWrite = in.Int("cached_input_tokens"), in.Int("cached_write_tokens")
	f.Fail(in.Err())
}

func readTool(r *decode.Reader, f *strict.Fields, ev *trammel.Event) {
	t := &trammel.ToolCall{ID: f.String("tool_use_id"), Name: f.String("tool_name"), Input: f.Object("tool_input"),
		Category: f.String("tool_category")}
	if t.Input == nil {
		t.Input = map[string]any{}
	}
	r.Tool(f, ev, t, "tool_name", "tool_input")
	if ev.Kind == trammel.PostToolUse || ev.Kind == trammel.ToolResponseTransform {
		t.Done, t.Failed = true, f.Bool("tool_error")
		t.Response = f.Any("tool_response")
		t.Output = decode.Text(t.Response)
		if t.Failed {
			t.Error = t.Output
		}
	}
}
