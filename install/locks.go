package install

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	settings "github.com/trammel-dev/trammel/importers/document"
)

// locked finds settings that switch our wiring off, in an administrator's files
// or in others that the host reads (TEAM-10).
func (s *site) locked() (out []Check) {
	known := s.host.Facts()
	for _, pattern := range known.LockFiles {
		base := s.Project
		if below, ok := strings.CutPrefix(pattern, "{dir}"); ok {
			base, pattern = s.Env.Dir(s.host), below
		} else if strings.HasPrefix(pattern, "/") {
			base = s.Root
		}
		paths, err := filepath.Glob(filepath.Join(globQuote(base), filepath.FromSlash(pattern)))
		if err != nil || base == "" {
			continue
		}
		for _, path := range paths {
			data, there, err := read(path)
			if err != nil || !there {
				continue // it is not ours, and the host says what is wrong with it
			}
			for _, key := range known.Locks {
				wired := slices.ContainsFunc(s.targets, func(t target) bool { return t.path == path })
				if locks(path, data, key) && (!wired || key != known.Disabled) { // of a wired file that is said already
					out = append(out, Check{"enabled", path, false, fmt.Sprintf("%s is set, so %s does not run these hooks", key, known.Title)})
				}
			}
		}
	}
	return out
}

// locks reports whether a file sets a key: to true, or to a list that has hooks
// or our program in it. A key with =false at its end locks if it is false.
func locks(path string, data []byte, key string) bool {
	read := settings.Settings
	if filepath.Ext(path) == ".toml" {
		read = settings.TOML
	}
	doc, err := read(append(data, '\n')) // a comment may be the last line
	key, off := strings.CutSuffix(key, "=false")
	names := strings.Split(key, ".")
	if err != nil { // such as a key that is there twice, which some hosts read
		return strings.Contains(string(data), `"`+names[len(names)-1]+`"`)
	}
	v := doc.Get(names...)
	switch {
	case v.Is(settings.Bool):
		return v.True() != off
	case v.Is(settings.List):
		return slices.ContainsFunc(v.Items, func(item *settings.Node) bool {
			return item.String() == "hooks" || strings.Contains(item.String(), "trammel-hook")
		})
	}
	return false
}
