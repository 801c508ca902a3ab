package liveness

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Transcript is what a host wrote down of a session, as far as it matters here.
type Transcript struct {
	Session string
	Dir     string // where the agent worked
	Version string // of the host
	Calls   []Call
	// Skipped counts lines that could not be read. A transcript is the host's
	// to write as it likes; what is not understood is passed over.
	Skipped int
}

// Call is a tool call that the model made.
type Call struct {
	ID    string
	Tool  string
	Time  time.Time
	Hooks HookUse
}

// HookUse says whether a host calls hooks for a tool.
type HookUse uint8

const (
	// Hooked: under the id that the transcript has.
	Hooked HookUse = iota
	// Indirect: for what the tool does in turn, under other ids.
	Indirect
	// Unhooked: not at all. That is a hole of the host, not of the wiring.
	Unhooked
)

// The bounds of what is read of a transcript.
const (
	maxLine  = 8 << 20
	maxFile  = 512 << 20
	maxCalls = 200_000
)

// lenient is how foreign lines are read: nothing is decided by them.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// collector gathers calls, each once.
type collector struct {
	Transcript
	ids map[string]bool
}

func (c *collector) add(call Call) {
	if call.ID == "" || c.ids[call.ID] || len(c.Calls) >= maxCalls {
		return
	}
	if c.ids == nil {
		c.ids = map[string]bool{}
	}
	c.ids[call.ID] = true
	c.Calls = append(c.Calls, call)
}

// set keeps the first value that is there.
func set(field *string, value string) {
	if *field == "" {
		*field = value
	}
}

// read passes each line to a function that reports whether it could use it.
func (c *collector) read(r io.Reader, line func([]byte) bool) (*Transcript, error) {
	in := bufio.NewReaderSize(io.LimitReader(r, maxFile), 64<<10)
	for {
		text, whole, err := readLine(in)
		if len(bytes.TrimSpace(text)) > 0 && (!whole || !line(text)) {
			c.Skipped++
		}
		if errors.Is(err, io.EOF) {
			return &c.Transcript, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// readLine reads a line; of one that is too long it keeps the beginning.
func readLine(in *bufio.Reader) (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := in.ReadSlice('\n')
		if room := maxLine - len(line); len(part) > room {
			part, whole = part[:room], false
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, whole, err
		}
	}
}

// ReadClaude reads a transcript of Claude Code: one line per message, calls in
// the content of the assistant's.
func ReadClaude(r io.Reader) (*Transcript, error) {
	c := &collector{}
	return c.read(r, func(raw []byte) bool {
		var line struct {
			Type      string `json:"type"`
			SessionID string `json:"sessionId"`
			Cwd       string `json:"cwd"`
			Version   string `json:"version"`
			Timestamp string `json:"timestamp"`
			Message   struct {
				Content jsontext.Value `json:"content"`
			} `json:"message"`
		}
		if json.Unmarshal(raw, &line, lenient) != nil {
			return false
		}
		set(&c.Session, line.SessionID)
		set(&c.Dir, line.Cwd)
		set(&c.Version, line.Version)
		if line.Type != "assistant" || line.Message.Content.Kind() != '[' {
			return true
		}
		var parts []struct {
			Type string `json:"type"`
			ID   string `json:"id"`
			Name string `json:"name"`
		}
		if json.Unmarshal(line.Message.Content, &parts, lenient) != nil {
			return false
		}
		at, _ := time.Parse(time.RFC3339Nano, line.Timestamp)
		for _, p := range parts {
			if p.Type == "tool_use" {
				c.add(Call{ID: p.ID, Tool: p.Name, Time: at})
			}
		}
		return true
	})
}

// ReadCodex reads a rollout of Codex: a head with the session, then one line
// per item.
func ReadCodex(r io.Reader) (*Transcript, error) {
	c := &collector{}
	return c.read(r, func(raw []byte) bool {
		var line struct {
			Type      string `json:"type"`
			Timestamp string `json:"timestamp"`
			Payload   struct {
				Type    string `json:"type"`
				ID      string `json:"id"`
				Cwd     string `json:"cwd"`
				Version string `json:"cli_version"`
				Name    string `json:"name"`
				CallID  string `json:"call_id"`
			} `json:"payload"`
		}
		if json.Unmarshal(raw, &line, lenient) != nil {
			return false
		}
		at, _ := time.Parse(time.RFC3339Nano, line.Timestamp)
		p := &line.Payload
		switch {
		case line.Type == "session_meta":
			set(&c.Session, p.ID)
			set(&c.Dir, p.Cwd)
			set(&c.Version, p.Version)
		case line.Type != "response_item":
		case p.Type == "local_shell_call":
			c.add(Call{ID: p.CallID, Tool: "local_shell", Time: at})
		case p.Type == "function_call" || p.Type == "custom_tool_call":
			c.add(Call{ID: p.CallID, Tool: p.Name, Time: at, Hooks: codexHooks(p.Name)})
		}
		return true
	})
}

// codexHooks says for which tools Codex calls hooks. It does not for input to
// a program that runs (write_stdin), and for code mode's exec only for the calls
// that the script makes.
func codexHooks(tool string) HookUse {
	switch tool {
	case "exec_command", "shell", "shell_command", "local_shell", "apply_patch", "spawn_agent", "view_image":
		return Hooked
	case "exec":
		return Indirect
	}
	return Unhooked
}
