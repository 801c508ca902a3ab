package install

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// locked finds settings that switch our wiring off, in an administrator's files
// or in other files next to the wired ones (TEAM-10).
func (s *site) locked() (out []Check) {
	known := s.host.Facts()
	for _, pattern := range known.LockFiles {
		base := s.Root
		if !strings.HasPrefix(pattern, "/") {
			base = s.Project
		}
		paths, err := filepath.Glob(filepath.Join(globQuote(base), filepath.FromSlash(pattern)))
		if err != nil || s.Project == "" && base == s.Project {
			continue
		}
		for _, path := range paths {
			data, there, err := read(path)
			if err != nil || !there {
				continue // it is not ours, and the host says what is wrong with it
			}
			for _, key := range known.Locks {
				if locks(path, data, key) {
					out = append(out, Check{"enabled", path, false, fmt.Sprintf("%s is set, so %s does not run these hooks", key, known.Title)})
				}
			}
		}
	}
	return out
}

// locks reports whether a file sets a key: to true, or to a list that has hooks.
func locks(path string, data []byte, key string) bool {
	if filepath.Ext(path) == ".toml" {
		return regexp.MustCompile(`(?m)^[ \t]*` + regexp.QuoteMeta(key) + `[ \t]*=[ \t]*true\b`).Match(data)
	}
	d, err := parse(data)
	if err != nil {
		return false
	}
	v := find(d.obj, key)
	if v == nil {
		return false
	}
	switch v := valueOf(*v).(type) {
	case bool:
		return v
	case []any:
		return slices.Contains(v, any("hooks"))
	}
	return false
}
