//go:build unix

package proxy

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// MCP-60, MCP-94: however it ends, no process is left, not even of a server that
// wants to stay and has started others.
func TestNothingIsLeft(t *testing.T) {
	for _, how := range []string{"the client ends", "the proxy is killed", "the proxy is told to end", "the server is killed"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			pids := filepath.Join(t.TempDir(), "pids")
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "ACT_AS=proxy", "STUBBORN=1", "PIDS="+pids)
			in, _ := cmd.StdinPipe()
			out, _ := cmd.StdoutPipe()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n")
			bufio.NewReader(out).ReadString('\n')
			group := 0
			for deadline := time.Now().Add(10 * time.Second); group == 0 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
				data, _ := os.ReadFile(pids)
				if list := strings.Fields(string(data)); len(list) > 0 {
					pid, _ := strconv.Atoi(list[0])
					group, _ = syscall.Getpgid(pid)
				}
			}
			if group == 0 || group == syscall.Getpgrp() {
				t.Fatal("the server has not started anything")
			}
			switch how {
			case "the client ends":
				in.Close()
			case "the proxy is killed":
				cmd.Process.Kill()
			case "the proxy is told to end":
				cmd.Process.Signal(syscall.SIGTERM)
			case "the server is killed":
				syscall.Kill(group, syscall.SIGKILL) // the leader alone
			}
			go cmd.Wait()
			began := time.Now()
			for syscall.Kill(-group, 0) == nil {
				if time.Since(began) > 30*time.Second { // 5 s, and a machine with much to do
					syscall.Kill(-group, syscall.SIGKILL)
					t.Fatal("there are processes left")
				}
				time.Sleep(20 * time.Millisecond)
			}
			t.Logf("gone after %v", time.Since(began).Round(10*time.Millisecond))
		})
	}
}
