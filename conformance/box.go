package conformance

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
)

// box is a world of its own for one fixture.
type box struct {
	dir    string
	policy string // the file with it, "" if there is none
}

func newBox(policy string) (*box, error) {
	if err := isolates(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "trammel-conformance-")
	if err != nil {
		return nil, err
	}
	b := &box{dir: dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		b.dir = real
	}
	for _, d := range []string{b.project(), b.home(), b.tmp(), b.under("config/trammel"), b.under("state/trammel"), b.under("cache"),
		b.under("data")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			b.remove()
			return nil, err
		}
	}
	if policy != "" {
		b.policy = b.under("config/trammel/trammel.yaml")
		if err := os.WriteFile(b.policy, []byte(policy), 0o600); err != nil {
			b.remove()
			return nil, err
		}
	}
	return b, nil
}

func (b *box) remove() { os.RemoveAll(b.dir) }

func (b *box) under(path string) string { return filepath.Join(b.dir, filepath.FromSlash(path)) }
func (b *box) project() string          { return b.under("project") }
func (b *box) home() string             { return b.under("home") }
func (b *box) tmp() string              { return b.under("tmp") }
func (b *box) telemetry() string        { return b.under("state/telemetry.jsonl") }

// env is all that the adapter gets of an environment: the caller's would
// decide what passes.
func (b *box) env() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + b.home(),
		"TMPDIR=" + b.tmp(),
		"XDG_CONFIG_HOME=" + b.under("config"),
		"XDG_STATE_HOME=" + b.under("state"),
		"XDG_CACHE_HOME=" + b.under("cache"),
		"XDG_DATA_HOME=" + b.under("data"),
	}
}

// flags make our programs use the box's directories.
func (b *box) flags() []string {
	return []string{layers.UserFlag, b.under("config/trammel"), layers.StateFlag, b.under("state/trammel")}
}

// records are what was recorded: our evidence, and the telemetry of others.
func (b *box) records() ([]map[string]any, error) {
	var out []map[string]any
	logs, err := filepath.Glob(b.under("state/trammel/evidence/*"))
	if err != nil {
		return nil, err
	}
	for _, log := range logs {
		if err := evidence.Scan(log, func(e evidence.Entry) error {
			r, err := e.Record()
			out = append(out, r)
			return err
		}); err != nil {
			return nil, err
		}
	}
	raw, err := os.ReadFile(b.telemetry())
	if err != nil {
		return out, nil // others need not write it, and then it counts as missing
	}
	for i, line := range bytes.Split(bytes.TrimSpace(raw), []byte("\n")) {
		var r map[string]any
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("telemetry, line %d: %w", i+1, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// holds finds a text in the files that the adapter left anywhere.
func (b *box) holds(text string) (file string, err error) {
	err = filepath.WalkDir(b.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err == nil && bytes.Contains(raw, []byte(text)) {
			file, _ = filepath.Rel(b.dir, path)
			return fs.SkipAll
		}
		return err
	})
	return file, err
}
