package config

import (
	"encoding/json"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/plan"
)

// ExceptionDecl says where a hook's objections do not count, and until when.
type ExceptionDecl struct {
	Hook    HookRef         `json:"hook" jsonschema:"The id of a hook of this layer or a lower one, or of a preset."`
	Match   *MatchDecl      `json:"match" jsonschema:"The calls that it covers. Everything that a call does has to be covered: if one effect is not, or is unknown, the hook's answer counts."`
	Command OneOrMore[Text] `json:"command,omitempty" jsonschema:"Only these command lines, run in the project's root, but not what a script in them does. Hosts that they contact have to be named in match.to."`
	// Arguments are JSON, not YAML: suggest prints exactly the arguments of a call.
	Arguments OneOrMore[Text] `json:"arguments,omitempty" jsonschema:"Only calls of an MCP tool, or fetches, with exactly these arguments: a JSON object. match has to name the tool."`
	Until     Until           `json:"until" jsonschema:"The last day, in UTC, or a time with its zone; 90 days ahead at most."`
	Reason    Text            `json:"reason" jsonschema:"Why, for the record."`
}

// Until is a point in time, or a day, which ends at midnight UTC.
type Until time.Time

func (u *Until) parse(text string) bool {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		*u = Until(day.AddDate(0, 0, 1))
		return true
	}
	at, err := time.Parse(time.RFC3339, text)
	*u = Until(at)
	return err == nil
}
func (*Until) wants() string {
	return "a day such as 2026-12-31, or a time such as 2026-12-31T12:00:00Z"
}
func (*Until) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: `^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt][0-9:.]+([Zz]|[+-][0-9]{2}:[0-9]{2}))?$`,
		Examples: []any{"2026-12-31"}}
}

// The codes of notes about exceptions.
const (
	CodeNotExcepted layers.Code = "not_excepted" // it names a hook that cannot have exceptions
	CodeExpired     layers.Code = "expired"      // it has ended
)

// exceptions reads the exceptions in the machine's and the user's files, and
// finds their hooks.
func (c *compiler) exceptions() {
	c.excepted = map[*declared][]plan.Exception{}
	refs := c.refs()
	now := time.Now()
	for _, u := range c.units {
		if u.file.Layer == layers.Project && u.has(&u.Exceptions) {
			u.source.fail(u.at(&u.Exceptions), "exceptions in your own trammel.yaml, or in the machine's",
				"a project cannot make exceptions, because the agent can edit its files")
			continue
		}
		for i := range u.Exceptions {
			if x, ok := c.exception(u, &u.Exceptions[i], now); ok {
				c.except(u, string(u.Exceptions[i].Hook), x, refs)
			}
		}
	}
}

func (c *compiler) exception(u *unit, decl *ExceptionDecl, now time.Time) (x plan.Exception, ok bool) {
	before := u.errs.total
	if u.broken[decl] || decl.Match == nil {
		return x, false
	}
	d := &declared{unit: u, decl: &HookDecl{Match: decl.Match}, form: &form{}}
	c.match(d)
	m := d.hook.Match
	m.Like, m.Doubt = nil, false // only the named tools, and nothing unknown
	if len(m.Tools)+len(m.Hosts)+len(m.Agents)+len(m.Projects)+len(m.Actions)+len(m.Programs)+len(m.Paths)+len(m.To) == 0 {
		u.source.fail(u.at(decl.Match), "at least one key, such as project", "the exception would apply to every call")
	}
	if u.has(&decl.Command) && len(decl.Command) == 0 {
		u.source.fail(u.at(&decl.Command), "at least one command line", "the exception would apply to every command")
	}
	if len(decl.Command) > 0 && len(m.Actions)+len(m.Programs)+len(m.Paths) > 0 {
		u.source.fail(u.at(decl.Match), "only project, host, agent, tool and to together with command",
			"a command line already says what it does")
	}
	x = plan.Exception{Match: m, Commands: texts(decl.Command), Arguments: c.arguments(u, decl, &m), Until: time.Time(decl.Until),
		Reason: string(decl.Reason),
		Source: trammel.Source{Layer: u.file.Layer.String(), File: u.file.Path, Line: u.at(decl).Line}}
	if left := x.Until.Sub(now); left > trammel.MaxException {
		u.source.fail(u.at(&decl.Until), "at most 90 days from now: "+now.Add(trammel.MaxException).UTC().AddDate(0, 0, -1).Format(time.DateOnly),
			"the exception would last %d days", int(left.Hours()/24))
	} else if left <= 0 {
		c.note(CodeExpired, u.file.Path, x.Source.Line, "the exception for %q ended on %s and has no effect", decl.Hook,
			x.Until.UTC().Format(time.RFC3339))
	}
	return x, u.errs.total == before
}

// arguments reads the arguments of the calls that the exception is for.
func (c *compiler) arguments(u *unit, decl *ExceptionDecl, m *plan.Match) (out []string) {
	if !u.has(&decl.Arguments) {
		return nil
	}
	if len(decl.Arguments) == 0 {
		u.source.fail(u.at(&decl.Arguments), "at least one set of arguments", "the exception would apply to every call")
	}
	if len(m.Tools) == 0 || len(decl.Command)+len(m.Actions)+len(m.Programs)+len(m.Paths)+len(m.To) > 0 {
		u.source.fail(u.at(decl.Match), "only tool, project, host and agent together with arguments, and always a tool",
			"arguments only make sense together with their tool")
	}
	for i := range decl.Arguments {
		var args map[string]any
		err := json.Unmarshal([]byte(decl.Arguments[i]), &args)
		text, _ := canonical.Append(nil, args)
		if err != nil || args == nil {
			u.source.fail(u.at(&decl.Arguments[i]), `an object in JSON, such as '{"repo":"site"}'`, "this is not a set of arguments")
		}
		out = append(out, string(text))
	}
	return out
}

// except adds an exception to the hooks that it is for, if its file may do that.
func (c *compiler) except(u *unit, ref string, x plan.Exception, refs map[string][]*declared) {
	named := refs[ref]
	for _, d := range named {
		switch {
		case d.file.Layer < u.file.Layer:
			c.note(CodeNotExcepted, u.file.Path, x.Source.Line, "the exception has no effect on %q: a %s file cannot make an exception for what "+
				"the %s declares (%s)", ref, u.file.Layer, d.file.Layer, d.hook.Source)
		case d.decl.Use == "self-protection" || d.decl.Approve != nil:
			c.note(CodeNotExcepted, u.file.Path, x.Source.Line, "the exception has no effect on %q: self-protection and "+
				"approvals have no exceptions (%s)", ref, d.hook.Source)
		default:
			c.excepted[d] = append(c.excepted[d], x)
		}
	}
	if len(named) == 0 {
		c.note(CodeNoSuchHook, u.file.Path, x.Source.Line, "there is an exception for %q, but no file declares it", ref)
	}
}
