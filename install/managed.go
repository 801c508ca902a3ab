package install

import (
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/trammel-dev/trammel/dialects"
)

// ManagedFile is a file that an administrator deploys, so that a host calls
// trammel-hook for every user of a machine.
type ManagedFile struct {
	Host string
	Path string // on the machine that it is for
	Data []byte

	known *dialects.Managed // nil for device management
}

// DefaultHook is where packages put trammel-hook, by operating system.
var DefaultHook = map[string]string{"linux": "/usr/bin/trammel-hook", "darwin": "/usr/local/bin/trammel-hook",
	"windows": `C:\Program Files\Trammel\trammel-hook.exe`}

// Deployed says how the files of an operating system have to be deployed.
func Deployed(goos string) string {
	if goos == "windows" {
		return "Deploy them as an administrator; other users must not be able to write them. The rules belong in " +
			`C:\ProgramData\trammel\trammel.yaml.`
	}
	return "Deploy them as root, with mode 644. The rules belong in /etc/trammel/trammel.yaml."
}

// Managed makes the files for an operating system. They contain the path of the
// program there, and nothing of the machine that they are made on: the same
// input gives the same bytes.
func Managed(goos, hook string) ([]ManagedFile, error) {
	switch absolute := strings.HasPrefix(hook, "/"); {
	case DefaultHook[goos] == "":
		return nil, fmt.Errorf("the operating system is %q, expected linux, macos or windows", goos)
	case goos == "windows" && (len(hook) < 4 || hook[1:3] != `:\`) || goos != "windows" && !absolute:
		return nil, fmt.Errorf("trammel-hook is %q, expected an absolute path on %s", hook, goos)
	case strings.ContainsAny(hook, "\x00\r\n'\"") || strings.Contains(hook, Marker):
		return nil, fmt.Errorf("trammel-hook is %q, expected a path without quotes and line breaks", hook)
	}
	var out []ManagedFile
	for _, h := range Hosts() {
		s := &site{Env: Env{GOOS: goos}, Options: Options{Scope: Machine, Hook: hook}, host: h}
		for i := range h.Wiring {
			f := &h.Wiring[i]
			if f.Managed == nil || f.Managed.Path(goos) == "" {
				continue
			}
			w := s.target(f, "").wiring
			w.head = append(append(object{}, f.Managed.Lock...), w.head...)
			data := w.file()
			if f.Managed.TOML {
				var err error
				if data, err = w.toml(goos, hook); err != nil {
					return nil, err
				}
			}
			out = append(out, ManagedFile{Host: h.System, Path: f.Managed.Path(goos), Data: data, known: f.Managed})
		}
	}
	return out, nil
}

// toml is the wiring as TOML. Codex takes hooks only together with the directory of
// their programs.
func (w *wiring) toml(goos, hook string) ([]byte, error) {
	dir, key := hook[:strings.LastIndexAny(hook, `/\`)], "managed_dir"
	if goos == "windows" {
		key = "windows_managed_dir"
	}
	hooks := map[string]any{key: dir}
	for _, e := range w.entries {
		hooks[e.event] = []any{plain(e.value)}
	}
	all := map[string]any{"hooks": hooks}
	for _, m := range w.head {
		all[m.Name] = plain(m.Value)
	}
	return toml.Marshal(all)
}

// plain is a value of a host's table as maps and slices.
func plain(v any) any {
	switch v := v.(type) {
	case dialects.Object:
		out := map[string]any{}
		for _, m := range v {
			out[m.Name] = plain(m.Value)
		}
		return out
	case dialects.List:
		var out []any
		for _, e := range v {
			out = append(out, plain(e))
		}
		return out
	}
	return v
}
