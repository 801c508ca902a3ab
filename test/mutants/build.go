package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed switch.go.txt
var switches string

// product is the packages that are looked at with all their mutants in them.
type product struct {
	root, dir string // of the module; where woven files and test programs are
	packages  []listed
	overlay   string
	mutants   []mutant
}

// listed is what go list says about a package.
type listed struct {
	Dir, ImportPath, Name string
	GoFiles               []string
	TestGoFiles           []string
	XTestGoFiles          []string
}

func list(patterns []string) (packages []listed, err error) {
	out, err := exec.Command("go", append([]string{"list", "-json=Dir,ImportPath,Name,GoFiles,TestGoFiles,XTestGoFiles"},
		patterns...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	return packages, nil
}

// weave builds the packages with their mutants. Those that do not compile are
// left out.
func weave(dir string, patterns []string) (*product, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	p := &product{root: root, dir: dir, overlay: filepath.Join(dir, "overlay.json")}
	if p.packages, err = list(patterns); err != nil {
		return nil, err
	}
	unusable := map[int]bool{}
	for range 5 {
		if err := p.write(unusable); err != nil {
			return nil, err
		}
		out, err := exec.Command("go", append([]string{"build", "-overlay", p.overlay, "-gcflags=-e"}, patterns...)...).CombinedOutput()
		if err == nil {
			p.mutants = slices.DeleteFunc(p.mutants, func(m mutant) bool { return unusable[m.id] })
			return p, nil
		}
		before := len(unusable)
		for _, m := range p.mutants {
			if strings.Contains(string(out), fmt.Sprintf("%s:%d:", m.file, m.line)) {
				unusable[m.id] = true
			}
		}
		if len(unusable) == before {
			return nil, fmt.Errorf("with mutants: %s", out)
		}
	}
	return nil, errors.New("too many mutants do not compile")
}

// write writes the files with mutants in them, and which files they replace.
func (p *product) write(unusable map[int]bool) error {
	w := &weaver{unusable: unusable}
	replace := map[string]string{}
	put := func(path string, text []byte) error {
		replace[path] = filepath.Join(p.dir, strconv.Itoa(len(replace))+".go")
		return os.WriteFile(replace[path], text, 0o600)
	}
	for _, pkg := range p.packages {
		rel, err := filepath.Rel(p.root, pkg.Dir)
		if err != nil {
			return err
		}
		for _, name := range pkg.GoFiles {
			path := filepath.Join(pkg.Dir, name)
			text, err := w.weave(path, filepath.ToSlash(rel), filepath.ToSlash(filepath.Join(rel, name)))
			if err != nil {
				return err
			}
			if err := put(path, text); err != nil {
				return err
			}
		}
		if err := put(filepath.Join(pkg.Dir, "mutant_switch.go"), []byte(strings.Replace(switches, "PACKAGE", pkg.Name, 1))); err != nil {
			return err
		}
	}
	p.mutants = w.mutants
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(p.overlay, overlay, 0o600)
}
