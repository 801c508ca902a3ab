package outputguard

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

// Documents and sources of Go and of this project are read as the output of a
// tool. What is found in them is a false alarm, but in what is about this policy.
func TestQuiet(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all of Go's source")
	}
	files, alarms := 0, 0
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	goroot := strings.TrimSpace(string(out))
	for _, root := range []string{"../../docs", "../../README.md", "../../effects", filepath.Join(goroot, "doc"), filepath.Join(goroot, "api"),
		filepath.Join(goroot, "src")} {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.Contains(path, "testdata/") || strings.Contains(path, "effects/names/") {
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil || len(data) > 1<<20 || strings.IndexByte(string(data), 0) >= 0 {
				return nil
			}
			files++
			a, _ := guard(context.Background(), &trammel.Event{Kind: trammel.PostToolUse, Tool: &trammel.ToolCall{Name: "Read",
				Output: string(data)}})
			if len(a.Findings) > 0 && filepath.Base(path) != "output-guard.md" {
				alarms++
				t.Logf("%s: %+v", path, a.Findings)
			}
			return nil
		})
	}
	t.Logf("%d of %d files", alarms, files)
	if alarms*200 > files {
		t.Errorf("%d of %d files are marked", alarms, files)
	}
}

func BenchmarkOrdinary(b *testing.B) {
	data, err := os.ReadFile("../../docs/hosts.md")
	if err != nil {
		b.Fatal(err)
	}
	ev := &trammel.Event{Kind: trammel.PostToolUse, Tool: &trammel.ToolCall{Name: "Read", Output: string(data)}}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := guard(b.Context(), ev); err != nil {
			b.Fatal(err)
		}
	}
}
