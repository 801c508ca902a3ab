//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/test/people"
)

// What an agent with a shell can try, as the scripts that it would run. $ID is
// the request, $STORE the file with it, $MINE a home of its own with a secret
// that it has set itself, and $MY_SECRET that one. None of them knows the
// secret of the person.
var shellAttacks = []struct{ name, needs, script string }{
	{"the command", "", `trammel approvals approve $ID`},
	{"the secret piped in", "", `echo $MY_SECRET | trammel approvals approve $ID`},
	{"no session", "setsid", `setsid trammel approvals approve $ID </dev/null`},
	{"a terminal of script", "script", typing + `script -qec "trammel approvals approve $ID" /dev/null`},
	{"a terminal of python", "python3", typing +
		`python3 -c 'import os, pty; pty.spawn(["trammel", "approvals", "approve", os.environ["ID"]])'`},
	{"a terminal of tmux", "tmux", `tmux -S "$MINE/tmux" new-session -d "trammel approvals approve $ID >$MINE/said 2>&1"; sleep 1
tmux -S "$MINE/tmux" send-keys "$MY_SECRET" Enter; sleep 1; tmux -S "$MINE/tmux" kill-server; cat "$MINE/said"`},
	{"another login", "ssh", `ssh -o BatchMode=yes -o ConnectTimeout=2 -o StrictHostKeyChecking=no localhost "trammel approvals approve $ID"`},
	{"later", "at", `echo "trammel approvals approve $ID" | at now`},
	{"a parent that has gone", "script",
		`(setsid sh -c '` + typing + `script -qec "trammel approvals approve $ID" /dev/null >$MINE/said 2>&1' &)
sleep 4; cat "$MINE/said"`},
	{"variables", "", `TRAMMEL_SECRET=$MY_SECRET TRAMMEL_AUTHORITY=$MY_SECRET TRAMMEL_APPROVE=1 TRAMMEL_YES=1 trammel approvals approve $ID`},
	{"another clock", "",
		`TRAMMEL_NOW=2001-01-01T00:00:00Z TRAMMEL_CLOCK=1 FAKETIME=@2001-01-01 SOURCE_DATE_EPOCH=1 trammel approvals approve $ID`},
	{"a library before all others", "", `LD_PRELOAD=$MINE/none.so LD_LIBRARY_PATH=$MINE trammel approvals approve $ID`},
	{"a home of its own", "script", `(setsid sh -c '` + typing +
		`HOME=$MINE XDG_STATE_HOME=$MINE/.local/state TRAMMEL_STORE=$STORE script -qec ` +
		`"trammel approvals approve $ID" /dev/null >$MINE/said 2>&1' &)
sleep 5; cat "$MINE/said"`},
	{"a server of its own", "timeout", serving + `--oidc-issuer http://127.0.0.1:9 --oidc-client x --role al=admin` + started},
	{"a server with secrets of its own", "timeout", `DESK_IN=whsec_QUFBQUFBQUFBQUFBQUFBQUFBQUE= ` + serving + started},
	{"a new secret", "script", typing + `script -qec "trammel approvals unlock" /dev/null`},
	{"allow", "script", typing + `script -qec "trammel allow --reason x" /dev/null`},
	{"a grant", "script", typing + `script -qec "trammel approvals approve $ID --grant rule --for 2h" /dev/null`},
	{"the state in the store", "sqlite3",
		`sqlite3 "$STORE" "UPDATE approvals SET state = 'approved', doc = json_set(doc, '$.state', 'approved')"`},
	{"a vote in the store", "sqlite3",
		`sqlite3 "$STORE" "UPDATE approvals SET state = 'approved', doc = json_set(doc, '$.state', 'approved', ` +
			`'$.votes', json('[{\"approver\":\"local\",\"identity\":\"authority:key_x\",\"approve\":true,\"asks\":1}]'))"`},
	{"what it takes to approve", "sqlite3", `sqlite3 "$STORE" "UPDATE approvals SET doc = json_set(doc, '$.needs', json('{}'))"`},
	{"no request at all", "sqlite3", `sqlite3 "$STORE" "DELETE FROM approvals"`},
	{"a damaged store", "", `head -c 9000 /dev/urandom >"$STORE"`},
	{"a damaged journal", "", `head -c 9000 /dev/urandom >"$STORE-wal"; head -c 9000 /dev/urandom >"$STORE-journal"`},
	{"a store of its own", "", `rm -f "$STORE"*; cp "$MINE/store.db" "$STORE"`},
	{"no store", "", `rm -rf "$STORE"*; mkdir "$STORE"`},
}

// A server that runs until it is stopped is one that the agent has got.
const (
	serving = `timeout 20 trammel serve --listen 127.0.0.1:0 `
	started = `; test $? -eq 3 || echo "Approved by: a server runs for the agent"`
)

