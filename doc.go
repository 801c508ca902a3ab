// Package trammel is an engine for hooks that an AI agent cannot talk its way
// past. A model can ignore its prompt. It cannot ignore a program that runs
// before each of its tool calls.
//
// # Embedding
//
// A runtime builds an [Engine] from [Hook]s once, and dispatches an [Event] at
// each point of its loop that matters. What comes back is a [Verdict]:
//
//	engine, err := trammel.New([]trammel.Hook{{
//		ID:      "no-force-push",
//		On:      []trammel.Kind{trammel.PreToolUse},
//		Match:   trammel.Match{Actions: []trammel.ActionKind{trammel.ShellAction}},
//		May:     trammel.Guard,
//		Handler: trammel.HandlerFunc(noForcePush),
//	}})
//	…
//	v := engine.Dispatch(ctx, &trammel.Event{
//		Kind:    trammel.PreToolUse,
//		Session: trammel.Session{ID: session, Dir: dir},
//		Tool:    &trammel.ToolCall{ID: id, Name: "shell", Input: args},
//	})
//	switch {
//	case v.Decision == trammel.Deny:
//		return toolError(v.Reason) // tells the model why
//	case v.Decision == trammel.Ask:
//		… ask the person, with v.Reason
//	case !v.Proceed():
//		return ctx.Err() // canceled: neither a denial nor a permission
//	}
//	args = v.Apply(args) // with what the hooks rewrote
//
// After the call, dispatch [PostToolUse] with the output, even if the tool
// failed. At the start of a session, dispatch [SessionStart] and give the model
// v.Context. Before the agent ends, dispatch [Stop], and keep working if it is
// denied. [Kinds] lists all kinds of events, with what an answer to each can do.
// Engine.Has reports whether anybody listens, so that unwanted events need not be
// built.
//
// A sub-agent gets its own engine from [Engine.Child]: it inherits everything
// and may only add.
//
// # What a hook may do
//
// A hook declares its [Authority]: observe, context, rewrite, guard or grant.
// It is a ceiling. An answer that goes beyond it, or beyond what the kind of
// event allows, is rejected as a whole and counts as a failure of the hook. By
// default Trammel tightens and never widens: an Allow answers the host's question
// only if the hook may grant.
//
// # The order of things
//
// A dispatch has four phases, which follow from what the hooks may do.
// Transforms rewrite one after another, lower Priority first, each seeing what
// the previous one made of the arguments. Guards judge the final arguments;
// those that wait for something ([Waiter]) run concurrently. Gates ask a human
// about exactly the call that all guards have passed. Observers see the outcome.
// Answers merge: deny > ask > allow > none, the first reason wins.
//
// # Failure
//
// An error, a panic, a timeout, an answer beyond its authority: all are
// failures with a [Code], and [OnError] says what they mean. Where nothing is
// declared, a hook that may guard blocks and the others warn. Dispatch always
// returns a verdict, and no goroutine outlives it.
//
// # Other packages
//
// Package config reads trammel.yaml, package plan holds it compiled, the
// packages below dialects read and write the formats of agents and of hook
// programs ([HostDialect], [HookDialect]), those below handlers and policies
// answer events ([Handler], [Policy], [Registry]), and package evidence writes
// the record. None of them is needed to use the engine.
package trammel
