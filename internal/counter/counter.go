// Package counter counts across processes: one small file per key, changed
// under a lock. A process that is killed while it counts leaves the old number
// or the new one.
package counter

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/internal/flock"
)

// Add counts one more for the key, which is made of its parts, and returns how
// many there are now.
func Add(ctx context.Context, dir string, parts ...string) (int, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, fmt.Errorf("count: %w", err)
	}
	path := filepath.Join(dir, name(parts))
	held, err := flock.Lock(ctx, path+".lock")
	if err != nil {
		return 0, fmt.Errorf("count: %w", err)
	}
	defer held.Unlock()
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("count: %w", err)
	}
	n := 0
	if len(data) > 0 {
		if n, err = strconv.Atoi(strings.TrimSpace(string(data))); err != nil || n < 0 {
			return 0, fmt.Errorf("count: %s holds %.20q, expected a number", path, data)
		}
	}
	n++
	next := path + ".next"
	if err := os.WriteFile(next, strconv.AppendInt(nil, int64(n), 10), 0o600); err != nil {
		return 0, fmt.Errorf("count: %w", err)
	}
	if err := os.Rename(next, path); err != nil {
		return 0, fmt.Errorf("count: %w", err)
	}
	return n, nil
}

// name is a file name for a key of any length and content.
func name(parts []string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
