// Package manifests writes what other package managers read to install a
// release: a Homebrew cask, a Scoop manifest and the three files of winget.
package manifests

import (
	"bytes"
	"embed"
	"fmt"
	"path"
	"strings"
	"text/template"
	"time"

	"github.com/trammel-dev/trammel/dist/content"
)

//go:embed templates
var templates embed.FS

// Release is what the manifests name.
type Release struct {
	Version content.Version
	Time    time.Time
	// Sums are the SHA-256 of the archives, by goos/goarch.
	Sums map[string]string
	// Pages are the names of the manual pages in the archives.
	Pages []string
}

// places are where each file goes.
var places = map[string]string{
	"cask.rb": "homebrew/Casks/trammel.rb", "scoop.json": "scoop/trammel.json", "winget.yaml": "winget/Trammel.Trammel.yaml",
	"winget.installer.yaml": "winget/Trammel.Trammel.installer.yaml", "winget.locale.en-US.yaml": "winget/Trammel.Trammel.locale.en-US.yaml",
}

// Write are the files. A platform that was not built is an error.
func Write(r Release) ([]content.File, error) {
	functions := template.FuncMap{
		"sum": func(target string) (string, error) {
			if sum := r.Sums[target]; sum != "" {
				return sum, nil
			}
			return "", fmt.Errorf("there is no archive for %s", target)
		},
		"about": func() map[string]string {
			return map[string]string{"Summary": content.Summary, "Description": content.Description, "License": content.License,
				"URL": content.URL}
		},
		"capital": func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
		"upper":   strings.ToUpper,
		"date":    func(t time.Time) string { return t.UTC().Format(time.DateOnly) },
	}
	parsed, err := template.New("").Funcs(functions).ParseFS(templates, "templates/*")
	if err != nil {
		return nil, err
	}
	var files []content.File
	for _, t := range parsed.Templates() {
		var b bytes.Buffer
		if place := places[t.Name()]; place == "" {
			continue
		} else if err := t.Execute(&b, r); err != nil {
			return nil, err
		} else {
			files = append(files, content.File{Path: path.Clean(place), Mode: 0o644, Data: b.Bytes()})
		}
	}
	return content.Sorted(files), nil
}
