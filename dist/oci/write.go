// Package oci writes a container image for several processors as an OCI image
// layout: no base image, no shell, a user without rights.
package oci

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"time"

	"archive/tar"

	"github.com/trammel-dev/trammel/dist/archive"
	"github.com/trammel-dev/trammel/dist/content"
)

// User is who the programs run as; Home is where their configuration and state
// are, and is theirs.
const (
	User = 65532
	Home = "home/trammel"
)

const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

type object map[string]any

// layout collects the blobs of an image.
type layout struct{ files []content.File }

func (l *layout) blob(kind string, data []byte) object {
	sum := fmt.Sprintf("%x", sha256.Sum256(data))
	l.files = append(l.files, content.File{Path: "blobs/sha256/" + sum, Mode: 0o644, Data: data})
	return object{"mediaType": kind, "digest": "sha256:" + sum, "size": len(data)}
}

func (l *layout) json(kind string, v any) (object, error) {
	data, err := json.Marshal(v) // keys are sorted
	return l.blob(kind, data), err
}

// Write is the image as a tar archive, with one manifest per package.
func Write(packages []*content.Package) ([]byte, error) {
	l := &layout{}
	var manifests []object
	for _, p := range packages {
		m, err := l.image(p)
		if err != nil {
			return nil, err
		}
		m["platform"] = object{"os": "linux", "architecture": p.Arch}
		manifests = append(manifests, m)
	}
	p := packages[0]
	all, err := l.json(typeIndex, object{"schemaVersion": 2, "mediaType": typeIndex, "manifests": manifests})
	if err != nil {
		return nil, err
	}
	all["annotations"] = object{"org.opencontainers.image.ref.name": string(p.Version)}
	index, err := json.Marshal(object{"schemaVersion": 2, "mediaType": typeIndex, "manifests": []object{all}})
	if err != nil {
		return nil, err
	}
	l.files = append(l.files, content.File{Path: "index.json", Mode: 0o644, Data: index},
		content.File{Path: "oci-layout", Mode: 0o644, Data: []byte(`{"imageLayoutVersion":"1.0.0"}`)})
	var b bytes.Buffer
	err = archive.Tar(&b, content.WithParents(l.files), p.Time, true, nil)
	return b.Bytes(), err
}

// image adds the layer, the configuration and the manifest for one processor.
func (l *layout) image(p *content.Package) (object, error) {
	var plain bytes.Buffer
	files := append([]content.File{{Path: Home, Mode: fs.ModeDir | 0o700}, {Path: "tmp", Mode: fs.ModeDir | 0o777}}, p.Files...)
	err := archive.Tar(&plain, content.WithParents(files), p.Time, true, func(h *tar.Header, _ []byte) {
		switch h.Name {
		case Home + "/":
			h.Uid, h.Gid, h.Uname, h.Gname = User, User, "", ""
		case "tmp/":
			h.Mode = 0o1777
		}
	})
	if err != nil {
		return nil, err
	}
	layer, err := archive.Gzip(plain.Bytes())
	if err != nil {
		return nil, err
	}
	at := p.Time.UTC().Format(time.RFC3339)
	labels := object{"org.opencontainers.image.version": string(p.Version), "org.opencontainers.image.source": content.URL,
		"org.opencontainers.image.licenses": content.License, "org.opencontainers.image.title": content.Name}
	config, err := l.json(typeConfig, object{"created": at, "os": "linux", "architecture": p.Arch,
		"config": object{"User": fmt.Sprintf("%d:%d", User, User), "Env": []string{"PATH=/usr/bin", "HOME=/" + Home}, "WorkingDir": "/" + Home,
			"Entrypoint": []string{"/usr/bin/trammel"}, "Labels": labels},
		"rootfs":  object{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(plain.Bytes()))}},
		"history": []object{{"created": at, "created_by": "trammel dist/oci"}}})
	if err != nil {
		return nil, err
	}
	return l.json(typeManifest, object{"schemaVersion": 2, "mediaType": typeManifest, "config": config,
		"layers": []object{l.blob(typeLayer, layer)}, "annotations": labels})
}
