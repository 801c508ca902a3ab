package config

import (
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trammel-dev/trammel/dialects/repohooks"
)

// RepositoryHook is a file below .system/hooks: the declaration of one hook of
// an AI-centric repository (AIC-20).
type RepositoryHook struct {
	ID        RepositoryID       `json:"id" jsonschema:"The name of the hook, unique in the repository."`
	EventType RepositoryEvent    `json:"event_type" jsonschema:"The event that it runs on."`
	Enabled   bool               `json:"enabled" jsonschema:"False switches the hook off."`
	Blocking  bool               `json:"blocking" jsonschema:"Whether the runtime waits for the hook, so that its failure or decision can stop something."`
	Summary   string             `json:"summary,omitempty" jsonschema:"What it is for."`
	Match     *RepositoryMatch   `json:"match,omitempty" jsonschema:"When it runs. Without one it always does."`
	Handler   *RepositoryHandler `json:"handler,omitempty" jsonschema:"What is run. Without one it is the built-in recipe of the hook's id."`
	Effects   []any              `json:"effects,omitempty" jsonschema:"What the handler is meant to do, for readers. Nothing is done because of it."`
	OnFailure Choice             `json:"on_failure,omitempty" enum:"fail,skip" jsonschema:"What a failure of a blocking hook means: fail stops the event, skip continues without the hook."`
}

// RepositoryMatch says when a hook runs. It is deliberately not a routing language.
type RepositoryMatch struct {
	AbilityScope       OneOrMore[Glob] `json:"ability_scope,omitempty" jsonschema:"Globs over ids of abilities, on events about one."`
	MinDurationMS      *uint32         `json:"min_duration_ms,omitempty" jsonschema:"How long the call must have taken, on PostAbilityCall."`
	OnlyIfChangedPaths OneOrMore[Glob] `json:"only_if_changed_paths,omitempty" jsonschema:"Globs of which one must match a file that the session has changed, on SessionStop."`
}

// RepositoryHandler says what is run.
type RepositoryHandler struct {
	Kind      Choice  `json:"kind" enum:"script,builtin,http" jsonschema:"script for a program of the repository, builtin for a recipe or policy of ours, http for a server."`
	Command   Text    `json:"command,omitempty" jsonschema:"The path of the script, relative to the root of the repository, or the name of the built-in."`
	URL       Text    `json:"url,omitempty" jsonschema:"Where the context is posted to, with http: https, or http to this machine. The HookResult is the response."`
	SecretEnv EnvName `json:"secret_env,omitempty" jsonschema:"The environment variable that holds the secret to sign calls with, with http."`
	TimeoutMS uint32  `json:"timeout_ms,omitempty" jsonschema:"How long one run may take: 30 seconds by default."`
}

// RepositoryID is the id of a repository hook, in kebab-case or snake_case.
type RepositoryID string

const repositoryIDPattern = `^[a-z0-9][a-z0-9_-]*$`

func (id *RepositoryID) parse(text string) bool {
	*id = RepositoryID(text)
	return (*ID)(id).parse(text) && !strings.ContainsAny(text, "./")
}

// ValidRepositoryID reports whether a repository hook can have this id.
func ValidRepositoryID(text string) bool { return new(RepositoryID).parse(text) }

func (*RepositoryID) wants() string {
	return "an id of lower-case letters, digits, - and _, beginning with a letter or a digit"
}
func (*RepositoryID) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: repositoryIDPattern, MaxLength: new(128)}
}

// RepositoryEvent is the event of a repository hook.
type RepositoryEvent repohooks.EventType

func (e *RepositoryEvent) known() []string {
	var names []string
	for _, t := range repohooks.EventTypes() {
		names = append(names, string(t))
	}
	return names
}
func (e *RepositoryEvent) parse(text string) bool {
	*e = RepositoryEvent(text)
	return repohooks.EventType(text).Kinds() != nil
}
func (e *RepositoryEvent) wants() string              { return oneOf(e.known()) }
func (e *RepositoryEvent) schema() *jsonschema.Schema { return choice(e.known()...) }

// MatchSummary says in a few words when the hook runs (AIC-60).
func (h *RepositoryHook) MatchSummary() string {
	var parts []string
	if m := h.Match; m != nil {
		if len(m.AbilityScope) > 0 {
			parts = append(parts, "ability="+strings.Join(texts(m.AbilityScope), ","))
		}
		if m.MinDurationMS != nil && *m.MinDurationMS > 0 {
			parts = append(parts, fmt.Sprintf("duration>=%dms", *m.MinDurationMS))
		}
		if len(m.OnlyIfChangedPaths) > 0 {
			parts = append(parts, "paths="+strings.Join(texts(m.OnlyIfChangedPaths), ","))
		}
	}
	if len(parts) > 0 {
		return strings.Join(parts, " ")
	}
	if e := repohooks.EventType(h.EventType); e == repohooks.PromptSubmitEvent || e == repohooks.SessionStopEvent {
		return "all sessions"
	}
	return "ability=*"
}
