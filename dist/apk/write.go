// Package apk writes packages for Alpine's apk, version 2: a control archive
// and a data archive, one compressed stream behind the other. They are not
// signed, so apk wants --allow-untrusted; checksums.txt vouches for them.
package apk

import (
	"archive/tar"
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"

	"github.com/trammel-dev/trammel/dist/archive"
	"github.com/trammel-dev/trammel/dist/content"
)

var arch = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}

// version is one that apk can compare: it knows no names of commits.
func version(p *content.Package) string {
	if p.Version.Prerelease() {
		return fmt.Sprintf("%s_pre%d-r0", p.Version.Core(), p.Time.Unix())
	}
	return string(p.Version) + "-r0"
}

// FileName is what the package is called. Those of both processors lie in one
// directory, so their names differ.
func FileName(p *content.Package) string {
	return fmt.Sprintf("%s-%s.%s.apk", content.Name, version(p), arch[p.Arch])
}

// Write is the package.
func Write(p *content.Package) ([]byte, error) {
	data, err := tarGz(p, content.WithParents(p.Files), true, func(h *tar.Header, data []byte) {
		h.Format = tar.FormatPAX
		if h.Typeflag == tar.TypeReg { // what apk checks an installed file against
			h.PAXRecords = map[string]string{"APK-TOOLS.checksum.SHA1": fmt.Sprintf("%x", sha1.Sum(data))}
		}
	})
	if err != nil {
		return nil, err
	}
	info := fmt.Appendf(nil, "pkgname = %s\npkgver = %s\npkgdesc = %s\nurl = %s\nbuilddate = %d\npackager = %s\nsize = %d\narch = %s\n"+
		"origin = %s\nlicense = %s\ndatahash = %x\n", content.Name, version(p), content.Summary, content.URL, p.Time.Unix(), content.Maintainer,
		p.Size(), arch[p.Arch], content.Name, content.License, sha256.Sum256(data))
	meta, err := tarGz(p, []content.File{{Path: ".PKGINFO", Mode: 0o644, Data: info}}, false, nil)
	return append(meta, data...), err
}

func tarGz(p *content.Package, files []content.File, end bool, edit func(*tar.Header, []byte)) ([]byte, error) {
	var b bytes.Buffer
	if err := archive.Tar(&b, files, p.Time, end, edit); err != nil {
		return nil, err
	}
	return archive.Gzip(b.Bytes())
}
