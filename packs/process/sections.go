package process

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// sections checks that the documents in the pack have the sections that its
// manifest requires (FST-70). Documents outside of the pack cannot be checked here.
func (v *validation) sections() {
	m := &v.d.Manifest
	if len(m.DocsSections) == 0 {
		return
	}
	found := map[string]bool{}
	if err := v.headings(m.DocsPath, found); err != nil {
		return // docs reports that
	}
	for _, name := range m.DocsSections {
		if !found[strings.ToLower(strings.TrimSpace(name))] {
			v.wrong(StepManifest, ManifestName+":docs.required_sections", "%s has no section %q", m.DocsPath, name)
		}
	}
}

// headings collects the headings of a document, or of all in a directory.
func (v *validation) headings(name string, into map[string]bool) error {
	if name == "" {
		return fs.ErrNotExist
	}
	real, err := within(v.root, name)
	if err != nil {
		return err
	}
	info, err := os.Lstat(real)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return filepath.WalkDir(real, func(at string, e fs.DirEntry, err error) error {
			rel, _ := filepath.Rel(real, at)
			if err != nil || e.IsDir() || !strings.EqualFold(filepath.Ext(at), ".md") {
				return err
			}
			return v.headings(path.Join(name, filepath.ToSlash(rel)), into)
		})
	}
	data, err := contents(v.root, name)
	if err != nil {
		return err
	}
	code := false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if !code && strings.HasPrefix(line, "#") {
			into[strings.ToLower(strings.TrimSpace(strings.Trim(line, "#")))] = true
		}
	}
	return nil
}
