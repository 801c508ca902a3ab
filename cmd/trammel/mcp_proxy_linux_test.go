package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// MCP-80: a proxy that has nothing to do has at most 30 MiB.
func TestIdleProxyIsSmall(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	cmd := exec.Command(filepath.Join(bin, "trammel"), "mcp", "proxy", "--", "cat")
	cmd.Env, cmd.Dir, cmd.Stderr = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}, home, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"`+strings.Repeat("x", 10<<20)+`"}}`)
	if line, err := bufio.NewReader(out).ReadString('\n'); len(line) < 10<<20 {
		t.Fatalf("%.200s %v", line, err)
	}
	resident := 0
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", cmd.Process.Pid))
		if err != nil {
			t.Skip(err)
		}
		_, rest, _ := strings.Cut(string(text), "\nRss:")
		if _, err := fmt.Sscan(rest, &resident); err != nil {
			t.Fatal(err)
		}
		if resident <= 30<<10 {
			return
		}
	}
	t.Errorf("%d KiB resident", resident)
}
