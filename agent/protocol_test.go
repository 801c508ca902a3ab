package agent

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// A line of a planner is taken apart or refused, and nothing else.
func FuzzRead(f *testing.F) {
	for _, line := range []string{
		`{"type":"session_start","session_id":"s"}`, `{"type":"prompt","user_raw_input":"x","current_files":["a"]}`,
		`{"type":"action","id":"1","action":"CREATE_TASK","ability":"a","input":{"b":[1,{"c":null}]}}`,
		`{"type":"action","action":"RUN_TASK","task_key":"task-1"}`, `{"type":"cancel","id":"1"}`, `{"type":"session_stop","x":1}`, `[`,
		"{\"type\":\"\xff\"}",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		m, err := read(line)
		if err == nil && m.kind == "action" && m.action != ListAbilities && m.key == "" && m.ability == "" {
			t.Errorf("%q: an action about nothing", line)
		}
	})
}

// Lines are read whole, whatever their length, and one that is too long is
// dropped without the next.
func TestReadLine(t *testing.T) {
	long := strings.Repeat("x", MaxLine+1)
	r := bufio.NewReaderSize(strings.NewReader("a\n"+long+"\n"+long[:MaxLine-1]+"\nb"), 64<<10)
	for i, want := range []struct {
		size int
		err  error
	}{{2, nil}, {0, errTooLong}, {MaxLine, nil}, {1, io.EOF}} {
		line, err := readLine(r)
		if len(line) != want.size || !errors.Is(err, want.err) {
			t.Errorf("line %d: %d bytes, %v", i, len(bytes.TrimSpace(line)), err)
		}
	}
}

// An action before any session says so, and one after the end that it is over
// (systems.md 10). What is no JSON is not called null.
func TestActionsWithoutSession(t *testing.T) {
	var out bytes.Buffer
	in := strings.NewReader(`{"type":"action","id":"1","action":"LIST_ABILITIES"}` + "\nnot json\n" + `{"type":"session_start"}` + "\n" +
		`{"type":"session_stop"}` + "\n" + `{"type":"action","id":"2","action":"LIST_ABILITIES"}` + "\n")
	if err := (&Runtime{Root: t.TempDir()}).Serve(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	for i, want := range map[int]string{0: "no session is open", 1: "invalid", 4: "the session has ended"} {
		if !strings.Contains(lines[i], want) || strings.Contains(lines[i], "null\"") {
			t.Errorf("%d: %s", i, lines[i])
		}
	}
}
