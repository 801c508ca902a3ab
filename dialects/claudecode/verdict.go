package claudecode

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeVerdict says a verdict in the form that Claude Code honours on this
// event. Nothing to say is an empty stdout and exit code 0.
func (d Dialect) EncodeVerdict(ev *trammel.Event, v *trammel.Verdict) trammel.Reply {
	// A verdict that comes here undegraded must not leave in a form that the
	// host ignores; one that is degraded already is not changed.
	dialects.Degrade(ev, v, dialects.PowersFor(d, ev, v))
	r := say(ev, v)
	if err := r.w.Err(); err != nil {
		// A rewrite without a JSON form cannot be carried out, so the call must not run.
		return say(ev, &trammel.Verdict{Answer: trammel.Denial("Trammel's verdict cannot be written as JSON: " + err.Error())}).reply()
	}
	return r.reply()
}

// reply is what is being said.
type reply struct {
	w      strict.Writer
	stderr string
	exit   int
}

func (r *reply) reply() trammel.Reply {
	out := trammel.Reply{Exit: r.exit}
	if text := r.w.Bytes(); len(text) > len("{}") {
		out.Stdout = append(text, '\n')
	}
	if r.stderr != "" {
		out.Stderr = []byte(r.stderr + "\n")
	}
	return out
}

func say(ev *trammel.Event, v *trammel.Verdict) *reply {
	r := &reply{}
	denied := v.Decision == trammel.Deny
	notice := v.Notice
	if notice != "" && noSystemMessage(ev.Kind) {
		r.stderr, notice = notice, "" // the host's debug log is all that is left
	}
	w := &r.w
	w.Open()
	switch form(ev.Kind) {
	case blockForm:
		if denied {
			w.Text("decision", "block")
			w.Text("reason", v.Reason)
		}
	case exitForm:
		if denied {
			r.exit, r.stderr = 2, v.Reason
		}
	}
	w.Text("systemMessage", notice)
	specific(w, ev, v)
	w.Close()
	return r
}

// The forms in which the host takes a denial.
const (
	specificForm = iota // inside hookSpecificOutput
	blockForm           // {"decision":"block","reason":…}
	exitForm            // exit code 2, the reason on stderr
)

func form(kind trammel.Kind) int {
	switch kind {
	case trammel.PreToolUse, trammel.PermissionRequest, trammel.PreModelSwitch:
		return specificForm
	case trammel.TaskCreated, trammel.TaskCompleted, trammel.TeammateIdle, trammel.WorktreeCreate,
		trammel.Elicitation, trammel.ElicitationResult, trammel.Other:
		return exitForm
	}
	return blockForm
}

// specific writes hookSpecificOutput, if there is anything to put into it. Its
// hookEventName has to be exact: with a wrong one the host ignores it all.
func specific(w *strict.Writer, ev *trammel.Event, v *trammel.Verdict) {
	var in strict.Writer
	in.Open()
	in.Text("hookEventName", nameOf(ev.Kind))
	empty := len(in.Bytes())
	switch ev.Kind {
	case trammel.PreToolUse, trammel.PreModelSwitch:
		permission(&in, v)
		if v.Input != nil && v.Decision != trammel.Deny {
			in.Map("updatedInput", finalInput(ev, v))
		}
	case trammel.PermissionRequest:
		permissionRequest(&in, ev, v)
	case trammel.PostToolUse:
		if v.Output != nil {
			in.Key("updatedToolOutput")
			in.Value(reshape(ev.Tool, *v.Output))
		}
	}
	in.Text("additionalContext", strings.Join(v.Context, "\n\n"))
	if len(in.Bytes()) == empty {
		return
	}
	in.Close()
	w.Key("hookSpecificOutput")
	w.Raw(in.Bytes())
	w.Fail(in.Err())
}

// permission writes a decision. An allow that is not a grant stays unsaid: the
// host would take it for its user's consent.
func permission(w *strict.Writer, v *trammel.Verdict) {
	word := ""
	switch {
	case v.Decision == trammel.Deny:
		word = "deny"
	case v.Decision == trammel.Ask:
		word = "ask"
	case v.Granted:
		word = "allow"
	}
	if word != "" {
		w.Text("permissionDecision", word)
		w.Text("permissionDecisionReason", v.Reason)
	}
}

func permissionRequest(w *strict.Writer, ev *trammel.Event, v *trammel.Verdict) {
	switch {
	case v.Decision == trammel.Deny:
		w.Key("decision")
		w.Open()
		w.Text("behavior", "deny")
		w.Text("message", v.Reason)
		w.Close()
	case v.Granted:
		w.Key("decision")
		w.Open()
		w.Text("behavior", "allow")
		if v.Input != nil {
			w.Map("updatedInput", finalInput(ev, v))
		}
		w.Close()
	}
}

// finalInput is all arguments as the hooks left them, because the host takes
// what it is given for the whole.
func finalInput(ev *trammel.Event, v *trammel.Verdict) map[string]any {
	if ev.Tool == nil {
		return v.Input
	}
	return v.Apply(ev.Tool.Input)
}
