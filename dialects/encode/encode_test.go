package encode

import (
	"reflect"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

func TestCallPatch(t *testing.T) {
	tool := &trammel.ToolCall{Name: "x", Input: map[string]any{"p": "/a", "q": "/a", "c": "text", "n": int64(1)}}
	call := Renamed(tool, "write", map[string]string{"path": "/a", "content": "text", "empty": ""})
	if want := (map[string]any{"path": "/a", "content": "text", "p": "/a", "q": "/a", "n": int64(1)}); !reflect.DeepEqual(call.Input, want) {
		t.Fatalf("shown %v, want %v", call.Input, want)
	}
	f := strict.FieldsOf(map[string]any{}, "")
	if got := call.Patch(f, "updated", map[string]any{"content": "other", "n": int64(1), "new": true}); !reflect.DeepEqual(got,
		map[string]any{"c": "other", "new": true}) || f.Err() != nil {
		t.Errorf("patch %v, %v", got, f.Err())
	}
	// Two arguments hold the path, so it is unknown which one is meant.
	if got := call.Patch(f, "updated", map[string]any{"path": "/b"}); got != nil || f.Err() == nil || !strings.Contains(f.Err().Error(),
		"updated.path") {
		t.Errorf("patch %v, %v", got, f.Err())
	}
}

// What is for the person does not take the place of a denial's reason.
func TestNoticeLeavesReasons(t *testing.T) {
	v := &trammel.Verdict{Answer: trammel.Answer{Notice: "note"}}
	for want, r := range map[string]trammel.Reply{"note\n": {}, "why\n": Exit("why")} {
		if got := Notice(r, v); string(got.Stderr) != want || got.Exit != r.Exit {
			t.Errorf("%d, %q, expected %q", got.Exit, got.Stderr, want)
		}
	}
}
