package edit_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/approvals/edit"
)

// Secrets stay out of the editor, and come back to where their references are.
func TestDraft(t *testing.T) {
	const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	args := `{"amount":60000,"password":"hunter2hunter2","run":"curl -H 'Authorization: token ` + token +
		`' x","say":"[MASKED 1]","list":["a",1,null]}`
	d, err := edit.Of(json.RawMessage(args))
	if err != nil {
		t.Fatal(err)
	}
	d.Masked()
	masked := d.Masked() // the references are the same again
	text, _ := json.Marshal(masked)
	if strings.Contains(string(text), "ghp_") || strings.Contains(string(text), "hunter2") {
		t.Errorf("a secret is in the editor: %s", text)
	}
	if !strings.Contains(string(text), "[MASKED 1]") || strings.Contains(string(text), "[MASKED 4]") {
		t.Errorf("three are masked: %s", text)
	}
	if run := masked["run"].(string); !strings.HasPrefix(run, "curl -H 'Authorization: token [MASKED ") {
		t.Errorf("what is no secret is masked: %s", run)
	}
	same, err := d.Edited(masked)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	_ = json.Unmarshal([]byte(args), &want)
	got, _ := json.Marshal(same)
	var back map[string]any
	_ = json.Unmarshal(got, &back)
	if !reflect.DeepEqual(back, want) {
		t.Errorf("%s, want %s", got, args)
	}
	masked["run"] = strings.Replace(masked["run"].(string), "curl", "wget", 1)
	if out, err := d.Edited(masked); err != nil || !strings.HasPrefix(out["run"].(string), "wget") || !strings.Contains(out["run"].(string),
		token) {
		t.Errorf("%v %v", out, err)
	}
	for _, bad := range []string{"[MASKED 99]", "[MASKED 0]", "[MASKED x]", "[MASKED ", "[MASKED 1", "[MASKED 1 x]", "[MASKED +1]",
		"[MASKED 01]", "[MASKED 1 and the rest", "[MASKED 0x1]", "[MASKED ]", "[MASKED -1]", "[MASKED 18446744073709551617]"} {
		if _, err := d.Edited(map[string]any{"x": []any{bad}}); err == nil {
			t.Errorf("%s stands for nothing", bad)
		}
	}
}
