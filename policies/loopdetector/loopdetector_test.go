package loopdetector

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

// DA-51: the same call in a row, and circles.
func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

// A call that another guard rewrites is asked about twice and is one call.
func TestARewrittenCallIsOne(t *testing.T) {
	policysuite.RewrittenCounts(t, Policy(), `{"max":3,"cycle":1}`)
}

func TestDamagedStateIsAFailure(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	h, _ := Policy().New(policysuite.Spec(""))
	ev := &trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "x"}}
	if _, err := h.Handle(t.Context(), ev); err != nil {
		t.Fatal(err)
	}
	filepath.WalkDir(state, func(path string, d os.DirEntry, err error) error {
		if !d.IsDir() && d.Name() != "lock" {
			os.WriteFile(path, []byte("7"), 0o600)
		}
		return err
	})
	if a, err := h.Handle(t.Context(), ev); err == nil {
		t.Errorf("%+v", a)
	}
}

func FuzzHistory(f *testing.F) {
	f.Add([]byte(head + "0123456789abcdef \n0123456789abcdef 0123456789abcdef\n"))
	f.Add([]byte(head))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := parse(data)
		if err != nil {
			return
		}
		if again := h.append(nil); data != nil && !bytes.Equal(again, data) {
			t.Errorf("%q became %q", data, again)
		}
		h.learn("x", "y")
		h.period(5, 3)
	})
}
