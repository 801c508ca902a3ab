package claudecode

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Dialect is Claude Code's dialect, for the host and for hook programs.
var Dialect = dialect{decode.Reader{Host: &Host, Known: []string{"prompt_id"}, Bypass: []string{"bypassPermissions", "dontAsk", "auto"},
	Read: readOwn}}

type dialect struct{ decode.Reader }

// readOwn reads what only Claude Code has.
func readOwn(_ *decode.Reader, f *strict.Fields, ev *trammel.Event) {
	ev.Session.Turn = f.String("prompt_id")
	switch ev.Kind {
	case trammel.PostToolUse, trammel.PostToolFailure:
		ev.Tool.Output = outputText(ev.Tool.Response)
	case trammel.ConfigChange, trammel.DirectoryAdded:
		ev.Source = f.String("source")
	case trammel.Setup:
		ev.Source = f.String("trigger")
	case trammel.StopFailure:
		ev.Stop = &trammel.StopInfo{Message: f.String("last_assistant_message")}
		ev.Notice = &trammel.NoticeInfo{Level: "error", Kind: f.String("error"), Message: f.String("error_details")}
	case trammel.PreModelSwitch, trammel.PostModelSwitch:
		ev.Source = f.String("source")
		ev.Switch = &trammel.Switch{Kind: "model", From: f.String("from_model"), To: f.String("to_model")}
	case trammel.Elicitation:
		ev.Notice = &trammel.NoticeInfo{Kind: f.String("mode"), Title: f.String("mcp_server_name"), Message: f.String("message")}
	case trammel.TaskCreated, trammel.TaskCompleted:
		ev.Task = &trammel.TaskInfo{ID: f.String("task_id"), Subject: f.String("task_subject"), Description: f.String("task_description")}
	}
}
