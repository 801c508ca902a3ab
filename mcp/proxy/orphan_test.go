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

// ends are the ways in which a session can end on every system.
var ends = map[string]func(proxy *os.Process, client io.Closer, server *os.Process){
	"the client ends":      func(_ *os.Process, client io.Closer, _ *os.Process) { client.Close() },
	"the proxy is killed":  func(proxy *os.Process, _ io.Closer, _ *os.Process) { proxy.Kill() },
	"the server is killed": func(_ *os.Process, _ io.Closer, server *os.Process) { server.Kill() }, // and what it has started is not
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

func nothingIsLeft(dir, line string, end func(proxy *os.Process, client io.Closer, server *os.Process)) error {
	file, mark := filepath.Join(dir, "pids"), filepath.Join(dir, "reached")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ACT_AS=proxy", "STUBBORN=1", "PIDS="+file, "REACHED="+mark)
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
	var started []*os.Process // the server, and two that it has started
	if !eventually(func() bool { started = processes(file); return len(started) == 3 }) {
		return errors.New("the server has not started anything")
	}
	defer func() {
		for _, p := range started {
			p.Kill()
			p.Release()
		}
	}()
	if !apart(started[0]) {
		return errors.New("the server is in a group with us")
	}
	if line != "" {
		io.WriteString(in, line+"\n")
		if strings.Contains(line, "ping") {
			bufio.NewReader(out).ReadString('\n')
		} else if !eventually(func() bool { _, err := os.Stat(mark); return err == nil }) {
			return errors.New("the step is not reached")
		}
	}
	end(cmd.Process, in, started[0])
	go cmd.Wait()
	if !eventually(func() bool { return gone(started) }) {
		return errors.New("there are processes left")
	}
	return nil
}

// processes are those whose ids are in a file, the server's first: it writes its
// own before it starts others.
func processes(file string) (out []*os.Process) {
	data, _ := os.ReadFile(file)
	for line := range strings.Lines(string(data)) {
		if pid, err := strconv.Atoi(strings.TrimSuffix(line, "\n")); err == nil && strings.HasSuffix(line, "\n") {
			if p, err := os.FindProcess(pid); err == nil {
				out = append(out, p)
			}
		}
	}
	return out
}

// stay is a process that a server has started and that does not want to end.
func stay() {
	stubborn()
	writePID()
	time.Sleep(10 * time.Minute)
}

func writePID() {
	f, err := os.OpenFile(os.Getenv("PIDS"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(strconv.Itoa(os.Getpid()) + "\n")
		f.Close()
	}
	if err != nil {
		panic(err)
	}
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
