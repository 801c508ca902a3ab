package claudelike

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// What is said as a patch must be read as the same action.
func TestPatchThereAndBack(t *testing.T) {
	for _, want := range []trammel.Action{
		{Kind: trammel.WriteAction, Paths: []string{"a b.txt"}, Content: "one\ntwo"},
		{Kind: trammel.EditAction, Paths: []string{"/x"}, Content: "*** Delete File: /y"},
		{Kind: trammel.DeleteAction, Paths: []string{"/x"}},
	} {
		var got trammel.Action
		ReadPatch(Patch(want.Kind, want.Paths[0], "old\n*** Add File: /z", want.Content), &got)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
}

func TestOutputText(t *testing.T) {
	for want, response := range map[string]any{
		"":          nil,
		"plain":     "plain",
		"inner":     map[string]any{"llmContent": "inner", "returnDisplay": "x"},
		"one\ntwo":  map[string]any{"llmContent": []any{map[string]any{"text": "one"}, "two"}},
		`{"a":1}`:   map[string]any{"a": int64(1)},
		`{"b":[2]}`: map[string]any{"llmContent": map[string]any{"b": []any{int64(2)}}},
	} {
		if got := OutputText(response); got != want {
			t.Errorf("%v: %q, want %q", response, got, want)
		}
	}
}

// Appending to the list of one reader must not reach another's.
func TestKnownIsNotShared(t *testing.T) {
	a := (&Reader{Own: []string{"a"}}).Known()
	b := (&Reader{Own: []string{"b"}}).Known()
	if !slices.Contains(a, "a") || slices.Contains(a, "b") || !slices.Contains(b, "tool_name") {
		t.Errorf("%q, %q", a, b)
	}
}

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
	// Two arguments hold the path, so nobody knows which one is meant.
	if got := call.Patch(f, "updated", map[string]any{"path": "/b"}); got != nil || f.Err() == nil || !strings.Contains(f.Err().Error(),
		"updated.path") {
		t.Errorf("patch %v, %v", got, f.Err())
	}
}

func TestNearest(t *testing.T) {
	events := Events{{"BeforeTool", trammel.PreToolUse}, {"AfterTool", trammel.PostToolUse}}
	for want, ev := range map[string]*trammel.Event{
		"BeforeTool":   {Kind: trammel.PermissionRequest, Name: "x"},
		"AfterTool":    {Kind: trammel.PostToolFailure},
		"own":          {Kind: trammel.Stop, Name: "own"},
		"session_end":  {Kind: trammel.SessionEnd},
		"BrandNewName": {Kind: trammel.Other, Name: "BrandNewName"},
	} {
		if got := events.Nearest(ev); got != want {
			t.Errorf("%v: %q, want %q", ev.Kind, got, want)
		}
	}
}

func FuzzReadPatch(f *testing.F) {
	f.Add("*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch")
	f.Fuzz(func(t *testing.T, patch string) {
		var a trammel.Action
		ReadPatch(patch, &a)
		switch a.Kind {
		case trammel.WriteAction, trammel.DeleteAction:
			if len(a.Paths) == 0 {
				t.Fatal("a kind without a path")
			}
		case trammel.EditAction:
		default:
			t.Fatalf("kind %v", a.Kind)
		}
	})
}
