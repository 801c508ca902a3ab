package full

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/plan"
)

// BenchmarkAnswer is the whole event flow, in one warm process: what is
// left when starting the program is taken away.
func BenchmarkAnswer(b *testing.B) {
	for _, n := range []int{50, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			dirs := layers.Dirs{Machine: filepath.Join(dir, "m"), User: filepath.Join(dir, "u"), State: filepath.Join(dir, "s"),
				Cache: filepath.Join(dir, "c")}
			var y strings.Builder
			y.WriteString("version: 1\nhooks:\n")
			for i := range n {
				switch i % 5 {
				case 0, 1, 2:
					fmt.Fprintf(&y, "  - {id: h%d, on: PreToolUse, match: {program: tool%d}, deny: {when: 'args.has(\"x\")'}}\n", i, i)
				default:
					fmt.Fprintf(&y, "  - {id: h%d, on: PreToolUse, match: {action: shell}, deny: {when: 'command contains \"forbidden%d\"'}}\n", i, i)
				}
			}
			os.MkdirAll(dirs.User, 0o700)
			os.WriteFile(filepath.Join(dirs.User, "trammel.yaml"), []byte(y.String()), 0o600)
			p := New(dirs)
			set, err := layers.Find(dirs, dir)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := p.Load(set); err != nil {
				b.Fatal(err)
			}
			p.Load = func(set *layers.Set) (*plan.Plan, error) {
				return plan.CacheIn(dirs.Cache).Load(layers.Key(set.Root), set.Digest)
			}
			payload := fmt.Appendf(nil,
				`{"session_id":"s","cwd":%q,"hook_event_name":"PreToolUse","tool_name":"Bash",`+
					`"tool_input":{"command":"go test ./... && git status --short","description":"%s"},`+
					`"tool_use_id":"t"}`, dir, strings.Repeat("Run the tests. ", 50))
			b.ReportAllocs()
			for b.Loop() {
				r := p.Answer(b.Context(), pipeline.Call{Host: "claude-code", Event: "PreToolUse", Stdin: bytes.NewReader(payload), Dir: dir,
					Getenv: func(string) string { return "" }})
				if r.Exit != 0 || len(r.Stdout) > 0 {
					b.Fatalf("%s %s", r.Stdout, r.Stderr)
				}
			}
		})
	}
}
