package model

import (
	"fmt"
)

// conversation puts the items of a protocol that sends them one by one into
// our messages: user and assistant take turns, and what the agent says to the
// model between two replies is one message of the user, whoever's name the
// protocol has for it.
type conversation struct {
	messages []Message
	called   map[string]string // tool by id of the call
}

// of returns the message that the next item of a role belongs to.
func (c *conversation) of(role string) *Message {
	if n := len(c.messages); n == 0 || c.messages[n-1].Role != role {
		c.messages = append(c.messages, Message{Role: role})
	}
	return &c.messages[len(c.messages)-1]
}

func (c *conversation) say(role, text string) {
	m := c.of(role)
	if m.Text != "" && text != "" {
		m.Text += "\n"
	}
	m.Text += text
}

func (c *conversation) call(id, name string, input map[string]any) error {
	if id == "" || name == "" {
		return fmt.Errorf("a call needs an id and a name, found %q and %q", id, name)
	}
	if _, again := c.called[id]; again {
		return fmt.Errorf("the call %q is there twice", id)
	}
	if c.called == nil {
		c.called = map[string]string{}
	}
	c.called[id] = name
	m := c.of("assistant")
	m.Calls = append(m.Calls, Call{ID: id, Name: name, Input: input})
	return nil
}

func (c *conversation) result(r Result) error {
	name, ok := c.called[r.ID]
	if !ok {
		return fmt.Errorf("a result for the unknown call %q", r.ID)
	}
	r.Name = name
	m := c.of("user")
	m.Results = append(m.Results, r)
	return nil
}
