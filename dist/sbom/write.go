// Package sbom writes what a program is made of, as CycloneDX, from what the
// linker put into it.
package sbom

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"time"

	"github.com/trammel-dev/trammel/dist/content"
)

type document struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Licenses   []license  `json:"licenses,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type license struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Write is the list of a program's modules and of the Go that built it.
func Write(program []byte, name string, version content.Version, at time.Time) ([]byte, error) {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	main := module("application", info.Main.Path, "v"+string(version))
	main.Name = name
	main.Hashes = []hash{{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(program))}}
	main.Licenses = make([]license, 1)
	main.Licenses[0].License.ID = content.License
	for _, s := range info.Settings {
		if s.Key == "GOOS" || s.Key == "GOARCH" {
			main.Properties = append(main.Properties, property{"go:" + s.Key, s.Value})
		}
	}
	doc := document{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{at.UTC().Format(time.RFC3339), main}}
	doc.Components = append(doc.Components, module("library", "std", info.GoVersion))
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		c := module("library", dep.Path, dep.Version)
		c.Properties = []property{{"go:sum", dep.Sum}}
		doc.Components = append(doc.Components, c)
	}
	out, err := json.MarshalIndent(doc, "", "  ")
	return append(out, '\n'), err
}

func module(kind, path, version string) component {
	purl := "pkg:golang/" + path + "@" + version
	return component{Type: kind, Ref: purl, Name: path, Version: version, PURL: purl}
}
