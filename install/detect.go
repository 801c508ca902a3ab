package install

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"
	"golang.org/x/mod/semver"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/files"
)

// Found is an agent that seems to be installed.
type Found struct {
	Host    *dialects.Host
	Binary  string // where it is, "" if only its directory was found
	Dir     string // its configuration directory, "" if there is none
	Version string // "" if it is unknown without running it
}

// Detect looks for installed agents: their programs in PATH, and their
// configuration directories. It runs nothing and does not use the network.
func Detect(env Env) []Found {
	var out []Found
	for _, h := range Hosts() {
		f := Found{Host: h, Binary: env.binary(h)}
		if dir := env.Dir(h); files.IsDir(dir) {
			f.Dir = dir
		}
		if f.Binary == "" && f.Dir == "" {
			continue
		}
		f.Version = versionOf(h, f.Binary)
		out = append(out, f)
	}
	return out
}

func (e Env) binary(h *dialects.Host) string {
	for _, name := range h.Facts().Programs {
		if path, err := e.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// version is the installed program's, "" if it is not known.
func (s *site) version() string { return versionOf(s.host, s.Env.binary(s.host)) }

// versionOf reads the version from the location of the program: from its npm
// package, or from the name of its file or directory.
func versionOf(h *dialects.Host, binary string) string {
	if binary == "" {
		return ""
	}
	path, err := filepath.EvalSymlinks(binary)
	if err != nil {
		return ""
	}
	for range 5 {
		if name := filepath.Base(path); semver.IsValid("v"+name) && semver.Canonical("v"+name) == "v"+name {
			return name
		}
		path = filepath.Dir(path)
		data, err := os.ReadFile(filepath.Join(path, "package.json"))
		if err != nil {
			continue
		}
		var pkg struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		}
		if json.Unmarshal(data, &pkg) == nil && slices.Contains(h.Facts().Packages, pkg.Name) && semver.IsValid("v"+pkg.Version) {
			return pkg.Version
		}
	}
	return ""
}
