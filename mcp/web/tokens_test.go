package web

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// MCP-63: what stands for a secret in a header comes from a file that is its user's
// alone, or from the keyring of the system.
func TestSecretsOfHeaders(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	header := func(where string, more ...string) (string, error) {
		h, err := headersFromEnv(append(more, "TRAMMEL_MCP_HEADER_1=Authorization: Bearer ${T}", "TRAMMEL_MCP_SECRET_T="+where))
		return h.Get("Authorization"), err
	}
	own := write("own", "s3cret\n", 0o600)
	if got, err := header("file:"+own, "T=not this"); err != nil || got != "Bearer s3cret" {
		t.Errorf("a file: %q, %v", got, err)
	}
	for _, bad := range []string{"s3cret", "file:own", "file:" + dir, "file:" + filepath.Join(dir, "none"),
		"file:" + write("empty", "\n", 0o600),
		"file:" + write("large", strings.Repeat("x", maxSecret+1), 0o600), "file:" + write("lines", "a\nb", 0o600),
		"keyring:x", "keyring:/x", "keyring:x/", "${HOME}"} {
		if got, err := header(bad); err == nil || got != "" || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %q, %v", bad, got, err)
		}
	}
	if got, err := headersFromEnv([]string{"TRAMMEL_MCP_HEADER_1=A: ${file:" + own + "}"}); err == nil {
		t.Errorf("a header has a file read by itself: %v", got)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if got, err := header("file:" + write("shared", "s3cret", 0o640)); err == nil || got != "" {
		t.Errorf("a file that others can read: %q, %v", got, err)
	}
	program := filepath.Base(keyring(runtime.GOOS, "", "")[0])
	write(program, "#!/bin/sh\ncase \"$*\" in *mcp*ann*) echo of the keyring;; *) exit 1;; esac\n", 0o700)
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	if got, err := header("keyring:mcp/ann", "PATH="+os.Getenv("PATH")); err != nil || got != "Bearer of the keyring" {
		t.Errorf("the keyring: %q, %v", got, err)
	}
	if got, err := header("keyring:mcp/bob", "PATH="+os.Getenv("PATH")); err == nil {
		t.Errorf("a keyring without it: %q", got)
	}
}

// The names of a secret are arguments of their own, or variables: never a part of
// a script.
func TestKeyrings(t *testing.T) {
	for system, program := range map[string]string{"darwin": "security", "linux": "secret-tool", "windows": "powershell"} {
		args := keyring(system, "a'; b", "c")
		if args[0] != program || system == "windows" == slices.Contains(args, "a'; b") {
			t.Errorf("%s: %q", system, args)
		}
	}
}
