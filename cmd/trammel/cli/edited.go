package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Edited opens the person's editor on a value, in a file that only they can read.
func Edited(ctx context.Context, value any) ([]byte, error) {
	dir, err := os.MkdirTemp("", "trammel-edit-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "arguments.json")
	var text bytes.Buffer
	if err := JSON(&text, value); err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
		return nil, err
	}
	program := strings.Fields(os.Getenv("VISUAL"))
	if len(program) == 0 {
		program = strings.Fields(os.Getenv("EDITOR"))
	}
	if len(program) == 0 {
		program = []string{"vi"}
	}
	run := exec.CommandContext(context.WithoutCancel(ctx), program[0], append(program[1:], file)...)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := run.Run(); err != nil {
		return nil, fmt.Errorf("the editor %s: %w; nothing was decided", program[0], err)
	}
	return os.ReadFile(file)
}
