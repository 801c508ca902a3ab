package main

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/dist/apk"
	"github.com/trammel-dev/trammel/dist/archive"
	"github.com/trammel-dev/trammel/dist/content"
	"github.com/trammel-dev/trammel/dist/deb"
	"github.com/trammel-dev/trammel/dist/npm"
	"github.com/trammel-dev/trammel/dist/oci"
	"github.com/trammel-dev/trammel/dist/plugins"
	"github.com/trammel-dev/trammel/dist/rpm"
	"github.com/trammel-dev/trammel/dist/sbom"
)

// base is how the files of a target are called.
func (r *release) base(target string) string {
	return fmt.Sprintf("trammel_%s_%s", r.version, strings.ReplaceAll(target, "/", "_"))
}

// archives makes an archive of each target, and lists of what is in its programs.
func (r *release) archives() error {
	for _, target := range r.targets {
		files := slices.Concat(r.programs[target], r.shared)
		write, name := archive.TarGz, r.base(target)+".tar.gz"
		if strings.HasPrefix(target, "windows/") {
			write, name = archive.Zip, r.base(target)+".zip"
		}
		data, err := write(content.WithParents(files), r.time)
		if err != nil {
			return err
		}
		r.files[name] = data
		for _, p := range r.programs[target] {
			program := strings.TrimSuffix(p.Path, ".exe")
			list, err := sbom.Write(p.Data, program, r.version, r.time)
			if err != nil {
				return err
			}
			r.files[program+strings.TrimPrefix(r.base(target), "trammel")+".cdx.json"] = list
		}
	}
	return nil
}

// installed are the files as they lie on a Linux machine.
func (r *release) installed(target string) (*content.Package, error) {
	files := content.Below("usr/bin", r.programs[target])
	for _, dir := range []string{"etc/trammel", "etc/trammel/hooks.d", "usr/share/doc/trammel"} {
		files = append(files, content.File{Path: dir, Mode: fs.ModeDir | 0o755})
	}
	place := map[string]string{
		"LICENSE":                  "usr/share/doc/trammel/copyright",
		"completions/trammel.bash": "usr/share/bash-completion/completions/trammel",
		"completions/_trammel":     "usr/share/zsh/vendor-completions/_trammel",
		"completions/trammel.fish": "usr/share/fish/vendor_completions.d/trammel.fish",
	}
	for _, f := range r.shared {
		switch {
		case place[f.Path] != "":
			files = append(files, content.File{Path: place[f.Path], Mode: f.Mode, Data: f.Data})
		case f.Path == "CHANGELOG.md" || path.Dir(f.Path) == "man":
			data, err := archive.Gzip(f.Data)
			if err != nil {
				return nil, err
			}
			to := "usr/share/man/man1/" + path.Base(f.Path) + ".gz"
			if f.Path == "CHANGELOG.md" {
				to = "usr/share/doc/trammel/changelog.gz"
			}
			files = append(files, content.File{Path: to, Mode: f.Mode, Data: data})
		}
	}
	return &content.Package{Version: r.version, Arch: path.Base(target), Time: r.time, Files: content.Sorted(files)}, nil
}

// linux are the packages of all Linux targets.
func (r *release) linux() (all []*content.Package, err error) {
	for _, target := range r.targets {
		if strings.HasPrefix(target, "linux/") {
			p, err := r.installed(target)
			if err != nil {
				return nil, err
			}
			all = append(all, p)
		}
	}
	return all, nil
}

func (r *release) packages() error {
	all, err := r.linux()
	if err != nil {
		return err
	}
	for _, p := range all {
		for _, format := range []struct {
			name  func(*content.Package) string
			write func(*content.Package) ([]byte, error)
		}{{deb.FileName, deb.Write}, {rpm.FileName, rpm.Write}, {apk.FileName, apk.Write}} {
			data, err := format.write(p)
			if err != nil {
				return err
			}
			r.files[format.name(p)] = data
		}
	}
	return nil
}

func (r *release) npm() error {
	texts := slices.DeleteFunc(slices.Clone(r.shared), func(f content.File) bool { return strings.Contains(f.Path, "/") })
	name, data, err := npm.Shim(r.version, r.time, r.targets, texts)
	if err != nil {
		return err
	}
	r.files[name] = data
	for _, target := range r.targets {
		goos, goarch, _ := strings.Cut(target, "/")
		files := append(content.Below("bin", r.programs[target]), texts...)
		if name, data, err = npm.Platform(goos, goarch, r.version, r.time, files); err != nil {
			return err
		}
		r.files[name] = data
	}
	return nil
}

// image makes the container image. It needs neither completions nor pages.
func (r *release) image() error {
	all, err := r.linux()
	if err != nil || len(all) == 0 {
		return err
	}
	for _, p := range all {
		p.Files = slices.DeleteFunc(p.Files, func(f content.File) bool {
			return strings.HasPrefix(f.Path, "usr/share") && path.Base(f.Path) != "copyright"
		})
	}
	data, err := oci.Write(all)
	r.files[fmt.Sprintf("trammel_%s_oci.tar", r.version)] = data
	return err
}

func (r *release) plugins() error {
	tree, forNPM, err := plugins.Write(r.version, r.time)
	r.files[fmt.Sprintf("trammel_%s_plugins.tar.gz", r.version)] = tree
	r.files[npm.FileName(plugins.NPM, r.version)] = forNPM
	return err
}
