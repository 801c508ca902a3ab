package dist_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/dist/apk"
	"github.com/trammel-dev/trammel/dist/archive"
	"github.com/trammel-dev/trammel/dist/content"
	"github.com/trammel-dev/trammel/dist/deb"
	"github.com/trammel-dev/trammel/dist/oci"
	"github.com/trammel-dev/trammel/dist/rpm"
)

func sample(arch string) *content.Package {
	return &content.Package{Version: "1.2.3-rc.1", Arch: arch, Time: time.Unix(1_700_000_000, 0), Files: []content.File{
		{Path: "usr/bin/trammel", Mode: 0o755, Data: []byte("the program")},
		{Path: "etc/trammel/hooks.d", Mode: fs.ModeDir | 0o755},
		{Path: "etc/trammel", Mode: fs.ModeDir | 0o755},
		{Path: "usr/share/doc/trammel/copyright", Mode: 0o644, Data: []byte("odd")},
	}}
}

var formats = map[string]func(*content.Package) ([]byte, error){
	"deb": deb.Write, "rpm": rpm.Write, "apk": apk.Write,
	"oci": func(p *content.Package) ([]byte, error) { return oci.Write([]*content.Package{p}) },
	"tar": func(p *content.Package) ([]byte, error) { return archive.TarGz(p.Files, p.Time) },
	"zip": func(p *content.Package) ([]byte, error) { return archive.Zip(p.Files, p.Time) },
}

// TEAM-41: the order in which files were found does not show, nor where the
// clock of the machine stands.
func TestPackagesAreReproducible(t *testing.T) {
	for name, write := range formats {
		first, err := write(sample("amd64"))
		if err != nil {
			t.Fatal(err)
		}
		again := sample("amd64")
		slices.Reverse(again.Files)
		again.Time = again.Time.In(time.FixedZone("elsewhere", 3600))
		if second, err := write(again); err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s: the same files give other bytes, %v", name, err)
		}
		again.Files[len(again.Files)-1].Data = []byte("the programme")
		if third, _ := write(again); bytes.Equal(first, third) {
			t.Errorf("%s: another file gives the same bytes", name)
		}
	}
}

// names reads an archive: what is in it, with mode and content.
func names(t *testing.T, compressed []byte) map[string]string {
	t.Helper()
	zr, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	tr := tar.NewReader(zr)
	for {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 0 || h.Gid != 0 || h.ModTime.Unix() != 1_700_000_000 {
			t.Errorf("%s belongs to %d:%d and is of %s", h.Name, h.Uid, h.Gid, h.ModTime)
		}
		out[h.Name] = fmt.Sprintf("%o %s", h.Mode, data)
	}
}

// TEAM-42: a package for dpkg, read as ar and tar.
func TestDeb(t *testing.T) {
	data, err := deb.Write(sample("arm64"))
	if err != nil {
		t.Fatal(err)
	}
	members := map[string][]byte{}
	rest, found := bytes.CutPrefix(data, []byte("!<arch>\n"))
	for found && len(rest) > 0 {
		size, err := strconv.Atoi(strings.TrimSpace(string(rest[48:58])))
		if err != nil || string(rest[58:60]) != "`\n" {
			t.Fatalf("header %q", rest[:60])
		}
		members[strings.TrimSpace(string(rest[:16]))] = rest[60 : 60+size]
		rest = rest[60+size+size%2:]
	}
	control := names(t, members["control.tar.gz"])
	for _, line := range []string{"Package: trammel\n", "Version: 1.2.3~rc.1\n", "Architecture: arm64\n", "Installed-Size: 1\n"} {
		if !strings.Contains(control["./control"], line) {
			t.Errorf("no %q in %s", line, control["./control"])
		}
	}
	if len(control) != 2 { // no scripts
		t.Errorf("control has %v", control)
	}
	files := names(t, members["data.tar.gz"])
	if files["./usr/bin/trammel"] != "755 the program" || files["./etc/trammel/hooks.d/"] != "755 " || files["./usr/"] == "" ||
		len(files) != 10 {
		t.Errorf("data has %v", files)
	}
}

