// Package planner is a small reference planner: it takes one prompt through a
// session of the Agent Runtime with a language model. The model has the
// runtime's actions as tools and sees the signals of hooks, never the hooks.
//
//	p := &planner.Planner{Runtime: runtime, Model: model}
//	outcome, err := p.Run(ctx, "Write a note about the release.")
package planner

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/agent"
)

// What bounds a run where the Planner does not say.
const (
	DefaultRounds = 20
	DefaultTokens = 200_000
)

// Model says what to do next.
type Model interface {
	Next(ctx context.Context, messages []Message, tools []Tool) (Reply, error)
}

// Message is one step of the conversation: a text of the system or the user, a
// reply of the model, or the results of its calls.
type Message struct {
	Role    string // system, user, assistant, tool
	Text    string
	Calls   []Call
	Results []Result
}

// Call is a tool that the model wants called.
type Call struct {
	ID    string         `json:"id"`
	Name  string         `json:"name"`
	Input map[string]any `json:"input"`
}

// Result is what came of a call.
type Result struct {
	ID     string
	Text   string // JSON
	Failed bool
}

// Reply is what a model said, and what it cost.
type Reply struct {
	Text   string `json:"text"`
	Calls  []Call `json:"calls"`
	Tokens int64  `json:"-"`
}

// Planner runs prompts. Zero bounds are the defaults.
type Planner struct {
	Runtime *agent.Runtime
	Model   Model
	Rounds  int   // questions to the model
	Tokens  int64 // of all of them, input and output
	// Progress, if set, is called for each step.
	Progress func(text string)
}

// Outcome is what came of a run.
type Outcome struct {
	Text    string         `json:"text"`   // the model's last words
	Denied  string         `json:"denied"` // why the hooks did not let the turn begin
	Rounds  int            `json:"rounds"`
	Tokens  int64          `json:"tokens"`
	Session *agent.Summary `json:"session"`
}

// ErrBounds is a run that was ended because it took too many rounds or tokens.
var ErrBounds = errors.New("the planner has reached its limits")

// Run takes one prompt through a session of its own, and always stops it.
func (p *Planner) Run(ctx context.Context, prompt string) (out *Outcome, err error) {
	s, err := p.Runtime.Start(ctx, "")
	if err != nil {
		return nil, err
	}
	out = &Outcome{}
	defer func() {
		sum, stopped := s.Stop(context.WithoutCancel(ctx))
		out.Session = sum
		err = errors.Join(err, stopped)
	}()
	turn, err := s.Prompt(ctx, prompt, nil)
	if err != nil {
		return out, err
	}
	p.say("turn %d, ready: %v, %d signals of hooks", turn.Number, turn.Ready, len(turn.Control.HookSignals))
	if !turn.Ready {
		out.Denied = turn.Control.Reason
		return out, nil
	}
	messages, err := opening(s, turn)
	if err != nil {
		return out, err
	}
	return out, p.loop(ctx, s, messages, out)
}

// loop asks the model until it wants nothing more.
func (p *Planner) loop(ctx context.Context, s *agent.Session, messages []Message, out *Outcome) error {
	rounds, tokens := p.Rounds, p.Tokens
	rounds = cmp.Or(rounds, DefaultRounds)
	tokens = cmp.Or(tokens, DefaultTokens)
	for out.Rounds < rounds && out.Tokens < tokens {
		reply, err := p.Model.Next(ctx, messages, tools())
		if err != nil {
			return fmt.Errorf("the model: %w", err)
		}
		out.Rounds++
		out.Tokens += reply.Tokens
		out.Text = reply.Text
		if len(reply.Calls) == 0 {
			return nil
		}
		if out.Tokens >= tokens {
			break // nobody would hear what comes of its calls
		}
		results := make([]Result, len(reply.Calls))
		for i, call := range reply.Calls {
			results[i] = p.call(ctx, s, call)
		}
		messages = append(messages, Message{Role: "assistant", Text: reply.Text, Calls: reply.Calls}, Message{Role: "tool", Results: results})
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: %d rounds, %d tokens", ErrBounds, out.Rounds, out.Tokens)
}

// call carries out one action. What goes wrong is for the model to read.
func (p *Planner) call(ctx context.Context, s *agent.Session, c Call) Result {
	text := func(key string) string { t, _ := c.Input[key].(string); return t }
	input, _ := c.Input["input"].(map[string]any)
	var said any
	var err error
	switch c.Name {
	case "list_abilities":
		said, err = s.Abilities()
	case "create_task":
		said, err = s.Create(ctx, text("ability"), input)
	case "update_task":
		said, err = s.Update(ctx, text("task_key"), input)
	case "run_task":
		said, err = s.Run(ctx, text("task_key"))
	default:
		err = trammel.Fail(trammel.CodeInput, "there is no tool %q", c.Name)
	}
	if err != nil {
		said = map[string]any{"error": err.Error()}
	}
	data, wrong := json.Marshal(said)
	if wrong != nil {
		data, err = []byte(`{"error":"the result has no JSON form"}`), wrong
	}
	p.say("%s %s -> %.300s", c.Name, text("ability")+text("task_key"), data)
	return Result{c.ID, string(data), err != nil}
}

func (p *Planner) say(format string, args ...any) {
	if p.Progress != nil {
		p.Progress(fmt.Sprintf(format, args...))
	}
}
