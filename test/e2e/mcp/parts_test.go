//go:build e2e && unix

package mcp

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/test/programs"
	"github.com/trammel-dev/trammel/test/testfile"
)

// The packages of npm, each list in a folder of its own.
var packages = map[string][]string{
	"mcp": {"node@24", "@modelcontextprotocol/inspector@2.12.0", "@modelcontextprotocol/server-everything@2026.8.31",
		"@modelcontextprotocol/server-filesystem@2026.8.31", "@modelcontextprotocol/server-memory@2026.8.31",
		"@modelcontextprotocol/conformance@0.1.16"},
	"mcp-alpha": {"node@24", "@modelcontextprotocol/conformance@0.2.0-alpha.12"},
}

// parts are the programs of a test.
type parts struct {
	t       *testing.T
	dir     string // of this test
	modules string // the folder with the packages
	alpha   string
	trammel string
	server  string // the SDK's server for conformance, of both eras
}

func newParts(t *testing.T) *parts {
	dir := t.TempDir()
	p := &parts{t: t, dir: dir, modules: installed(t, "mcp"), alpha: installed(t, "mcp-alpha"), trammel: filepath.Join(dir, "bin", "trammel"),
		server: filepath.Join(dir, "bin", "everything-server")}
	build := exec.Command("go", "build", programs.Follow, "-o", filepath.Join(dir, "bin")+"/", "../../../cmd/trammel",
		"github.com/modelcontextprotocol/go-sdk/conformance/everything-server")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// A server may not use the client's model unless somebody says so.
	config := filepath.Join(dir, ".config", "trammel", "trammel.yaml")
	testfile.Write(t, config, "version: 1\nmcp: {servers: {'*': {sampling: allow}}}\n", 0o600)
	return p
}

// installed is the folder with packages of npm. What is not there is installed;
// where npm cannot do that, the test is skipped.
func installed(t *testing.T, folder string) string {
	cache := os.Getenv("TRAMMEL_E2E_CACHE")
	if cache == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			t.Fatal(err)
		}
		cache = filepath.Join(home, ".cache", "trammel-e2e")
	}
	dir := filepath.Join(cache, folder)
	// The file is written last: a half finished installation has none.
	done, want := filepath.Join(dir, "installed"), strings.Join(packages[folder], "\n")
	if got, err := os.ReadFile(done); err != nil || string(got) != want {
		args := append([]string{"install", "--prefix", dir, "--save-exact", "--no-audit", "--no-fund", "--prefer-offline",
			"--fetch-retries=1"}, packages[folder]...)
		if out, err := exec.Command("npm", args...).CombinedOutput(); err != nil {
			if os.Getenv("TRAMMEL_E2E_REQUIRE") != "" {
				t.Fatalf("npm: %v\n%s", err, out)
			}
			t.Skipf("npm has not installed %q: %v", packages[folder], err)
		}
		if err := os.WriteFile(done, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "node_modules")
}

// command is a program with the packages' node first in PATH, and nothing of
// this machine's configuration.
func (p *parts) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = p.dir
	cmd.Env = []string{"PATH=" + filepath.Join(p.modules, ".bin") + ":" + os.Getenv("PATH"), "HOME=" + p.dir, "TMPDIR=" + p.dir}
	cmd.WaitDelay = time.Second
	return cmd
}

// start starts a program that listens, and ends it with the test.
func (p *parts) start(address string, cmd *exec.Cmd) {
	p.t.Helper()
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for range 200 {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	p.t.Fatalf("%s does not listen on %s", cmd.Path, address)
}

// relay starts the proxy in front of a URL, and returns its own. Each has a name
// of its own: another server under a known name is held back.
func (p *parts) relay(url string) string {
	address := free(p.t)
	p.start(address, p.command(p.trammel, "mcp", "proxy", "--name", "at"+address[strings.LastIndexByte(address, ':')+1:], "--url", url,
		"--listen", address))
	return "http://" + address + url[strings.LastIndexByte(url, '/'):]
}

// serve starts the proxy in front of a program, and returns its address.
func (p *parts) serve(program ...string) string {
	address := free(p.t)
	p.start(address, p.command(p.trammel, append([]string{"mcp", "proxy", "--name", "at" + address[strings.LastIndexByte(address, ':')+1:],
		"--listen", address, "--"}, program...)...))
	return "http://" + address + "/mcp"
}

// free is an address that nobody listens on.
func free(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (p *parts) module(name string) string {
	return filepath.Join(p.modules, "@modelcontextprotocol", name, "dist", "index.js")
}

// inspect runs the inspector, and returns all that it prints.
func (p *parts) inspect(args ...string) string {
	p.t.Helper()
	out, err := p.command(filepath.Join(p.modules, ".bin", "mcp-inspector"), append([]string{"--cli"}, args...)...).Output()
	return fmt.Sprintf("%s%v", out, err)
}
