//go:build e2e && unix

package e2e

import "github.com/trammel-dev/trammel/internal/version"

// power is something that not every host can do.
type power uint

const (
	canRewrite power = 1 << iota // the input of a call
	canAsk                       // a user, of whom there is none here: the host denies by itself
	canContext                   // with a prompt
	canStopPrompt
	canStopStop // make the agent go on
	canAgent    // run a sub-agent whose calls are hooked
)

// profile is what the tests have to know about a host: what it can do, how it
// says it, and where it is known to let a call through.
type profile struct {
	can power
	// unanswered is what the model is told if the wired program does not
	// answer: what the wiring prints, unless the host keeps that to itself.
	unanswered string
	// absent is the same where the wiring is a project's, and there is no
	// program.
	absent string
	// rejects is what the model is told if there is nobody to ask: the reason of
	// the question, unless the host has a text of its own.
	rejects string
	// stopped is how the host ends when its prompt is denied.
	stopped int
	// mute is true if the host does not print why a prompt was denied.
	mute bool
	// whole is true if all events are hooked or none: what cannot be judged
	// is then stopped at the prompt, and there is no call.
	whole bool
	// strict is true if a hook that cannot be started stops the prompt, too.
	strict bool
	// fixes is true if the host makes a program executable that is not.
	fixes bool
	// nameless is true if the host does not say which agent makes a call.
	nameless bool
	// gaps are the scenarios in which the call runs all the same, by test and
	// name, with the cause. A gap that is closed fails its test.
	gaps map[string]string
}

const canAll = canRewrite | canAsk | canContext | canStopPrompt | canStopStop | canAgent

// profiles is the matrix of the hosts, as far as it is tested here.
var profiles = map[string]profile{
	"claude-code": {can: canAll, unanswered: noAnswer, absent: version.Install},
	"codex":       {can: canAll &^ canAsk, unanswered: noAnswer, absent: version.Install, mute: true},
	"gemini-cli":  {can: canAll &^ canAsk, unanswered: noAnswer, absent: version.Install, nameless: true, strict: true},
	"qwen-code":   {can: canAll &^ canRewrite, unanswered: noAnswer, mute: true},
	"copilot-cli": {can: canAll, unanswered: noAnswer, absent: version.Install, stopped: 1, nameless: true, fixes: true},
	"opencode":    {can: canAll &^ (canAsk | canStopStop), unanswered: pluginNoAnswer, stopped: 1, mute: true, whole: true},
	"docker-agent": {can: canAsk | canContext | canStopPrompt | canAgent, unanswered: noAnswer, absent: version.Install, stopped: 1,
		rejects: "The user rejected the tool call."},
	"pi": {can: canAll &^ (canAsk | canAgent), unanswered: pluginNoAnswer, whole: true},
}
