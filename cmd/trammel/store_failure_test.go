//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store/sqlite"
	"github.com/trammel-dev/trammel/test/people"
	"github.com/trammel-dev/trammel/test/pgtest"
	"github.com/trammel-dev/trammel/test/testfile"
)

// secretArgument is in the arguments of every call here, secretPassword in the
// addresses of stores, and there they must stay.
const (
	secretArgument = "ghp_" + "x7Kq2mVb9TzRw4Ls8NpD1cYf6HjG3aEo5Qut"
	secretPassword = "hunter2"
)

// home is a machine with a project whose payments need a person.
type home struct{ dir, store string }

func newHome(t *testing.T, address string) *home {
	h := &home{dir: t.TempDir()}
	h.store = filepath.Join(h.dir, ".local", "state", "trammel", "approvals", "store.db")
	for path, text := range map[string]string{
		"project/trammel.yaml": "version: 1\nhooks:\n  - id: payments\n    on: pre_tool_use\n    match: { program: pay }\n" +
			"    approve: { reason: Payments need a person., mode: park }\n",
		".config/trammel/trammel.yaml": "version: 1\napprovals: { store: " + address + " }\n",
	} {
		if address == "" && strings.HasPrefix(path, ".config") {
			continue
		}
		testfile.Write(t, filepath.Join(h.dir, path), text, 0o600)
	}
	return h
}

// hook is the program that a host starts for a call.
func (h *home) hook(command string) *exec.Cmd {
	input, _ := json.Marshal(map[string]any{"session_id": "s1", "transcript_path": "/t.jsonl", "cwd": filepath.Join(h.dir, "project"),
		"permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": fmt.Sprint("toolu_",
			time.Now().UnixNano()),
		"tool_input": map[string]string{"command": command}})
	cmd := exec.Command(filepath.Join(bin, "trammel-hook"), "claude-code", "PreToolUse")
	cmd.Stdin, cmd.Dir, cmd.Env = bytes.NewReader(input), filepath.Join(h.dir, "project"), []string{"HOME=" + h.dir, "PATH=" +
		os.Getenv("PATH")}
	return cmd
}

// call lets an agent make a call, and returns the decision and why.
func (h *home) call(t *testing.T, command string) (decision, reason string) {
	t.Helper()
	cmd := h.hook(command)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s %s", err, out, stderr.String())
	}
	for _, secret := range []string{secretArgument, secretPassword} {
		if bytes.Contains(out, []byte(secret)) || strings.Contains(stderr.String(), secret) {
			t.Errorf("a secret is in what was said: %s %s", out, stderr.String())
		}
	}
	var reply struct {
		Output struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if len(out) > 0 {
		if err := json.Unmarshal(out, &reply); err != nil {
			t.Fatalf("no well-formed answer: %v: %s", err, out)
		}
	}
	return reply.Output.Decision, reply.Output.Reason
}

