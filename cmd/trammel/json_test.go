//go:build unix

package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/mcp/pin"
	"github.com/trammel-dev/trammel/pipeline/full"
)

var wholeDigest = regexp.MustCompile(`(?m) sha256:[0-9a-f]{64}$`)

// Issue 13: the keys that commands print with --json. One thing has one name in
// all of them. The scripts check the commands that are not listed here.
func TestKeysOfJSON(t *testing.T) {
	t.Parallel()
	channel := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("{}")) }))
	t.Cleanup(channel.Close)
	d := newTestDesk(t)
	d.env = append(d.env, "DESK_SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	d.write(filepath.Join(d.home, ".config", "trammel", "trammel.yaml"), gatedPayments+
		"approvals: {channels: {desk: {type: webhook, url: \""+channel.URL+"\", secret_env: DESK_SECRET}}}\n")
	d.setSecret()
	d.call("drop", "{}")
	address, _ := d.serveWith([]string{"--collect"})
	token := d.json("serve token create machine")
	d.write(filepath.Join(d.project, "token"), token["secret"].(string))
	d.holdBack("files")
	d.write(filepath.Join(d.project, "key"), d.json("evidence checkpoint")["verifier"].(string))
	if out, rc := d.typed(nil, "/bin/sh", "-c", "trammel evidence prove 1 >proof.json"); rc != 0 {
		t.Fatalf("%d %s", rc, out)
	}
	if out, _ := d.quiet("", "trammel", "mcp", "pins", "list"); !wholeDigest.MatchString(out) {
		t.Errorf("the digests of pins are not whole: %s", out)
	}
	for _, c := range []struct{ call, keys string }{
		{"notify hello", "told"},
		{"agent init sample", "wrote"},
		{"pack init checks", "dir id"},
		{"pack init purchase --template purchase", "dir template"},
		{"pack validate checks", "diagnostics valid"},
		{"pack export purchase purchase.fstpack", "file format pack_hash process_id process_version"},
		{"pack install purchase.fstpack", "dir format intact pack_hash process_id process_version"},
		{"pack list", "dir format intact pack_hash process_id process_version stage"},
		{"pack explain", "authoritative calls"},
		{"pack approve purchase", "approved_at approved_by key process_id process_version proof revision scope"},
		{"pack approve purchase --withdraw", "process_id state"},
		{"evidence checkpoint", "root size verifier"},
		{"evidence check proof.json --key $(cat key)", "valid"},
		{"evidence push --to " + address + " --token-file token", "hash records"},
		{"serve token list", "created expires id identity name role used"},
		{"serve token revoke " + d.json("serve token list")["id"].(string), "id state"},
		{"mcp pins list", "digest server since state what"},
		{"mcp pins approve files", "accepted server"},
		{"mcp pins reset files", "server state"},
	} {
		got := slices.Sorted(maps.Keys(d.json(c.call)))
		if want := strings.Fields(c.keys); !slices.Equal(got, want) {
			t.Errorf("%s --json has the keys %v, expected %v", c.call, got, want)
		}
	}
	if out, rc := d.quiet("", "trammel", "serve", "token", "list", "--json"); rc != 0 || out != "[]\n" {
		t.Errorf("an empty list: %d %s", rc, out)
	}
}

// json runs a command with --json at a terminal, and returns the object that it
// prints on stdout, or the first one of a list.
func (d *testDesk) json(call string) map[string]any {
	d.t.Helper()
	file := filepath.Join(d.t.TempDir(), "out.json")
	out, rc := d.typed([]line{{"Authority secret", secretWord}}, "/bin/sh", "-c", "trammel "+call+" --json >"+file)
	data, err := os.ReadFile(file)
	if err != nil || rc != 0 {
		d.t.Fatalf("%s: exit code %d, %v: %s", call, rc, err, out)
	}
	list := make([]map[string]any, 1)
	if json.Unmarshal(data, &list[0]) != nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil || len(list) == 0 || list[0] == nil {
		d.t.Fatalf("%s: %v: %s", call, err, data)
	}
	return list[0]
}

// holdBack has the pins of a server hold back a tool, as the proxy does.
func (d *testDesk) holdBack(server string) {
	d.t.Helper()
	state := full.New(layers.Dirs{State: filepath.Join(d.home, ".local", "state", "trammel")}).State
	w := &pin.Watch{Store: pin.Store{State: state}, Server: pin.Server{Name: server}, Options: pin.Options{Mode: pin.Strict}}
	if _, err := w.Listed(d.t.Context(), pin.Tool, []map[string]any{{"name": "read"}}, true); err != nil {
		d.t.Fatal(err)
	}
}
