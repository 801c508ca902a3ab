package registry

// The kinds of references, as the document's contexts name them.
const (
	KindAbility   = "ability_id"
	KindOperation = "operation_key"
)

// The kinds of implementations of an operation.
const (
	Script = "script"
	API    = "api"
	MCP    = "mcp"
)

// The types of abilities.
const (
	Workflow = "workflow"
	Agent    = "agent"
)

// Operation is a low-level operation.
type Operation struct {
	Key          string `yaml:"operation_key"`
	Version      string `yaml:"version"`
	Summary      string `yaml:"summary"`
	Kind         string `yaml:"kind"`
	Scope        Scope  `yaml:"scope"`
	InputSchema  Schema `yaml:"input_schema"`
	OutputSchema Schema `yaml:"output_schema"`
	RoutingHints Hints  `yaml:"routing_hints"`
	Hooks        Hooks  `yaml:"hooks"`
	// Impl is the implementation unless the configuration names another one.
	Impl *Impl `yaml:"impl"`

	*document `yaml:"-"`
}

// Ability is a high-level ability: a workflow of operations, or an agent that
// plans and may use only the operations listed.
type Ability struct {
	ID           string   `yaml:"id"`
	Version      string   `yaml:"version"`
	Summary      string   `yaml:"summary"`
	Type         string   `yaml:"type"`
	Operations   []string `yaml:"operations"`
	Steps        []Step   `yaml:"steps"` // workflow
	Agent        *Program `yaml:"agent"` // agent
	Scope        Scope    `yaml:"scope"`
	InputSchema  Schema   `yaml:"input_schema"`
	OutputSchema Schema   `yaml:"output_schema"`
	RoutingHints Hints    `yaml:"routing_hints"`
	Hooks        Hooks    `yaml:"hooks"`

	*document `yaml:"-"`
}

// Step is one operation of a workflow. Texts of its input may hold
// placeholders: {{input.NAME}} and {{steps.ID.NAME}}.
type Step struct {
	ID        string         `yaml:"id"`
	Operation string         `yaml:"operation"`
	Input     map[string]any `yaml:"input"`
}

// Scope says where something may be used.
type Scope struct {
	Modules      []string `yaml:"modules"`
	Environments []string `yaml:"environments"` // empty means all
}

// Hints help a router. They decide nothing.
type Hints struct {
	Keywords         []string `yaml:"keywords"`
	NegativeKeywords []string `yaml:"negative_keywords"`
	Scopes           []string `yaml:"scopes"`
	Notes            string   `yaml:"notes"`
}

// Hooks are bound by id, in addition to hooks that match. A list that is not given
// overrides nothing; an empty list binds no hook.
type Hooks struct {
	PreCreate *[]string `yaml:"pre_create" json:"pre_create,omitempty"`
	PreCall   *[]string `yaml:"pre_call" json:"pre_call,omitempty"`
	PostCall  *[]string `yaml:"post_call" json:"post_call,omitempty"`
}

// over is h, overridden by the lists that above has.
func (h Hooks) over(above Hooks) Hooks {
	for _, pair := range [...][2]**[]string{{&h.PreCreate, &above.PreCreate}, {&h.PreCall, &above.PreCall}, {&h.PostCall, &above.PostCall}} {
		if *pair[1] != nil {
			*pair[0] = *pair[1]
		}
	}
	return h
}

// Configured is what the configuration says about one operation.
type Configured struct {
	Impl         *Impl                   `yaml:"impl"`
	Environments map[string]*Environment `yaml:"environments"`

	*document `yaml:"-"`
	place     string
}

// Environment overrides an operation in one environment.
type Environment struct {
	Disabled bool  `yaml:"disabled"`
	Impl     *Impl `yaml:"impl"`
	Hooks    Hooks `yaml:"hooks"`
}

// Impl is an implementation of an operation: exactly the part that its kind names.
type Impl struct {
	Kind   string   `yaml:"kind"`
	Script *Program `yaml:"script"`
	API    *Request `yaml:"api"`
	MCP    *Tool    `yaml:"mcp"`
	Hooks  Hooks    `yaml:"hooks"`
}

// Program is a program of the repository. Each element of ArgsTemplate is one argument,
// whatever its values are; there is no shell.
type Program struct {
	Path         string   `yaml:"path"`
	ArgsTemplate []string `yaml:"args_template"`
	TimeoutSec   int      `yaml:"timeout_sec"`
	EnvProfile   string   `yaml:"env_profile"`
}

// Request is an HTTP call. Placeholders are {{input.NAME}} and, in headers
// only, {{env.NAME}} for names that SecretsFrom lists.
type Request struct {
	Method      string            `yaml:"method"`
	URL         string            `yaml:"url"`
	Headers     map[string]string `yaml:"headers"`
	Body        any               `yaml:"body"`
	SecretsFrom []string          `yaml:"secrets_from_env"`
	TimeoutSec  int               `yaml:"timeout_sec"`
}

// Tool is a tool of an MCP server that is started for the call and talks over stdin and
// stdout.
type Tool struct {
	Server Program `yaml:"server"`
	Tool   string  `yaml:"tool"`
}

// Profile is the environment of a program: variables to pass on, by name, and variables
// to set. The program gets no other variables of ours.
type Profile struct {
	Pass []string          `yaml:"pass"`
	Set  map[string]string `yaml:"set"`
}
