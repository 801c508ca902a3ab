//go:build unix

package proxy

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// steps are where a session can be when something ends: each with what the client
// has said by then.
var steps = map[string]string{
	"before a word":            "",
	"between calls":            `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
	"while a call is judged":   `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"held"}}`,
	"while the server works":   `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"unanswered"}}`,
	"in the middle of a reply": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"torn"}}`,
}

// ends are the ways in which a session can end.
var ends = map[string]func(proxy *os.Process, client io.Closer, group int){
	"the client ends":          func(_ *os.Process, client io.Closer, _ int) { client.Close() },
	"the proxy is killed":      func(proxy *os.Process, _ io.Closer, _ int) { proxy.Kill() },
	"the proxy is told to end": func(proxy *os.Process, _ io.Closer, _ int) { proxy.Signal(syscall.SIGTERM) },
	"the server is killed":     func(_ *os.Process, _ io.Closer, group int) { syscall.Kill(group, syscall.SIGKILL) }, // the leader alone
}

// MCP-60, MCP-94: however it ends, and wherever the proxy is killed, no process is
// left, not even of a server that wants to stay and has started others.
func TestNothingIsLeft(t *testing.T) {
	var all sync.WaitGroup // each only waits, so they wait together
	for how, end := range ends {
		for step, line := range steps {
			if how != "the proxy is killed" && step != "between calls" {
				continue
			}
			dir := t.TempDir()
			all.Go(func() {
				if err := nothingIsLeft(dir, line, end); err != nil {
					t.Errorf("%s %s: %v", how, step, err)
				}
			})
		}
	}
	all.Wait()
	// What is waited for adds up to less than 6 seconds. How long a machine with
	// much to do takes for it is another matter.
	if grace := graceEOF + graceTerm; grace > 6*time.Second {
		t.Errorf("a server has %v to end", grace)
	}
}

func nothingIsLeft(dir, line string, end func(*os.Process, io.Closer, int)) error {
	pids, mark := filepath.Join(dir, "pids"), filepath.Join(dir, "reached")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ACT_AS=proxy", "STUBBORN=1", "PIDS="+pids, "REACHED="+mark)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	group := 0
	if !eventually(func() bool {
		data, _ := os.ReadFile(pids)
		if list := strings.Fields(string(data)); len(list) > 0 {
			pid, _ := strconv.Atoi(list[0])
			group, _ = syscall.Getpgid(pid)
		}
		return group != 0
	}) || group == syscall.Getpgrp() {
		return errors.New("the server has not started anything, or in our own group")
	}
	if line != "" {
		io.WriteString(in, line+"\n")
		if strings.Contains(line, "ping") {
			bufio.NewReader(out).ReadString('\n')
		} else if !eventually(func() bool { _, err := os.Stat(mark); return err == nil }) {
			return errors.New("the step is not reached")
		}
	}
	end(cmd.Process, in, group)
	go cmd.Wait()
	defer syscall.Kill(-group, syscall.SIGKILL)
	if !eventually(func() bool { return syscall.Kill(-group, 0) != nil }) {
		return errors.New("there are processes left")
	}
	return nil
}

// eventually waits for something that takes seconds at most, and much longer on
// a machine with much to do.
func eventually(is func() bool) bool {
	for until := time.Now().Add(2 * time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			return false
		}
	}
	return true
}
