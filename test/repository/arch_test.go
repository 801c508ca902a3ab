package repository

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/trammel-dev/trammel"

type pkg struct {
	Doc        string // the first sentence of its comment
	ImportPath string
	Imports    []string
	Deps       []string
	Standard   bool
	Name       string
}

func list(t *testing.T, args ...string) []pkg {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Deps,Standard,Name,Doc"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v: %s", err, stderr.String())
	}
	var pkgs []pkg
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// packageLayers are the packages by layer, lowest first. A package imports only
// packages of its own layer or a lower one. Those below internal that are not
// named in a layer know nothing of ours, and are the lowest.
var packageLayers = [][]string{
	{"internal"},
	{""},
	// these know the contract
	{"internal/secret", "internal/layers", "internal/state", "internal/summary", "internal/strict", "internal/procgroup", "internal/worker",
		"effects", "internal/post", "internal/template", "internal/option", "internal/desktop"},
	// what several policies share
	{"effects/match", "effects/past", "internal/flow", "internal/git", "internal/builds", "mcp/pin", "mcp/sse", "mcp/frame",
		"internal/changed", "tasks/registry", "tasks/fill", "telemetry"},
	{"filter"},
	{"store", "approvals"},
	{"importers"},
	{"dialects"},
	{"dialects/standard", "dialects/extended"},
	{"evidence", "handlers/rule", "handlers/command", "handlers/builtin", "handlers/http", "handlers/model", "handlers/stdio",
		"handlers/approval",
		"packs", "policies", "classhook"},
	{"policies/standard", "policies/extended", "docs", "examples", "recipes"},
	{"test/policysuite", "test/dialectsuite", "test/secrettest", "test/storesuite", "test/pgtest", "test/testfile",
		"test/worldtest", "test/programs"},
	{"plan"},
	{"handlers/standard"},
	{"bundles"},
	{"config"},
	{"pipeline"},
	{"pipeline/full"},
	{"repohooks"},
	{"install", "liveness", "conformance", "policytest", "backtest", "demo"},
	{"tasks"},
	{"agent", "mcp/proxy", "mcp/web"},
	{"mcp/server"},
	{"server/auth", "server/secure", "server/stream"},
	{"console", "watch"},
	{"server"},
	{"cmd", "test", "integrations", "dist"},
}

// layer finds the layer of a package: that of the longest path that it is in.
func layer(path string) int {
	rel := strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
	best, at := -1, -1
	for i, paths := range packageLayers {
		for _, dir := range paths {
			if (rel == dir || dir != "" && strings.HasPrefix(rel, dir+"/")) && len(dir) > best {
				best, at = len(dir), i
			}
		}
	}
	return at
}

func ours(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }

func TestArchitecture(t *testing.T) {
	for _, p := range list(t, "./...") {
		at := layer(p.ImportPath)
		if at < 0 {
			t.Errorf("%s is in no layer: add it to packageLayers and to docs/architecture.md", p.ImportPath)
			continue
		}
		for _, word := range []string{"util", "utils", "common", "helper", "helpers", "misc"} {
			if strings.HasSuffix(p.ImportPath, "/"+word) {
				t.Errorf("%s: name the package for what it does", p.ImportPath)
			}
		}
		for _, imp := range p.Imports {
			if ours(imp) && layer(imp) > at {
				t.Errorf("%s imports %s, which is in a higher layer", p.ImportPath, imp)
			}
			if imp == "net/http" && !mayUseHTTP(p.ImportPath) {
				t.Errorf("%s imports net/http", p.ImportPath)
			}
		}
		siblings(t, p)
	}
	root := list(t, module)[0]
	for _, imp := range root.Imports {
		if strings.Contains(imp, ".") && !strings.HasPrefix(imp, "github.com/go-json-experiment/json") {
			t.Errorf("the root package imports %s", imp)
		}
	}
}

func mayUseHTTP(path string) bool {
	for _, dir := range []string{"server", "console", "handlers/http", "handlers/model", "internal/post", "approvals/channels", "tasks/api",
		"agent/planner", "bundles/fetch", "mcp/server", "mcp/web", "test/e2e", "test/standin"} {
		if strings.HasPrefix(path, module+"/"+dir) {
			return true
		}
	}
	return false
}

