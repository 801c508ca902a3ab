package decode

import (
	"reflect"
	"slices"
	"testing"

	"github.com/trammel-dev/trammel"
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
func TestFieldsAreNotShared(t *testing.T) {
	a := (&Reader{Known: []string{"a"}}).Fields()
	b := (&Reader{Known: []string{"b"}}).Fields()
	if !slices.Contains(a, "a") || slices.Contains(a, "b") || !slices.Contains(b, "tool_name") {
		t.Errorf("%q, %q", a, b)
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