// TEAM-42: a package for apk: the second stream has the digest that the first names.
func TestAPK(t *testing.T) {
	data, err := apk.Write(sample("amd64"))
	if err != nil {
		t.Fatal(err)
	}
	r := bytes.NewReader(data)
	zr, err := gzip.NewReader(r)
	if err != nil {
		t.Fatal(err)
	}
	zr.Multistream(false)
	info, err := io.ReadAll(zr)
	if err != nil {
		t.Fatal(err)
	}
	second := data[len(data)-r.Len():]
	for _, line := range []string{"pkgver = 1.2.3_pre1700000000-r0\n", "arch = x86_64\n",
		fmt.Sprintf("datahash = %x\n", sha256.Sum256(second))} {
		if !bytes.Contains(info, []byte(line)) {
			t.Errorf("no %q in %s", line, info)
		}
	}
	if len(info)%512 != 0 || bytes.HasSuffix(info, make([]byte, 1024)) {
		t.Error("the first archive is closed, so that apk would not read the second")
	}
	if files := names(t, second); files["usr/bin/trammel"] != "755 the program" || len(files) != 10 {
		t.Errorf("data has %v", files)
	}
}

// TEAM-42: a package for rpm: both headers are consistent, their digests hold.
func TestRPM(t *testing.T) {
	data, err := rpm.Write(sample("amd64"))
	if err != nil {
		t.Fatal(err)
	}
	header := func(at int) (tags map[uint32][]byte, end int) {
		tags = map[uint32][]byte{}
		if !bytes.HasPrefix(data[at:], []byte{0x8e, 0xad, 0xe8, 1}) {
			t.Fatalf("no header at %d", at)
		}
		n, size := int(binary.BigEndian.Uint32(data[at+8:])), int(binary.BigEndian.Uint32(data[at+12:]))
		store := data[at+16+16*n : at+16+16*n+size]
		for i := range n {
			entry := data[at+16+16*i:]
			tags[binary.BigEndian.Uint32(entry)] = store[binary.BigEndian.Uint32(entry[8:]):]
		}
		return tags, at + 16 + 16*n + size
	}
	text := func(b []byte) string { s, _, _ := bytes.Cut(b, []byte{0}); return string(s) }
	sig, end := header(96)
	start := (end + 7) / 8 * 8
	tags, payload := header(start)
	if got, want := text(sig[273]), fmt.Sprintf("%x", sha256.Sum256(data[start:payload])); got != want {
		t.Errorf("the digest of the header is %s, expected %s", got, want)
	}
	if got, want := text(tags[5092]), fmt.Sprintf("%x", sha256.Sum256(data[payload:])); got != want {
		t.Errorf("the digest of the payload is %s, expected %s", got, want)
	}
	if size := binary.BigEndian.Uint32(sig[1000]); int(size) != len(data)-start {
		t.Errorf("the size is %d, expected %d", size, len(data)-start)
	}
	if text(tags[1001]) != "1.2.3~rc.1" || text(tags[1022]) != "x86_64" || text(tags[1117]) != "trammel" || text(tags[1118]) != "/etc/" {
		t.Errorf("version %q, processor %q, first name %q in %q", text(tags[1001]), text(tags[1022]), text(tags[1117]), text(tags[1118]))
	}
	zr, err := gzip.NewReader(bytes.NewReader(data[payload:]))
	if err != nil {
		t.Fatal(err)
	}
	cpio, err := io.ReadAll(zr)
	if err != nil || !bytes.Contains(cpio, []byte("./usr/bin/trammel\x00")) || bytes.Contains(cpio, []byte("./usr/bin\x00")) {
		t.Errorf("the payload is %q, %v", cpio, err)
	}
}

// TEAM-40: an archive for Windows.
func TestZip(t *testing.T) {
	data, err := archive.Zip(sample("amd64").Files, time.Unix(1_700_000_000, 0))
	if err != nil {
		t.Fatal(err)
	}
	zr, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range zr.File {
		got = append(got, fmt.Sprint(f.Name, " ", f.Mode()))
	}
	if want := []string{"etc/trammel/ drwxr-xr-x", "etc/trammel/hooks.d/ drwxr-xr-x", "usr/bin/trammel -rwxr-xr-x",
		"usr/share/doc/trammel/copyright -rw-r--r--"}; !slices.Equal(got, want) {
		t.Errorf("it has %q", got)
	}
}