// A store that fails in any way is a no, in time and in the host's own form,
// and a secret in the arguments is in nothing but the store (APR-12).
func TestStoreFails(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // takes connections, and never says a word
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for name, c := range map[string]struct {
		address string
		fail    func(t *testing.T, h *home)
	}{
		"locked by another process": {"", func(t *testing.T, h *home) {
			st, err := sqlite.Open(t.Context(), h.store)
			if err != nil {
				t.Fatal(err)
			}
			tx, err := st.DB.Begin()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { tx.Rollback(); st.Close() })
		}},
		"locked while it is made": {"", func(t *testing.T, h *home) {
			os.RemoveAll(filepath.Dir(h.store))
			if err := os.MkdirAll(filepath.Dir(h.store), 0o700); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("python3", "-c", "import sqlite3").CombinedOutput(); err != nil {
				t.Skipf("no other program that opens SQLite: %s", out)
			}
			hold := exec.Command("python3", "-c", fmt.Sprintf(
				"import sqlite3,sys;c=sqlite3.connect(%q);c.execute('begin exclusive');print('held',flush=True);sys.stdin.read()", h.store))
			in, _ := hold.StdinPipe()
			out, _ := hold.StdoutPipe()
			if err := hold.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { in.Close(); hold.Wait() })
			out.Read(make([]byte, 4))
		}},
		"junk": {"", func(t *testing.T, h *home) {
			damage(t, h, func([]byte) []byte { return bytes.Repeat([]byte("junk"), 4096) })
		}},
		"cut": {"", func(t *testing.T, h *home) { damage(t, h, func(data []byte) []byte { return data[:len(data)/2] }) }},
		"overwritten in the middle": {"", func(t *testing.T, h *home) {
			damage(t, h, func(data []byte) []byte { return append(data[:4096], make([]byte, len(data)-4096)...) })
		}},
		"a directory": {"", func(t *testing.T, h *home) {
			damage(t, h, func([]byte) []byte { return nil })
			os.Remove(h.store)
			os.Mkdir(h.store, 0o700)
		}},
		"of a newer version": {"", func(t *testing.T, h *home) {
			st, err := sqlite.Open(t.Context(), h.store)
			if err == nil {
				_, err = st.DB.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`)
				st.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}},
		"full disk": {"", func(t *testing.T, h *home) {
			dir := filepath.Dir(h.store)
			if err := mountSmall(dir); err != nil {
				t.Skipf("cannot mount a small disk: %v", err)
			}
			t.Cleanup(func() { unmount(dir) })
			h.call(t, "pay 2 "+secretArgument)
			os.WriteFile(filepath.Join(dir, "ballast"), make([]byte, 4<<20), 0o600)
		}},
		"PostgreSQL not there":     {"postgres://u:" + secretPassword + "@127.0.0.1:1/d", nil},
		"PostgreSQL says nothing":  {"postgres://u:" + secretPassword + "@" + silent.Addr().String() + "/d", nil},
		"a port that is none":      {"postgres://u:" + secretPassword + "@127.0.0.1:x/d", nil},
		"neither file nor address": {"mysql://u:" + secretPassword + "@127.0.0.1/d", nil},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t, c.address)
			if c.fail != nil {
				if _, reason := h.call(t, "pay 1 "+secretArgument); !strings.Contains(reason, "A person has to decide") {
					t.Fatalf("before: %s", reason)
				}
				c.fail(t, h)
			}
			begin := time.Now()
			decision, reason := h.call(t, "pay 60000 "+secretArgument)
			if took := time.Since(begin); decision != "deny" || strings.Contains(reason, "A person has to decide") || took > 40*time.Second {
				t.Errorf("%s after %v: %s", decision, took, reason)
			}
			t.Log(reason)
			keptSecret(t, h)
		})
	}
}

func damage(t *testing.T, h *home, change func([]byte) []byte) {
	st, err := sqlite.Open(t.Context(), h.store)
	if err != nil {
		t.Fatal(err)
	}
	st.Close() // the last one puts all into the one file
	data, err := os.ReadFile(h.store)
	if err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		os.Remove(h.store + suffix)
	}
	if err := os.WriteFile(h.store, change(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

// keptSecret: nothing that Trammel writes has the secret but the store itself.
func keptSecret(t *testing.T, h *home) {
	err := filepath.WalkDir(h.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasPrefix(path, h.store) {
			return nil
		}
		if data, err := os.ReadFile(path); err == nil && bytes.Contains(data, []byte(secretArgument)) {
			t.Errorf("the secret is in %s", path)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A hook that is killed while its call waits loses nothing: people decide, and
// the call goes through once when it is made again. On both stores.
func TestKilledWhileItWaits(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return "" },
		"postgres": func(t *testing.T) string { return pgtest.Database(t) },
	} {
		t.Run(name, func(t *testing.T) {
			settings := approvals.Settings{Store: address(t)}
			h := newHome(t, settings.Store)
			h.mode(t, "block")
			state := filepath.Join(h.dir, ".local", "state", "trammel")
			if err := os.MkdirAll(state, 0o700); err != nil {
				t.Fatal(err)
			}
			if _, err := people.SetUp(state); err != nil {
				t.Fatal(err)
			}
			for _, approve := range []bool{true, false} {
				waits := h.hook("pay 60000")
				waits.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
				if err := waits.Start(); err != nil {
					t.Fatal(err)
				}
				ctx, stop := context.WithTimeout(t.Context(), time.Minute)
				defer stop()
				_, err := people.Decide(ctx, state, settings, people.Decision{Approve: approve, Before: func() {
					syscall.Kill(-waits.Process.Pid, syscall.SIGKILL)
					waits.Wait()
				}})
				if err != nil {
					t.Fatal(err)
				}
				decision, reason := h.call(t, "pay 60000")
				if approve && decision == "deny" || !approve && !strings.Contains(reason, "Rejected by local") {
					t.Errorf("the next time: %s %s", decision, reason)
				}
			}
			h.mode(t, "park")
			if _, reason := h.call(t, "pay 60000"); !strings.Contains(reason, "A person has to decide") {
				t.Errorf("and then: %s", reason)
			}
		})
	}
}

// mode sets how calls wait.
func (h *home) mode(t *testing.T, mode string) {
	path := filepath.Join(h.dir, "project", "trammel.yaml")
	data, err := os.ReadFile(path)
	if err == nil {
		text := strings.NewReplacer("mode: park", "mode: "+mode, "mode: block", "mode: "+mode).Replace(string(data))
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Opening the store costs something, so a rule that does not hold does not.
func TestStoreIsOpenedWhenNeeded(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	if decision, reason := h.call(t, "ls"); decision == "deny" {
		t.Error(reason)
	}
	if _, err := os.Stat(filepath.Dir(h.store)); !os.IsNotExist(err) {
		t.Errorf("the store was opened: %v", err)
	}
}
