package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Effects and policies look things up through trammel.World, and keep what they
// keep in the State that they are given. These are exempt; each says why.
var impure = map[string]string{
	"effects/world":                         "it is the World of this machine",
	"policies/selfprotection/places.go":     "os.Executable: which program is ours is no question to the World of a call",
	"policies/selfprotection/links_unix.go": "syscall.Stat_t: the type of what FileInfo.Sys holds",
	"policies/snapshot":                     "it copies the project's files and puts them back",
	"policies/notify":                       "it starts programs of the user, whose environment is ours",
	"policies/qualitygate/formatter.go":     "it starts formatters, which change files",
	"policies/buildcheck":                   "it starts builds, and says how long they took",
	"policies/evidencecapture/worktree.go":  "it asks git about the working tree",
	"policies/additions/machine.go":         "it tells the model about this machine",
	"policies/budget/transcript.go":         "it reads on in a log that grows, from where it stopped",
}

// ambient are functions that reach beyond what is passed in.
func ambient(pkg, name string) bool {
	switch pkg {
	case "os":
		switch name {
		case "FileInfo", "FileMode", "DirEntry", "ErrNotExist", "ErrExist", "ErrPermission", "SameFile", "PathSeparator", "DevNull",
			"ModeSymlink":
			return false
		}
		return true
	case "path/filepath":
		switch name {
		case "Glob", "Walk", "WalkDir", "EvalSymlinks", "Abs":
			return true
		}
	case "time":
		switch name {
		case "Now", "Since", "Until", "After", "AfterFunc", "Sleep", "Tick", "NewTimer", "NewTicker":
			return true
		}
	case "os/exec", "os/user", "net", "net/http", "syscall":
		return true
	case module + "/internal/files":
		return name != "Within"
	}
	return false
}

func TestEffectsAndPoliciesOnlySeeTheirWorld(t *testing.T) {
	used := map[string]bool{}
	for _, root := range []string{"effects", "policies"} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			imports := map[string]string{}
			for _, imp := range file.Imports {
				path := strings.Trim(imp.Path.Value, `"`)
				local := path[strings.LastIndexByte(path, '/')+1:]
				if imp.Name != nil {
					local = imp.Name.Name
				}
				imports[local] = path
			}
			ast.Inspect(file, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if x, ok := sel.X.(*ast.Ident); ok && ambient(imports[x.Name], sel.Sel.Name) {
					slashed := filepath.ToSlash(name)
					for _, exempt := range []string{slashed, filepath.ToSlash(filepath.Dir(name))} {
						if impure[exempt] != "" {
							used[exempt] = true
							return true
						}
					}
					t.Errorf("%s uses %s.%s: look it up through the event's World", slashed, imports[x.Name], sel.Sel.Name)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range impure {
		if !used[name] {
			t.Errorf("%s needs no exemption", name)
		}
	}
}
