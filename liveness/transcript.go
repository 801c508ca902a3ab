package liveness

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel/dialects"
)

// Transcript is what a host wrote down of a session, as far as it matters here.
type Transcript struct {
	Session string
	Dir     string // where the agent worked
	Version string // of the host
	Calls   []dialects.ToolUse
	// Skipped counts lines that could not be read. A transcript is the host's
	// to write as it likes; what is not understood is passed over.
	Skipped int
}

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

func (c *collector) add(call dialects.ToolUse) {
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
	*field = cmp.Or(*field, value)
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

// readTranscript reads a session of a host, line by line.
func readTranscript(of *dialects.Transcripts, r io.Reader) (*Transcript, error) {
	c := &collector{}
	return c.read(r, func(raw []byte) bool {
		var line map[string]any
		if json.Unmarshal(raw, &line, lenient) != nil {
			return false
		}
		said, ok := of.Line(line)
		set(&c.Session, said.Session)
		set(&c.Dir, said.Dir)
		set(&c.Version, said.Version)
		for _, call := range said.Calls {
			c.add(call)
		}
		return ok
	})
}
