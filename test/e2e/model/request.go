package model

import "strings"

// Request is what an agent sent, in no protocol's words.
type Request struct {
	Path string
	// Part is the conversation it belongs to: 0 for the main one, n for the
	// n-th agent of the script.
	Part int
	// Turn is the turn of that conversation that answered it.
	Turn int
	// Side is true for a small request beside the conversation, such as one
	// for a title. It is recognised by offering no tools.
	Side bool

	Model    string
	System   string
	Messages []Message
	Tools    []string
}

// Message is one message of a conversation.
type Message struct {
	Role    string // user or assistant
	Text    string // all of its texts, one per line
	Calls   []Call
	Results []Result
}

// Result is what the agent says came of a tool call.
type Result struct {
	ID      string
	Name    string // the tool that was called
	Text    string
	IsError bool
	// Unmarked is true if the protocol has no way to say that it is an error.
	Unmarked bool
}

// Last is the newest message.
func (r *Request) Last() Message {
	if len(r.Messages) == 0 {
		return Message{}
	}
	return r.Messages[len(r.Messages)-1]
}

// User is all that was said to the model in the user's name, tool results
// left out.
func (r *Request) User() string {
	var texts []string
	for _, m := range r.Messages {
		if m.Role == "user" && m.Text != "" {
			texts = append(texts, m.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// turn counts the replies that the conversation already has.
func (r *Request) turn() int {
	n := 0
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			n++
		}
	}
	return n
}
