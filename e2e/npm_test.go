//go:build e2e && unix

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// npmInstall makes sure that a program of an npm package is in the cache, in
// the given version, and returns its path. folder is the package's own folder
// in the cache.
func npmInstall(folder, pkg, version, program string) (string, error) {
	cache := os.Getenv("TRAMMEL_E2E_CACHE")
	if cache == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		cache = filepath.Join(home, ".cache", "trammel-e2e")
	}
	dir := filepath.Join(cache, folder)
	path := filepath.Join(dir, "node_modules", ".bin", program)
	if isVersion(path, version) {
		return path, nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", unavailable("no npm: " + err.Error())
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	cmd := exec.Command(npm, "install", "--prefix", dir, "--json", "--save-exact", "--no-audit", "--no-fund", "--prefer-offline",
		"--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=60000", pkg+"@"+version)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if code := npmError(stdout.Bytes()); slices.Contains(unreachable, code) {
			return "", unavailable("npm registry unreachable: " + code)
		}
		return "", fmt.Errorf("npm install %s@%s: %w\n%s%s", pkg, version, err, &stdout, &stderr)
	}
	if !isVersion(path, version) {
		return "", fmt.Errorf("%s is not version %s after npm has installed it", path, version)
	}
	return path, nil
}

// isVersion asks a program for its version: a half finished installation has
// none.
func isVersion(path, version string) bool {
	cmd := exec.Command(path, "--version")
	cmd.Env = append(os.Environ(), "HOME="+ready.Dir) // it is not to touch the user's own
	out, err := cmd.Output()
	return err == nil && slices.Contains(strings.Fields(string(out)), version)
}

// unreachable are npm's codes for a registry that does not answer.
var unreachable = []string{"EAI_AGAIN", "ENOTFOUND", "ECONNREFUSED", "ECONNRESET", "ENETUNREACH", "EHOSTUNREACH", "ETIMEDOUT", "ERR_SOCKET_TIMEOUT"}

func npmError(out []byte) string {
	var report struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	if json.Unmarshal(out, &report) != nil {
		return ""
	}
	return report.Error.Code
}
