//go:build unix

package worker

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

// FST-53: kill -9 of whoever calls leaves no program behind, on Linux.
func TestEndsWithItsCaller(t *testing.T) {
	if mark := os.Getenv("CALLER_MARK"); mark != "" { // the caller, in a process of its own
		w := New(Command{Args: []string{"/bin/sh", "-c", "trap '' TERM HUP; read -r l; while :; do read -r l || exec sleep 1000; done"},
			Env: []string{"PATH=" + os.Getenv("PATH"), "WORKER_MARK=" + mark}})
		w.Last(context.Background(), []byte("x\n"))
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends a program with its parent")
	}
	mark := fmt.Sprintf("caller-%d", time.Now().UnixNano())
	caller := exec.Command(os.Args[0], "-test.run=^TestEndsWithItsCaller$")
	caller.Env = append(os.Environ(), "CALLER_MARK="+mark)
	if err := caller.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); left("WORKER_MARK="+mark) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the program was not started")
		}
	}
	time.Sleep(100 * time.Millisecond) // it has read its call
	caller.Process.Kill()
	caller.Wait()
	none(t, "WORKER_MARK="+mark)
}
