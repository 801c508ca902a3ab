package telemetry

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"os"
	"runtime"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// schemaVersion is that of the records of Flow Agents which these look like.
const schemaVersion = "0.3.0"

type object = map[string]any

// record is an event with all that telemetry knows of, before any channel
// takes from it what it does not show. Paths of files are left out: where the
// session works is in context.cwd and nowhere else.
func record(ev *trammel.Event, runtimeName string) object {
	s := &ev.Session
	runtimeName = cmp.Or(runtimeName, ev.Host)
	at := ev.Time
	if at.IsZero() {
		at = time.Now()
	}
	out := object{
		"schema_version": schemaVersion,
		"timestamp":      strconv.FormatInt(at.UnixMilli(), 10),
		"event_id":       eventID(),
		"event_type":     Canonical(ev.Kind),
		"session_id":     s.ID,
		"agent":          filled(object{"name": s.Agent, "id": s.AgentID, "runtime": runtimeName, "model": s.Model}),
		"hook":           hook(ev),
		"context":        filled(object{"cwd": s.Dir}),
	}
	if ev.Kind == trammel.SessionStart {
		out["context"].(object)["os"] = runtime.GOOS
		out["context"].(object)["pid"] = int64(os.Getpid())
	}
	if p := ev.Prompt; p != nil {
		out["turn"] = object{"prompt_text": p.Text, "prompt_length": int64(utf8.RuneCountInString(p.Text))}
	}
	if t := ev.Tool; t != nil {
		out["tool"] = tool(t)
		if t.Action.Is(trammel.AgentAction) {
			out["delegation"] = object{"targets": []any{filled(object{"agent": t.Action.Agent, "query": query(t.Input)})}}
		}
	}
	if o := ev.Outcome; o != nil && o.Decision != trammel.None {
		codes := make([]string, len(o.Findings))
		for i, f := range o.Findings {
			codes[i] = f.Code
		}
		out["policy"] = object{"decision": o.Decision.String(), "codes": codes}
	}
	return out
}

func hook(ev *trammel.Event) object {
	out := filled(object{"event_name": ev.Name, "runtime_session_id": ev.Session.ID, "turn_id": ev.Session.Turn, "source": ev.Source,
		"stop_reason": ev.Reason})
	if ev.Stop != nil {
		out["stop_hook_active"] = ev.Stop.Active
	}
	if len(ev.Raw) > 0 {
		if raw, err := strict.Object(ev.Raw, strict.Limits{}); err == nil {
			out["raw_input"] = raw
		}
	}
	return out
}

func tool(t *trammel.ToolCall) object {
	out := filled(object{"name": t.Name, "id": t.ID, "action": t.Action.Kind.String(), "connector": t.Action.Server})
	if t.Input != nil {
		out["input"] = t.Input
	}
	if t.Done {
		out["output"] = t.Output
		out["failed"] = t.Failed
		if t.Error != "" {
			out["error"] = t.Error
		}
		if t.Duration > 0 {
			out["duration_ms"] = t.Duration.Milliseconds()
		}
	}
	return out
}

// query is what a sub-agent is asked to do.
func query(input map[string]any) string {
	for _, name := range []string{"prompt", "query", "task", "message", "description"} {
		if text, ok := input[name].(string); ok {
			return text
		}
	}
	return ""
}

// filled drops what is empty.
func filled(m object) object {
	for key, value := range m {
		if value == "" {
			delete(m, key)
		}
	}
	return m
}

func eventID() string {
	var id [16]byte
	rand.Read(id[:])
	return hex.EncodeToString(id[:])
}
