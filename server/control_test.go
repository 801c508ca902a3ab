package server

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel/packs/process"
	"github.com/trammel-dev/trammel/server/auth"
)

// systemToken makes a token of a program that is part of the system.
func (r *running) systemToken() string {
	secret, err := r.Auth.Credentials.Create(r.t.Context(), auth.Credential{Kind: auth.Token, Name: "erp", Role: auth.Agent,
		Identity: auth.SystemPrefix + "erp"})
	if err != nil {
		r.t.Fatal(err)
	}
	return secret
}

// FST-74 FST-78: an agent controls a process that the server runs, and no other,
// as itself and as nobody else; nobody does without a token, and a pack that was
// changed is refused.
func TestControl(t *testing.T) {
	w := newWorld(t, gate)
	pack := filepath.Join(w.project, "notes")
	files := map[string]string{
		"process.manifest.yaml": "process: {id: notes, version: 1.0.0, profile_api: fst.profile.v1, logic_api: fst.process_logic.v1}\n",
		"profile.yaml": `profile: {id: notes, version: 1.0.0}
actions: [{id: note.read}, {id: note.send, materialization_mode: real, materialization_scope_fields: [to]}]
gates:
  - {id: send, before_action: note.send, route: AwaitApproval, required_approval: {role: approver, scope: note.send}}
`}
	if err := os.Mkdir(pack, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(pack, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := w.start(t, Options{Process: []string{pack}})
	me, token := r.login(), r.token(auth.Agent)
	control := func(want int, in map[string]any) (out process.Response) {
		t.Helper()
		if status := r.call("POST", "/v1/control", in, &out, "Authorization", "Bearer "+token); status != want {
			t.Errorf("%v: status %d, expected %d", in, status, want)
		}
		return out
	}
	if out := control(200, map[string]any{"action": "note.read", "payload": map[string]any{}}); out.Route != process.Continue {
		t.Errorf("%+v", out)
	}
	send := map[string]any{"process_id": "notes", "action": "note.send", "payload": map[string]any{"to": "al"}}
	if out := control(200, send); out.Route != process.AwaitApproval {
		t.Errorf("%+v", out)
	}
	waits := me.waiting()
	var decided Approval
	if status := me.call("POST", "/v1/approvals/"+waits.ID+"/decision", waits.approve(), &decided); status != 200 {
		t.Fatalf("status %d", status)
	}
	if out := control(200, send); out.Route != process.MaterializeAllowed {
		t.Errorf("%+v", out)
	}
	for _, c := range []struct {
		who, says string
		refused   bool
	}{
		{token, "agent", false}, {token, "task_user", true}, {token, "system", true}, {token, "approver", true},
		{r.systemToken(), "system", false}, {r.systemToken(), "agent", true},
	} {
		var out process.Response
		r.call("POST", "/v1/control", map[string]any{"action": "note.read", "payload": map[string]any{}, "actor": c.says}, &out,
			"Authorization", "Bearer "+c.who)
		if c.refused != (out.Code == process.CodeActor) || c.refused == out.MayProceed {
			t.Errorf("%+v: %+v", c, out)
		}
	}
	for role, want := range map[string]process.Code{"task_user": "", "agent": process.CodeActor, "system": process.CodeActor} {
		var out process.Response
		me.call("POST", "/v1/control", map[string]any{"action": "note.read", "payload": map[string]any{}, "actor": role}, &out)
		if out.Code != want {
			t.Errorf("a person as %s: %+v", role, out)
		}
	}
	if status := r.call("POST", "/v1/control", send, nil, "Authorization", "Bearer "+r.token(auth.Viewer)); status != http.StatusForbidden {
		t.Errorf("a viewer: %d", status)
	}
	control(404, map[string]any{"process_id": "travel", "action": "note.read"})
	control(422, map[string]any{"action": "note.read", "route": "Continue"})
	var contract process.Contract
	if status := r.call("GET", "/v1/control/notes", nil, &contract, "Authorization", "Bearer "+token); status != 200 ||
		len(contract.Gates) != 1 {
		t.Errorf("%d %+v", status, contract)
	}
	if status := r.call("POST", "/v1/control", send, nil, "Cookie", ""); status != http.StatusUnauthorized && status != http.StatusForbidden {
		t.Errorf("without a token: %d", status)
	}
	if err := os.WriteFile(filepath.Join(pack, "profile.yaml"), []byte("profile: {id: notes, version: 1.0.1}\nactions: [{id: note.send}]\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if out := control(200, send); out.Status != "error" || out.Code != process.CodePackChanged {
		t.Errorf("%+v", out)
	}
}
