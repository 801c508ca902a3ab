//go:build e2e

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// intoNamespace runs a command where there is no network but loopback, and
// where a mount stays its own.
var intoNamespace = []string{"unshare", "--net", "--mount", "sh", "-c", `ip link set lo up && exec "$0" "$@"`}

// isolate makes cmd run in a namespace. It returns why it cannot.
func isolate(cmd *exec.Cmd) string {
	if os.Geteuid() != 0 {
		return "not root"
	}
	unshare, err := exec.LookPath(intoNamespace[0])
	if err != nil {
		return "no network namespace: " + err.Error()
	}
	if out, err := exec.Command(unshare, append(intoNamespace[1:], "true")...).CombinedOutput(); err != nil {
		return fmt.Sprintf("no network namespace: %v: %s", err, bytes.TrimSpace(out))
	}
	cmd.Args = append(append(intoNamespace[:len(intoNamespace):len(intoNamespace)], cmd.Path), cmd.Args[1:]...)
	cmd.Path = unshare
	return ""
}

// TestIsolated proves that nothing here can reach the world.
func TestIsolated(t *testing.T) {
	if ready.Exposed != "" {
		skip(t, ready.Exposed)
	}
	links, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	if len(links) != 1 || links[0].Flags&net.FlagLoopback == 0 {
		t.Errorf("network interfaces %v, expected only loopback", links)
	}
}

// mountFull mounts a file system without a free block. It is gone with the
// namespace, at the latest.
func mountFull(t *testing.T, dir string) {
	if ready.Exposed != "" {
		skip(t, "no mount: "+ready.Exposed)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=64k,mode=0700"); err != nil {
		skip(t, "no mount: "+err.Error())
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 128<<10), 0o600)
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("filling %s: %v, expected that no space is left", dir, err)
	}
}