// siblings: dialects, policies and handlers do not know of each other; only
// the lists named standard and extended, and the shared suites, do.
func siblings(t *testing.T, p pkg) {
	for _, dir := range []string{"dialects", "policies", "handlers"} {
		prefix := module + "/" + dir + "/"
		own, inside := strings.CutPrefix(p.ImportPath, prefix)
		if !inside || own == "standard" || own == "extended" {
			continue
		}
		for _, imp := range p.Imports {
			other, ok := strings.CutPrefix(imp, prefix)
			if shared := dir == "dialects" && (other == "decode" || other == "encode"); ok && !shared && folder(other) != folder(own) {
				t.Errorf("%s imports its sibling %s", p.ImportPath, imp)
			}
		}
	}
}

// folder is the first part of a path.
func folder(path string) string {
	first, _, _ := strings.Cut(path, "/")
	return first
}

// Programs start often: no package compiles regular expressions while they do.
func TestArchitectureOfInitializers(t *testing.T) {
	compiled := regexp.MustCompile(`(?m)^(var \w+|\t\w+) += regexp\.MustCompile`)
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "test/") {
			return err
		}
		source, err := os.ReadFile(path)
		if at := compiled.Find(source); at != nil {
			t.Errorf("%s: %s compiles a regular expression when the program starts; use lazy.Regexp", path, at)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// No file is for one processor, or make cross would have to build everything for each.
func TestArchitectureOfProcessors(t *testing.T) {
	processor := regexp.MustCompile(`_(amd64|arm64|386|arm|riscv64)(_test)?\.(go|s)$`)
	line := regexp.MustCompile(`(?m)^//go:build .*\b(amd64|arm64|386|arm|riscv64)\b`)
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".s") {
			return err
		}
		source, err := os.ReadFile(path)
		if processor.MatchString(path) || line.Match(source) {
			t.Errorf("%s is for one processor", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// enforcement 17: what lets the environment choose the directories is linked into tests only.
func TestProductsDoNotFollowTheEnvironment(t *testing.T) {
	for _, p := range list(t, "-deps", "./cmd/...") {
		if p.ImportPath == module+"/internal/layers/isolated" {
			t.Errorf("a product links %s", p.ImportPath)
		}
	}
}

// Where state lies is decided by the programs and by who embeds us, and passed
// on in specs (code.md, ambient state). Only programs look the directories up.
func TestDirectoriesArePassedIn(t *testing.T) {
	may := []string{"cmd/", "test/", "internal/layers/", "pipeline/serve.go", "pipeline/full/", "repohooks/runner.go",
		"policies/standard/hooks.go"}
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		allowed := slices.ContainsFunc(may, func(p string) bool { return strings.HasPrefix(filepath.ToSlash(path), p) })
		if !allowed && bytes.Contains(data, []byte("layers.System(")) {
			t.Errorf("%s looks up Trammel's directories: take them from the Spec", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

var update = flag.Bool("update", false, "rewrite the golden files")

// The hot program is started for every event, so whatever it links is paid for
// every time. A new dependency is a decision: run with -update, measure with
// `make bench`, and say in the commit what it bought.
func TestHotProgramLinks(t *testing.T) {
	var deps []string
	for _, p := range list(t, "-deps", "./cmd/trammel-hook") {
		if !p.Standard {
			deps = append(deps, strings.TrimPrefix(p.ImportPath, module+"/"))
		}
		for _, banned := range []string{module + "/test", "yaml", "database/sql", "net/http", "opentelemetry", "cobra", "sqlite", "pgx"} {
			if strings.Contains(p.ImportPath, banned) {
				t.Errorf("trammel-hook links %s", p.ImportPath)
			}
		}
	}
	slices.Sort(deps)
	got := strings.Join(deps, "\n") + "\n"
	const golden = "test/repository/testdata/hot-dependencies.txt"
	if *update {
		if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("trammel-hook links other packages than %s says:\n%s", golden, got)
	}
}
