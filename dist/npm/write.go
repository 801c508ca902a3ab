// Package npm writes the packages for npm: one per platform with the programs,
// and one that has those as exact optional dependencies and starts what is
// there. Nothing runs when they are installed.
package npm

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/dist/archive"
	"github.com/trammel-dev/trammel/dist/content"
)

// Main is the package that people install.
const Main = "@trammel/cli"

//go:embed run.js
var run []byte

// system and processor are Node's names for what Go builds for.
var (
	system    = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	processor = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

type manifest struct {
	Name         string            `json:"name"`
	Version      content.Version   `json:"version"`
	Description  string            `json:"description"`
	License      string            `json:"license"`
	Homepage     string            `json:"homepage"`
	Repository   string            `json:"repository"`
	Type         string            `json:"type,omitempty"`
	OS           []string          `json:"os,omitempty"`
	CPU          []string          `json:"cpu,omitempty"`
	Bin          map[string]string `json:"bin,omitempty"`
	Engines      map[string]string `json:"engines,omitempty"`
	Optional     map[string]string `json:"optionalDependencies,omitempty"`
	PreferUnplug bool              `json:"preferUnplugged,omitempty"`
}

func about(name string, version content.Version) manifest {
	return manifest{Name: name, Version: version, Description: content.Summary, License: content.License, Homepage: content.URL,
		Repository: "github:trammel-dev/trammel"}
}

// platform is the package for what Go builds for.
func platform(goos, goarch string) string {
	return "@trammel/" + system[goos] + "-" + processor[goarch]
}

// FileName is what npm calls the archive of a package.
func FileName(name string, version content.Version) string {
	return strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-") + "-" + string(version) + ".tgz"
}

// Platform is the package with the programs of one platform, which are in bin.
func Platform(goos, goarch string, version content.Version, at time.Time, files []content.File) (string, []byte, error) {
	m := about(platform(goos, goarch), version)
	m.OS, m.CPU, m.PreferUnplug = []string{system[goos]}, []string{processor[goarch]}, true
	return pack(m, at, files)
}

// Shim is the package that starts the programs of the platform that it is on.
// targets are goos/goarch.
func Shim(version content.Version, at time.Time, targets []string, files []content.File) (string, []byte, error) {
	m := about(Main, version)
	m.Type, m.Engines = "commonjs", map[string]string{"node": ">=18"}
	m.Bin, m.Optional = map[string]string{}, map[string]string{}
	for _, t := range targets {
		goos, goarch, _ := strings.Cut(t, "/")
		m.Optional[platform(goos, goarch)] = string(version)
	}
	files = append(files, content.File{Path: "run.js", Mode: 0o644, Data: run})
	for _, name := range []string{"trammel", "trammel-hook"} {
		m.Bin[name] = "bin/" + name + ".js"
		files = append(files, content.File{Path: m.Bin[name], Mode: 0o755,
			Data: fmt.Appendf(nil, "#!/usr/bin/env node\nrequire(\"../run.js\")(%q);\n", name)})
	}
	return pack(m, at, files)
}

func pack(m manifest, at time.Time, files []content.File) (string, []byte, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return "", nil, err
	}
	files = append(files, content.File{Path: "package.json", Mode: 0o644, Data: append(text, '\n')})
	data, err := archive.TarGz(content.Below("package", files), at)
	return FileName(m.Name, m.Version), data, err
}
