package config

import (
	"slices"
	"strconv"
	"strings"
)

// File is a configuration file. Field names are in the json tags, descriptions
// for the schema in the jsonschema tags.
type File struct {
	Version         Version         `json:"version,omitempty" jsonschema:"The version of the format: 1."`
	Requires        Requires        `json:"requires,omitempty" jsonschema:"Which versions of Trammel the file needs, such as \">=0.4, <1\". With another version, calls that can be blocked are blocked."`
	Extends         []ExtendDecl    `json:"extends,omitempty" jsonschema:"Bundles of hooks that apply as if they were written here. trammel.lock records their exact content."`
	Trust           *TrustDecl      `json:"trust,omitempty" jsonschema:"Whose signature on a project's files counts as a person's trust."`
	Preset          Preset          `json:"preset,omitempty" jsonschema:"A set of hooks to start from. A hook of this file with the same id replaces the preset's."`
	Profile         Profile         `json:"profile,omitempty" jsonschema:"How many of the hooks run. The strictest profile that any layer sets is in effect; a layer can lower it only for itself and the layers below."`
	Disabled        []HookRef       `json:"disabled,omitempty" jsonschema:"Ids of hooks of this layer or a lower one that are switched off."`
	Exceptions      []ExceptionDecl `json:"exceptions,omitempty" jsonschema:"Calls for which a hook's denial or question does not count, until a date. Only the machine's and the user's file can set this."`
	Defaults        *Defaults       `json:"defaults,omitempty" jsonschema:"Defaults for hooks of this file that do not set these keys."`
	Deadline        Duration        `json:"deadline,omitempty" jsonschema:"How long all hooks of one event may take together."`
	Limits          *Limits         `json:"limits,omitempty" jsonschema:"Limits on what is judged."`
	Evidence        *Evidence       `json:"evidence,omitempty" jsonschema:"What is recorded, and how."`
	Approvals       *ApprovalsDecl  `json:"approvals,omitempty" jsonschema:"Who decides when people have to, and how they are reached. Only the machine's and the user's file can set this."`
	Flow            *Flow           `json:"flow,omitempty" jsonschema:"Settings for calls that follow the Flow Agents contract."`
	MCP             *MCPDecl        `json:"mcp,omitempty" jsonschema:"How trammel mcp proxy treats MCP servers."`
	RepositoryHooks bool            `json:"repository_hooks,omitempty" jsonschema:"Whether the hooks below .system/hooks run. The default is true; the highest layer that sets it decides."`
	Hooks           []HookDecl      `json:"hooks,omitempty" jsonschema:"The hooks, in order."`
}

// Defaults apply to the hooks of one file.
type Defaults struct {
	Timeout  Duration `json:"timeout,omitempty" jsonschema:"How long one run of a hook may take."`
	OnError  OnError  `json:"on_error,omitempty" jsonschema:"What a failure of a hook means for the event."`
	Priority int      `json:"priority,omitempty" jsonschema:"Lower runs first."`
}

// Limits limit what is judged.
type Limits struct {
	Payload Size `json:"payload,omitempty" jsonschema:"The largest payload of a host that is judged; larger ones are denied where that is possible."`
}

// Evidence says what is recorded. Of each setting the highest layer that has
// it wins.
type Evidence struct {
	Payload Choice `json:"payload,omitempty" enum:"none,redacted,full" jsonschema:"How much of the payload is recorded."`
	Fsync   Choice `json:"fsync,omitempty" enum:"never,always" jsonschema:"Whether each record is forced to disk."`
	Segment Size   `json:"segment,omitempty" jsonschema:"The size after which a new segment is started."`
	OnError Choice `json:"on_error,omitempty" enum:"block,warn" jsonschema:"What happens to an event that cannot be recorded."`
}

// Flow says which policies apply to Flow Agents, in addition to the declared
// ones. Of each setting the highest layer that has it wins.
type Flow struct {
	Environment bool    `json:"environment,omitempty" jsonschema:"Whether SA_HOOK_PROFILE, SA_DISABLED_HOOKS and the policies' own variables count. The default is true."`
	Profile     Profile `json:"profile,omitempty" jsonschema:"The profile that is used, whatever SA_HOOK_PROFILE says."`
	Disabled    []Text  `json:"disabled,omitempty" jsonschema:"Policies of the contract that are switched off, such as quality-gate."`
}

