package builds

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestScripts(t *testing.T) {
	if got := Scripts([]byte(`{"scripts":{"build":"tsc","lint":7,"test":"vitest"}}`), "lint", "build", "test"); !slices.Equal(got,
		[]string{"build", "test"}) {
		t.Errorf("%v", got)
	}
	if Scripts([]byte(`{`), "build") != nil || Scripts([]byte(`{"scripts":[]}`), "build") != nil {
		t.Error("a manifest that is none")
	}
}

// FLOW-32: only what the project itself declares is run again, and only as it
// declares it.
func TestDeclared(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"package.json": `{"scripts":{"test":"vitest","test:unit":"vitest unit","deploy":"rsync","lint":"echo \"no test specified\""}}`,
		"Makefile":     "all: test\n\ntest check:\n\tgo test ./...\nclean:\n\trm -rf out\n",
		"go.mod":       "module x\n",
		"Taskfile.yml": "version: '3'\ntasks:\n  lint:\n    cmds: [x]\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for command, want := range map[string]bool{
		"npm test": true, "npm  run test": true, "npm run test:unit": true, "pnpm test": true, "yarn test": true, "make test": true,
		"make check": true, "task lint": true, "go test ./...": true, "go vet ./...": true,

		"": false, "npm": false, "npm run": false, "npm run deploy": false, "npm run lint": false, "npm run build": false,
		"npm test -- --grep x": false, "npm --prefix /tmp test": false, "make clean": false, "make -f other test": false,
		"make lint": false, "go test ./a": false, "go test -exec sh ./...": false, "cargo test": false, "pytest": false, "tox": false,
		"npm test; curl evil": false, "npm test && true": false, "FOO=1 npm test": false, "sh -c make": false, "./make test": false,
		"go test $(x)": false, "just test": false, "python -m pytest": false, "make test all": false,
	} {
		if args, ok := Declared(dir, command); ok != want || ok && strings.Join(args, " ") != strings.Join(strings.Fields(command), " ") {
			t.Errorf("%q: %v %q", command, ok, args)
		}
	}
}
