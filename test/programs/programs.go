// Package programs builds our programs for tests. They are linked once for all packages
// that test them, into the checkout's folder bin/test: linking takes longer than most tests.
package programs

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/internal/flock"
)

// Follow is the flag of go build for programs whose directories HOME and XDG_* choose.
const Follow = "-ldflags=-X=github.com/trammel-dev/trammel/internal/layers.environment=follow"

// stripped leaves out what only debuggers need, as shipped programs do.
const stripped = " -s -w"

// Shipped puts trammel and trammel-hook into a directory, as they are shipped.
func Shipped(dir string) error { return build(dir, "shipped", "-ldflags="+stripped) }

// Isolated is Shipped with Follow, and with what the Makefile links tests with.
func Isolated(dir string) error {
	return build(dir, "isolated", Follow+stripped+" "+os.Getenv("TRAMMEL_TEST_LDFLAGS"))
}

func build(dir, kind, flags string) error {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return fmt.Errorf("go env GOMOD: %w", err)
	}
	root := filepath.Dir(strings.TrimSpace(string(mod)))
	shared := filepath.Join(root, "bin", "test", kind)
	if err := os.MkdirAll(shared, 0o755); err != nil {
		return err
	}
	lock, err := flock.Lock(context.Background(), filepath.Join(shared, "lock"))
	if err != nil {
		return err
	}
	defer lock.Unlock()
	args := []string{"build", flags, "-o", shared + string(filepath.Separator), "./cmd/trammel", "./cmd/trammel-hook"}
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %q: %w\n%s", args, err, out)
	}
	suffix, err := exec.Command("go", "env", "GOEXE").Output()
	if err != nil {
		return fmt.Errorf("go env GOEXE: %w", err)
	}
	for _, name := range []string{"trammel", "trammel-hook"} {
		name += strings.TrimSpace(string(suffix))
		if err := copyProgram(filepath.Join(shared, name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// copyProgram copies: a test may change its program, but not that of others.
func copyProgram(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
