package repository

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// Every policy has a page, its options in it are those of the code, and its
// examples are configuration that compiles.
func TestPolicyPages(t *testing.T) {
	p := full.New(layers.Dirs{})
	reg := full.Registry{Registry: p.Registry, Dialects: p.Dialects}
	var index strings.Builder
	fmt.Fprint(&index, "| policy | what it does | on | may |\n|---|---|---|---|\n")
	for _, policy := range p.Registry.Policies() {
		fmt.Fprintf(&index, "| [`%s`](policies/%[1]s.md) | %s | %s | %s |\n", policy.Name, policy.Summary, kinds(policy.On), policy.May)
		page := filepath.Join("docs/policies", policy.Name+".md")
		options, err := config.OptionsOf(policy)
		if err != nil {
			t.Error(err)
			continue
		}
		generate(t, page, "<!-- generated: options -->\n", optionTable(policy, options))
		data, err := os.ReadFile(page)
		if err != nil {
			continue // said already
		}
		examples := blocks(string(data), "yaml")
		if len(examples) == 0 {
			t.Errorf("%s has no example", page)
		}
		for _, example := range examples {
			set := &layers.Set{Root: "/", Files: []layers.File{{Path: page, Layer: layers.User, Dir: "/", Data: []byte(example),
				Trust: layers.Trusted}}}
			if _, err := config.Compile(set, reg); err != nil {
				t.Errorf("%s: the example cannot be used: %v", page, err)
			}
		}
	}
	generate(t, "docs/policies.md", "<!-- generated: policies -->\n", index.String())
}

func optionTable(p trammel.Policy, options []config.Option) string {
	var b strings.Builder
	fmt.Fprintf(&b, "On %s; may %s", kinds(p.On), p.May)
	if p.Rewrites {
		b.WriteString(", and rewrites")
	}
	b.WriteString(".\n\n")
	if len(options) == 0 {
		b.WriteString("It takes no options.\n")
		return b.String()
	}
	b.WriteString("| option | type | default | |\n|---|---|---|---|\n")
	escape := strings.NewReplacer("|", `\|`, "\n", " ").Replace
	for _, o := range options {
		value := ""
		if o.Default != "" {
			value = "`" + escape(o.Default) + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", o.Name, escape(o.Type), value, escape(o.About))
	}
	return b.String()
}

func kinds(list []trammel.Kind) string {
	names := make([]string, len(list))
	for i, k := range list {
		names[i] = k.String()
	}
	if len(names) > 6 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:4], ", "), len(names)-4)
	}
	return strings.Join(names, ", ")
}

// generate holds, or with -update writes, what stands between a mark and the
// end of the generated part.
func generate(t *testing.T, page, begin, text string) {
	t.Helper()
	const end = "<!-- end -->\n"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Error(err)
		return
	}
	before, rest, ok := strings.Cut(string(data), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Errorf("%s has no place for what is generated, expected %q and %q", page, begin, end)
		return
	}
	want := before + begin + text + end + after
	if want == string(data) {
		return
	}
	if !*update {
		t.Errorf("%s is out of date: go test ./test/repository -run %s -update", page, t.Name())
		return
	}
	if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
		t.Error(err)
	}
}

// blocks are the fenced blocks of a language.
func blocks(page, language string) []string {
	var out []string
	for _, part := range strings.Split(page, "```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(part, "```")
		out = append(out, block)
	}
	return out
}
