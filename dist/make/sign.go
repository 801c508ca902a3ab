package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/dist/checksums"
	"github.com/trammel-dev/trammel/dist/content"
	"github.com/trammel-dev/trammel/dist/manifests"
	"github.com/trammel-dev/trammel/dist/provenance"
	"github.com/trammel-dev/trammel/dist/script"
)

// manifests name the archives of all targets, so they need all.
func (r *release) manifests() error {
	if len(r.targets) < len(strings.Split(allTargets, ",")) {
		fmt.Println("no manifests for Homebrew, Scoop and winget: not all targets were built")
		return nil
	}
	to := manifests.Release{Version: r.version, Time: r.time, Sums: map[string]string{}}
	for _, f := range r.shared {
		if path.Dir(f.Path) == "man" {
			to.Pages = append(to.Pages, path.Base(f.Path))
		}
	}
	for _, target := range r.targets {
		for _, ext := range []string{".tar.gz", ".zip"} {
			if data, ok := r.files[r.base(target)+ext]; ok {
				to.Sums[target] = fmt.Sprintf("%x", sha256.Sum256(data))
			}
		}
	}
	files, err := manifests.Write(to)
	r.extra = append(r.extra, content.Below("manifests", files)...)
	return err
}

// sign writes the checksums and, as they are worth nothing without a key, the
// install script and the provenance only if there is one.
func (r *release) sign(key string) error {
	if key == "" {
		fmt.Println("the checksums are not signed, and there is no install.sh and no provenance: give -key")
		r.extra = append(r.extra, content.File{Path: "checksums.txt", Mode: 0o644, Data: []byte(checksums.Text(r.files))})
		return nil
	}
	secret, err := os.ReadFile(key)
	if err != nil {
		return err
	}
	verifier, err := publicKey(key)
	if err != nil {
		return err
	}
	if r.files["install.sh"], err = script.Write(r.version, verifier); err != nil {
		return err
	}
	list, err := checksums.Sign(checksums.Text(r.files), strings.TrimSpace(string(secret)), verifier)
	if err != nil {
		return err
	}
	from, err := r.provenance(strings.TrimSpace(string(secret)))
	r.extra = append(r.extra, content.File{Path: "checksums.txt", Mode: 0o644, Data: list},
		content.File{Path: provenance.Name, Mode: 0o644, Data: from})
	return err
}

// provenance says what all of that was built from.
func (r *release) provenance(secret string) ([]byte, error) {
	commit, err := git("rev-parse", "HEAD")
	if err != nil {
		return nil, fmt.Errorf("the provenance names the commit: %w", err)
	}
	text, err := provenance.Statement(r.files, provenance.Source{Commit: commit, Version: string(r.version), Go: runtime.Version(),
		Targets: r.targets})
	if err != nil {
		return nil, err
	}
	return provenance.Sign(text, secret)
}

// write puts everything into a directory, which is emptied first. One that is
// not ours is left alone.
func (r *release) write(out string) error {
	if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(out, "checksums.txt")); err != nil {
			return fmt.Errorf("%s has files in it and no checksums.txt, so it was not written by this program: give an empty directory", out)
		}
		if err := os.RemoveAll(out); err != nil {
			return err
		}
	}
	files := slices.Clone(r.extra)
	for name, data := range r.files {
		files = append(files, content.File{Path: name, Mode: 0o644, Data: data})
	}
	for _, f := range content.Sorted(files) {
		to := filepath.Join(out, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, f.Data, f.Mode); err != nil {
			return err
		}
		fmt.Printf("%10d  %s\n", len(f.Data), f.Path)
	}
	return nil
}