// HookDecl is the declaration of a hook. Exactly one of the fields with a form
// tag says what it does; a field with a beside tag goes with these forms only.
type HookDecl struct {
	ID    ID               `json:"id" jsonschema:"The name of the hook, unique in its layer."`
	About string           `json:"about,omitempty" jsonschema:"One line that says what it is for."`
	On    OneOrMore[Event] `json:"on,omitempty" jsonschema:"The events, by any agent's names for them. A built-in policy has its own if none are given."`
	Match *MatchDecl       `json:"match,omitempty" jsonschema:"Which of these events. Every key that is given must match; action, program, path and to must match the same effect of the call."`
	After *AfterDecl       `json:"after,omitempty" beside:"deny,ask,approve,allow,context,rewrite" jsonschema:"What the session must have done before. Everything that is given must hold."`
	When  Expr             `json:"when,omitempty" beside:"deny,ask,approve,allow,context,rewrite" jsonschema:"The condition of the rule, unless it is inside deny, ask, allow, context or rewrite."`

	Deny    *Ruling      `json:"deny,omitempty" form:"rule" jsonschema:"Stop the event, with this reason."`
	Ask     *Ruling      `json:"ask,omitempty" form:"rule" jsonschema:"Let a human decide, with this reason."`
	Approve *ApproveDecl `json:"approve,omitempty" form:"approval" jsonschema:"Let people decide, wherever they are; the call waits for them."`
	Allow   *Ruling      `json:"allow,omitempty" form:"rule" jsonschema:"Do not object. It answers the host's question only with may: grant."`
	Context *ContextDecl `json:"context,omitempty" form:"rule" jsonschema:"Tell the model something."`
	Rewrite *RewriteDecl `json:"rewrite,omitempty" form:"rule" jsonschema:"Change the tool's arguments or output."`
	Use     PolicyName   `json:"use,omitempty" form:"builtin" jsonschema:"The name of a built-in policy."`
	Run     Text         `json:"run,omitempty" form:"command" jsonschema:"A command line for the shell."`
	Exec    []Text       `json:"exec,omitempty" form:"command" jsonschema:"A program and its arguments, run without a shell."`
	Check   Text         `json:"check,omitempty" form:"command" jsonschema:"A command line that must succeed. Any other result denies, with the end of its output as the reason."`
	HTTP    *HTTPDecl    `json:"http,omitempty" form:"http" jsonschema:"A server that is asked about the event."`
	Model   *ModelDecl   `json:"model,omitempty" form:"model" jsonschema:"A language model that is asked about the event."`
	Pack    *PackDecl    `json:"pack,omitempty" form:"pack" jsonschema:"A hook of a process pack, whose facts are for the rules that follow. It decides nothing."`

	With      *Options           `json:"with,omitempty" beside:"use" jsonschema:"The options of the policy."`
	Dialect   Text               `json:"dialect,omitempty" beside:"run,exec,http" jsonschema:"The dialect that the program or server uses, such as claude-code."`
	Strict    bool               `json:"strict_output,omitempty" beside:"run,exec" jsonschema:"Anything in an answer that would be ignored is a failure, in dialects that support this."`
	Env       map[EnvName]string `json:"env,omitempty" beside:"run,exec,check" jsonschema:"Variables set for the program."`
	Pass      OneOrMore[EnvPass] `json:"pass,omitempty" beside:"run,exec,check" jsonschema:"Names of variables that the program inherits; * for all."`
	Dir       Text               `json:"dir,omitempty" beside:"run,exec,check" jsonschema:"Where the program runs. A relative path starts at the directory of this file; without one it runs in the project."`
	MaxOutput Size               `json:"max_output,omitempty" beside:"run,exec,http" jsonschema:"The maximum output that is read from the program or server."`

	May      May      `json:"may,omitempty" jsonschema:"What the hook may do at most. The default follows from its form."`
	Unknown  Choice   `json:"unknown,omitempty" enum:"deny,ask,allow" beside:"deny,ask,approve,allow,context,rewrite" jsonschema:"What happens when it is unknown whether the rule applies. The default is ask for rules that deny or ask, and allow for all others."`
	Priority int      `json:"priority,omitempty" jsonschema:"Lower runs first; ties keep the order of declaration."`
	Timeout  Duration `json:"timeout,omitempty" jsonschema:"How long one run may take."`
	OnError  OnError  `json:"on_error,omitempty" jsonschema:"What a failure of the hook means for the event."`
	Profile  Profile  `json:"profile,omitempty" jsonschema:"The least strict profile at which the hook runs. The default is standard."`
	Trial    bool     `json:"trial,omitempty" jsonschema:"Tries the hook: what it would have done is recorded, and has no effect."`
	Override Choice   `json:"override,omitempty" enum:"once" jsonschema:"once: a person at this machine may let a call pass that the hook denies, one at a time (trammel allow). It is for hooks of the machine. Hooks of the user and of projects always allow this; self-protection and approvals never do."`
	Enabled  bool     `json:"enabled,omitempty" jsonschema:"False switches the hook off."`

	Overridable bool `json:"overridable,omitempty" jsonschema:"In a bundle: a file that extends it may replace the hook with one of the same id, or disable it."`
}

