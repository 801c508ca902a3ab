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

// npmProgram is a program that comes from npm.
type npmProgram struct {
	folder string // its own, in the cache
	name   string
	// specs are the packages it needs, as name@version; the program is the
	// first's.
	specs []string // none if no registry has it
}

// named is a program that no registry has: a variable such as TRAMMEL_E2E_DOCKER_AGENT
// names it.
func (p npmProgram) named() (string, error) {
	variable := "TRAMMEL_E2E_" + strings.ToUpper(strings.ReplaceAll(p.name, "-", "_"))
	if program := os.Getenv(variable); program != "" {
		return program, nil
	}
	return "", unavailable(p.name + " is not here: " + variable + " names no program")
}

// version is the version of the program.
func (p npmProgram) version() string {
	if len(p.specs) == 0 {
		return ""
	}
	return p.specs[0][strings.LastIndexByte(p.specs[0], '@')+1:]
}

// install makes sure that the program is in the cache, in this version, and
// returns its path; the error is unavailable if this machine cannot have it.
func (p npmProgram) install() (string, error) {
	if len(p.specs) == 0 {
		return p.named()
	}
	cache := os.Getenv("TRAMMEL_E2E_CACHE")
	if cache == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		cache = filepath.Join(home, ".cache", "trammel-e2e")
	}
	dir := filepath.Join(cache, p.folder)
	path := filepath.Join(dir, "node_modules", ".bin", p.name)
	if p.isIn(dir) && isVersion(path, p.version()) {
		return path, nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", unavailable("no npm: " + err.Error())
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	cmd := exec.Command(npm, append([]string{"install", "--prefix", dir, "--json", "--save-exact", "--no-audit", "--no-fund",
		"--prefer-offline", "--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=60000"}, p.specs...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if code := npmError(stdout.Bytes()); slices.Contains(unreachable, code) {
			return "", unavailable("npm registry unreachable: " + code)
		}
		return "", fmt.Errorf("npm install %q: %w\n%s%s", p.specs, err, &stdout, &stderr)
	}
	if !isVersion(path, p.version()) {
		return "", fmt.Errorf("%s is not version %s after npm has installed it", path, p.version())
	}
	return path, nil
}

// isIn reports whether all packages are in a folder.
func (p npmProgram) isIn(dir string) bool {
	for _, spec := range p.specs {
		name := spec[:strings.LastIndexByte(spec, '@')]
		if _, err := os.Stat(filepath.Join(dir, "node_modules", name)); err != nil {
			return false
		}
	}
	return true
}

// isVersion asks a program for its version: a half finished installation has
// none.
func isVersion(path, version string) bool {
	cmd := exec.Command(path, "--version")
	// The program is not to touch the user's own files.
	cmd.Env = append(os.Environ(), "HOME="+ready.Dir, "PATH="+pathFor(path), "COPILOT_OFFLINE=true")
	out, err := cmd.Output()
	return err == nil && slices.ContainsFunc(strings.Fields(string(out)), func(word string) bool {
		return strings.Trim(word, "v.") == version
	})
}

// pathFor is the PATH that a program of npm needs: its own node comes first,
// if it has brought one along.
func pathFor(program string) string {
	return filepath.Dir(program) + string(os.PathListSeparator) + os.Getenv("PATH")
}

// unreachable are npm's codes for a registry that does not answer.
var unreachable = []string{"EAI_AGAIN", "ENOTFOUND", "ECONNREFUSED", "ECONNRESET", "ENETUNREACH", "EHOSTUNREACH", "ETIMEDOUT",
	"ERR_SOCKET_TIMEOUT"}

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
