package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/dist/content"
)

var programs = []string{"trammel", "trammel-hook"}

// build makes both programs for every target, and for this machine, where they
// print completions and pages.
func (r *release) build() error {
	all := r.targets
	if own := runtime.GOOS + "/" + runtime.GOARCH; !slices.Contains(all, own) {
		all = append(slices.Clone(all), own)
	}
	for _, target := range all {
		fmt.Println(target)
		dir := r.dir(target)
		goos, goarch, _ := strings.Cut(target, "/")
		cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags",
			"-s -w -buildid= -X github.com/trammel-dev/trammel/internal/version.Version="+string(r.version),
			"-o", dir+string(filepath.Separator), "./cmd/trammel", "./cmd/trammel-hook")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS="+goos, "GOARCH="+goarch, "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if _, err := output(cmd); err != nil {
			return err
		}
		for _, name := range programs {
			if goos == "windows" {
				name += ".exe"
			}
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return err
			}
			r.programs[target] = append(r.programs[target], content.File{Path: name, Mode: 0o755, Data: data})
		}
	}
	return nil
}

func (r *release) dir(target string) string { return filepath.Join(r.work, filepath.FromSlash(target)) }

// completions are the files that shells look for, by the shell's name.
var completions = map[string]string{"bash": "trammel.bash", "zsh": "_trammel", "fish": "trammel.fish", "powershell": "trammel.ps1"}

// texts collects what goes into every archive beside the programs.
func (r *release) texts() error {
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		r.shared = append(r.shared, content.File{Path: name, Mode: 0o644, Data: data})
	}
	program := filepath.Join(r.dir(runtime.GOOS+"/"+runtime.GOARCH), "trammel")
	env := []string{"HOME=" + filepath.Join(r.work, "home")}
	for shell, name := range completions {
		cmd := exec.Command(program, "completion", shell)
		cmd.Env = env
		data, err := output(cmd)
		if err != nil {
			return err
		}
		r.shared = append(r.shared, content.File{Path: "completions/" + name, Mode: 0o644, Data: data})
	}
	pages := filepath.Join(r.work, "man")
	cmd := exec.Command(program, "man", "--date", r.time.Format(time.DateOnly), pages)
	cmd.Env = env
	if _, err := output(cmd); err != nil {
		return err
	}
	entries, err := os.ReadDir(pages)
	if err != nil {
		return err
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(pages, e.Name()))
		if err != nil {
			return err
		}
		r.shared = append(r.shared, content.File{Path: "man/" + e.Name(), Mode: 0o644, Data: data})
	}
	r.shared = content.Sorted(r.shared)
	return nil
}