// MatchDecl says which events of its kinds a hook is for.
type MatchDecl struct {
	Tool    OneOrMore[Text]   `json:"tool,omitempty" jsonschema:"Names of tools; * stands for any characters and ? for one. Between slashes it is a regular expression for the whole name."`
	Action  OneOrMore[Action] `json:"action,omitempty" jsonschema:"What the tool is (shell, mcp, agent, other), or what it or a program it starts does (read, write, edit, delete, search, fetch)."`
	Program OneOrMore[Text]   `json:"program,omitempty" jsonschema:"Names, patterns or paths of programs that run, however deeply nested."`
	Path    OneOrMore[Glob]   `json:"path,omitempty" jsonschema:"Globs over the files that the call touches; ** crosses directories."`
	To      OneOrMore[Host]   `json:"to,omitempty" jsonschema:"Hosts that the call contacts: example.com, *.example.com, or .example.com for both; foreign is every host except this machine; !example.com leaves a host out."`
	Project OneOrMore[Glob]   `json:"project,omitempty" jsonschema:"Globs over the root directory of the project."`
	Host    OneOrMore[Text]   `json:"host,omitempty" jsonschema:"The hosts that report the event."`
	Agent   OneOrMore[Text]   `json:"agent,omitempty" jsonschema:"Names of agents; * and ? as for tools."`
}

// AfterDecl says what an earlier call of the same session must have done.
type AfterDecl struct {
	Reads   Choice          `json:"reads,omitempty" enum:"secret" jsonschema:"secret: a secret was shown to the model."`
	TakesIn Choice          `json:"takes_in,omitempty" enum:"foreign" jsonschema:"foreign: text from a host or an MCP server was read."`
	Adds    Choice          `json:"adds,omitempty" enum:"remote,package" jsonschema:"remote: a git remote was added or changed; package: one was installed."`
	Writes  OneOrMore[Glob] `json:"writes,omitempty" jsonschema:"Globs of files, one of which was written."`
	Fetches OneOrMore[Glob] `json:"fetches,omitempty" jsonschema:"Globs of files, one of which has content from a host."`
}

// condition is the same as an expression.
func (a *AfterDecl) condition() string {
	var terms []string
	if a.Reads == "secret" {
		terms = append(terms, "session.read_secret")
	}
	if a.TakesIn == "foreign" {
		terms = append(terms, "len(session.tainted_by) > 0")
	}
	if a.Adds != "" {
		terms = append(terms, "len(session."+string(a.Adds)+"s) > 0")
	}
	for question, globs := range map[string][]string{"wrote": texts(a.Writes), "fetched": texts(a.Fetches)} {
		if len(globs) > 0 {
			for i := range globs {
				globs[i] = strconv.Quote(globs[i])
			}
			terms = append(terms, "session."+question+"("+strings.Join(globs, ", ")+")")
		}
	}
	slices.Sort(terms)
	return strings.Join(terms, " && ")
}

// Ruling is a rule that decides.
type Ruling struct {
	When   Expr `json:"when,omitempty" jsonschema:"The condition. Without one the rule always applies."`
	Reason Text `json:"reason,omitempty" jsonschema:"What the model and the person are told. Say what to do instead."`
}

func (r *Ruling) short() any { return &r.Reason }

// ContextDecl is a rule that adds context.
type ContextDecl struct {
	When Expr `json:"when,omitempty" jsonschema:"The condition. Without one the rule always applies."`
	Text Text `json:"text" jsonschema:"What the model is told."`
}

func (c *ContextDecl) short() any { return &c.Text }

// RewriteDecl is a rule that rewrites.
type RewriteDecl struct {
	When   Expr            `json:"when,omitempty" jsonschema:"The condition. Without one the rule always applies."`
	Input  map[string]Expr `json:"input,omitempty" jsonschema:"New values of arguments, each an expression. The other arguments stay."`
	Output Expr            `json:"output,omitempty" jsonschema:"The new output, an expression."`
	Reason Text            `json:"reason,omitempty" jsonschema:"Why, for the person at the agent."`
}
