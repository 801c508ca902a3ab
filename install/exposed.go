package install

import (
	"os"
	"path/filepath"
	"strings"
)

// Exposed finds files of an administrator that call trammel-hook for every user,
// and that users other than root can change: they could choose what runs for everybody.
func Exposed(env Env, host string) (out []Check) {
	for _, h := range Hosts() {
		if h.System != host {
			continue
		}
		for i := range h.Wiring {
			m := h.Wiring[i].Managed
			if m == nil || m.Path(env.GOOS) == "" || env.Root == "" {
				continue
			}
			path := filepath.Join(env.Root, filepath.FromSlash(m.Path(env.GOOS)))
			data, there, err := read(path)
			if err != nil || !there || !strings.Contains(string(data), "trammel-hook") {
				continue // it is not ours
			}
			for _, at := range []string{path, filepath.Dir(path)} {
				if info, err := os.Stat(at); err == nil && exposed(info) != "" {
					out = append(out, Check{"managed", at, false, exposed(info) + ", so they decide what runs for every user"})
				}
			}
		}
	}
	return out
}
