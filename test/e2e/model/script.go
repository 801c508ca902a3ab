// Package model is a stand-in for a language model: an HTTP server on loopback
// that plays a script, and checks strictly that what an agent sends it follows
// the protocol. It lets a test decide what "the model" wants to do, and see
// what it was told about it.
//
// A script is the same whatever protocol the agent speaks; each protocol is
// one file. Which turn is due is read from the conversation that the agent
// sends along, so the server keeps no state that a second agent could upset.
package model

// Script is what the model will say.
type Script struct {
	// Turns are the main conversation, one for each request.
	Turns []Turn
	// Agents are the conversations of sub-agents.
	Agents []Agent
}

// Agent is the conversation of a sub-agent, recognised by a text that is in
// its first message or in what the system says.
type Agent struct {
	When  string
	Turns []Turn
}

// Turn is one reply: a text, tool calls, or both. A turn without calls ends
// the agent's work.
type Turn struct {
	Text  string
	Calls []Call
	Maybe bool // it is fine if nobody asks for it
}

// Call is a tool call: in a script what the model wants, in a Message what the
// agent says that it wanted.
type Call struct {
	ID    string // given by the server; empty in a script
	Name  string
	Input map[string]any
}

// Freeform is the only member of the input of a tool that takes a text instead
// of an object.
const Freeform = "(freeform)"

// Say is a turn of text.
func Say(text string) Turn { return Turn{Text: text} }

// Use is a turn of tool calls.
func Use(calls ...Call) Turn { return Turn{Calls: calls} }
