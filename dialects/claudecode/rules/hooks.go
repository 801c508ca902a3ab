package rules

import (
	"regexp"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/claudecode"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/document"
	"github.com/trammel-dev/trammel/internal/lazy"
)

// names are matchers that list tools; all others are regular expressions, which
// may match any part of a name.
var names = lazy.Regexp(`^[A-Za-z0-9_ ,|-]+$`)

// hooks reads {Event: [{matcher, hooks: [{type, command, …}]}]}.
func hooks(n *document.Node) ([]importers.Rule, error) {
	if err := n.Want("hooks", document.Map); err != nil {
		return nil, err
	}
	var out []importers.Rule
	for _, event := range n.Entries() {
		if err := event.Value.Want("hooks."+event.Key, document.List); err != nil {
			return nil, err
		}
		for _, group := range event.Value.Many() {
			if group.Kind != document.Map {
				return nil, document.Wrong(group.Line, "found %s, expected a matcher and hooks", group.Kind)
			}
			for _, h := range group.Get("hooks").Many() {
				out = append(out, hook(event.Key, group.Get("matcher").String(), h))
			}
		}
	}
	return out, nil
}

func hook(event, matcher string, h *document.Node) importers.Rule {
	kind, command := h.Get("type").String(), h.Get("command").String()
	r := importers.Rule{Line: h.Line, Text: strings.TrimSpace(event + " " + matcher + " " + command + h.Get("url").String())}
	p := &importers.Program{Event: event, Dialect: claudecode.Host.System, OnError: "warn"}
	_, known := trammel.ParseKind(event)
	switch {
	case !known:
		return r.Ignore("there is no such event")
	case kind == "command" && (strings.Contains(command, "trammel-hook") || strings.Contains(command, "trammel hook")):
		r.Own = true
		return r
	case kind == "command" && command != "":
	case kind == "http" && h.Get("url").String() != "":
		p.URL = h.Get("url").String()
	case kind == "command" || kind == "http":
		return r.Ignore("it does not say what it runs")
	default:
		return r.Refuse("a hook of the type " + importers.Quote(kind) + " needs the agent itself")
	}
	args, err := h.Get("args").Texts()
	if err != nil {
		return r.Ignore("its arguments are not a list of texts")
	}
	switch {
	case h.Get("shell").String() == "powershell":
		p.Exec = []string{"pwsh", "-NoProfile", "-Command", command}
	case h.Get("args") != nil:
		p.Exec = append([]string{command}, args...)
	default:
		p.Run = command
	}
	if seconds := h.Get("timeout"); seconds.Is(document.Number) {
		p.Seconds = seconds.Text + "s"
	}
	if h.Get("onFailure").String() == "block" {
		p.OnError = "block"
	}
	if h.Get("async").True() || h.Get("asyncRewake").True() {
		p.May = "observe"
	}
	r.Program = p
	switch why := match(p, event, matcher); why {
	case "":
	case nothing:
		return r.Ignore(why)
	default:
		return r.Refuse(why)
	}
	if rule := h.Get("if").String(); rule != "" {
		r.Outcome, r.Why = importers.Wider, "it also runs for calls that its condition leaves out: if "+rule
	}
	return r
}

const nothing = "the matcher matches no tool: a server alone is not a tool"

// match says which tools, or what set the event off.
func match(p *importers.Program, event, matcher string) (why string) {
	kind, _ := trammel.ParseKind(event)
	about := kind == trammel.PreToolUse || kind == trammel.PostToolUse || kind == trammel.PermissionRequest ||
		strings.Contains(kind.String(), "tool")
	switch {
	case matcher == "" || matcher == "*":
		return ""
	case !about:
		return "a matcher of " + event + " cannot be imported"
	case names().MatchString(matcher):
		var tools []string
		for name := range strings.FieldsFuncSeq(matcher, func(r rune) bool { return r == '|' || r == ',' }) {
			name = strings.TrimSpace(name)
			if rest, ok := strings.CutPrefix(name, "mcp__"); !ok || strings.Contains(rest, "__") { // a server alone is no tool
				tools = append(tools, importers.Quote(name))
			}
		}
		if len(tools) == 0 {
			return nothing
		}
		p.Match = []string{"tool: [" + strings.Join(tools, ", ") + "]"}
		return ""
	}
	if _, err := regexp.Compile(matcher); err != nil {
		return "the matcher is not a valid regular expression: " + err.Error()
	}
	p.Match = []string{"tool: " + importers.Quote("/.*(?:"+matcher+").*/")}
	return ""
}
