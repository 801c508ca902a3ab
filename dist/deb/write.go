// Package deb writes packages for dpkg: an ar archive of a control and a data
// archive. There are no scripts: nothing runs when a package is installed.
package deb

import (
	"archive/tar"
	"bytes"
	"crypto/md5"
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/dist/archive"
	"github.com/trammel-dev/trammel/dist/content"
)

// FileName is what the package is called. It has no tilde, which GitHub would
// change.
func FileName(p *content.Package) string {
	return fmt.Sprintf("%s_%s_%s.deb", content.Name, p.Version, p.Arch) // dpkg names processors as Go does
}

// Write is the package.
func Write(p *content.Package) ([]byte, error) {
	files := slices.Clone(p.Files)
	for i := range files {
		if files[i].Path == "usr/share/doc/"+content.Name+"/copyright" {
			files[i].Data = []byte(copyright)
		}
	}
	var sums strings.Builder
	for _, f := range content.Sorted(files) {
		if !f.Mode.IsDir() {
			fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.Data), f.Path)
		}
	}
	meta, err := tarGz(p, []content.File{{Path: "control", Mode: 0o644, Data: control(p)},
		{Path: "md5sums", Mode: 0o644, Data: []byte(sums.String())}})
	if err != nil {
		return nil, err
	}
	data, err := tarGz(p, content.WithParents(files))
	if err != nil {
		return nil, err
	}
	out := bytes.NewBufferString("!<arch>\n")
	for _, m := range []struct {
		name string
		data []byte
	}{{"debian-binary", []byte("2.0\n")}, {"control.tar.gz", meta}, {"data.tar.gz", data}} {
		fmt.Fprintf(out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", m.name, p.Time.Unix(), 0, 0, "100644", len(m.data))
		out.Write(m.data)
		if len(m.data)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), nil
}

// copyright names the license where Debian keeps its text.
const copyright = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Source: ` + content.URL + `

Files: *
Copyright: the authors of Trammel
License: Apache-2.0
 On Debian systems, the full text is in /usr/share/common-licenses/Apache-2.0.
`

func control(p *content.Package) []byte {
	return fmt.Appendf(nil, "Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: %s\nInstalled-Size: %d\n"+
		"Section: devel\nPriority: optional\nHomepage: %s\nDescription: %s\n %s\n", content.Name, p.Version.Tilde(), p.Arch,
		content.Maintainer, (p.Size()+1023)/1024, content.URL, content.Summary, content.Description)
}

// tarGz is an archive whose names begin with a dot, as dpkg wants them.
func tarGz(p *content.Package, files []content.File) ([]byte, error) {
	var b bytes.Buffer
	err := archive.Tar(&b, files, p.Time, true, func(h *tar.Header, _ []byte) {
		h.Name, h.Format = "./"+h.Name, tar.FormatGNU
	})
	if err != nil {
		return nil, err
	}
	return archive.Gzip(b.Bytes())
}