// typing types what the agent would like to be the secret, as soon as somebody asks.
const typing = `(sleep 1; echo "$MY_SECRET"; sleep 1; echo) | `

// An agent with a shell cannot approve its own request, whatever it starts, sets
// or writes short of replacing keys.json (issue 10, must show 5; APR-16, FIM-24).
func TestAnAgentWithAShell(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.setSecret()
	d.call("pay", payment)
	id := d.pending()
	mine := d.attacker()
	kept := d.copyStore()
	agent := filepath.Join(d.home, "claude")
	d.write(agent, "#!/bin/sh\nsh \"$@\"\necho rc=$?\n")
	env := append(d.env, "ID="+id, "STORE="+d.file("store.db"), "MINE="+mine, "MY_SECRET="+people.Secret)
	for _, a := range shellAttacks {
		t.Run(a.name, func(t *testing.T) {
			if a.needs != "" {
				if _, err := os.Stat(filepath.Join("/usr/bin", a.needs)); err != nil {
					t.Skip("there is no " + a.needs + " here")
				}
			}
			file := filepath.Join(mine, "attack.sh")
			d.write(file, a.script+"\n")
			os.Remove(filepath.Join(mine, "said"))
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			cmd := exec.CommandContext(ctx, agent, file)
			cmd.Env, cmd.Dir, cmd.WaitDelay = env, d.project, time.Second
			out, _ := cmd.CombinedOutput()
			if strings.Contains(string(out), "Approved by") && !strings.Contains(a.script, "HOME=$MINE") { // there it only believes so itself
				t.Errorf("it says %s", out)
			}
			if got := d.call("pay", payment); !strings.Contains(got, refusal) {
				t.Errorf("the call passes: %s\nafter %s", got, out)
			}
			d.restoreStore(kept)
		})
	}
	if d.pending() != id {
		t.Error("the request is not there any more")
	}
}

// The same about what the hook is started with: nothing of it moves the store,
// the keys or the clock, or the program that judges. That directories are not
// found by variables either is tested with the programs that are shipped, as
// those here are isolated by them (trammel-hook, TestUserLayerCannotBeMoved).
func TestAnAgentsEnvironmentDecidesNothing(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.setSecret()
	d.call("pay", payment)
	mine := d.attacker()
	d.write(filepath.Join(mine, "trammel"), "#!/bin/sh\nexit 0\n")
	plain := d.env
	for _, env := range []string{"PATH=" + mine + ":/usr/bin:/bin", "LD_PRELOAD=" + mine + "/none.so", "TRAMMEL_STORE=" + mine + "/store.db",
		"TRAMMEL_STATE=" + mine + "/.local/state/trammel",
		"TRAMMEL_USER_CONFIG=" + mine, "TRAMMEL_NOW=2099-01-01T00:00:00Z", "FAKETIME=+1h", "TRAMMEL_APPROVE=1", "GODEBUG=madvdontneed=1"} {
		d.env = append(plain[:len(plain):len(plain)], env)
		if out := d.call("pay", payment); !strings.Contains(out, refusal) {
			t.Errorf("%s: %s", env, out)
		}
	}
}

// attacker makes a home of the agent's own, in which it has approved the same
// call with a secret of its own; its votes are in the real store, too.
func (d *testDesk) attacker() (home string) {
	d.t.Helper()
	home = filepath.Join(d.home, "mine")
	state := filepath.Join(home, ".local/state/trammel")
	if err := os.MkdirAll(filepath.Join(home, ".config/trammel"), 0o700); err != nil {
		d.t.Fatal(err)
	}
	d.write(filepath.Join(home, ".config/trammel/trammel.yaml"), gatedPayments)
	if _, err := people.SetUp(state); err != nil {
		d.t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(d.t.Context(), 30*time.Second)
	defer stop()
	for suffix, data := range d.copyStore() {
		d.write(filepath.Join(home, "store.db"+suffix), data)
	}
	store := approvals.Settings{Store: filepath.Join(home, "store.db")}
	if a, err := people.Decide(ctx, state, store, people.Decision{Approve: true}); err != nil || a.State != "approved" {
		d.t.Fatalf("its own approval, in its own store: %v %v", a, err)
	}
	return home
}

// copyStore is what the files of the store hold, by how their names end.
func (d *testDesk) copyStore() map[string]string {
	out := map[string]string{}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if data, err := os.ReadFile(d.file("store.db" + suffix)); err == nil {
			out[suffix] = string(data)
		}
	}
	return out
}

func (d *testDesk) restoreStore(kept map[string]string) {
	files, _ := filepath.Glob(d.file("store.db*"))
	for _, f := range files {
		os.RemoveAll(f)
	}
	for suffix, data := range kept {
		d.write(d.file("store.db"+suffix), data)
	}
}
