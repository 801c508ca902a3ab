package library_test

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/examples"
	"github.com/trammel-dev/trammel/packs/library"
)

func archive(t *testing.T) (dir string, raw []byte) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "purchase")
	if err := examples.CopyProcess("purchase", dir); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := library.Export(dir, &b); err != nil {
		t.Fatal(err)
	}
	return dir, b.Bytes()
}

// FST-70: the same files make the same archive, and it installs as it was.
func TestExportAndInstall(t *testing.T) {
	dir, raw := archive(t)
	os.Chtimes(filepath.Join(dir, "profile.yaml"), time.Unix(1, 0), time.Unix(1, 0))
	os.Chmod(filepath.Join(dir, "profile.yaml"), 0o600)
	var again bytes.Buffer
	if _, err := library.Export(dir, &again); err != nil || !bytes.Equal(raw, again.Bytes()) {
		t.Fatal("the archive differs", err)
	}
	lib := t.TempDir()
	for range 2 {
		if got, err := library.Install(lib, bytes.NewReader(raw)); err != nil || got.ID != "purchase" || got.Version != "0.1.0" {
			t.Fatal(got, err)
		}
	}
	list, err := library.List(lib)
	if err != nil || len(list) != 1 || !list[0].Intact {
		t.Fatal(list, err)
	}
	os.WriteFile(filepath.Join(list[0].Dir, "profile.yaml"), []byte("x"), 0o600)
	if list, _ = library.List(lib); list[0].Intact {
		t.Error("a changed process counts as intact")
	}
	if _, err := library.Install(lib, bytes.NewReader(raw)); err == nil {
		t.Error("another process of the same version was replaced")
	}
}

// FST-70, FST-78: what could escape, collide, or is not what its label says is
// refused, and leaves nothing.
func TestRefusedArchives(t *testing.T) {
	_, raw := archive(t)
	add := func(h tar.Header, data string) func(*tar.Header, []byte) (*tar.Header, []byte, bool) {
		h.Size, h.Mode = int64(len(data)), 0o644
		return func(at *tar.Header, _ []byte) (*tar.Header, []byte, bool) {
			return &h, []byte(data), at.Name == "profile.yaml"
		}
	}
	const plain, regular, twice = "is not a plain name", "is not a regular file", "twice, or with a different case"
	why := map[string]string{"a later format": "expected the format", "upwards": plain, "absolute": plain, "backslash": plain,
		"a drive": plain,
		"a link":  regular, "a hard link": regular, "a device": regular, "a pipe": regular, "a name twice": twice, "another case": twice,
		"a second label": twice, "one more file": "digest differs", "a hook of git": plain,
		"a bomb": "more than", "other bytes": "digest differs"}
	for name, change := range map[string]func(*tar.Header, []byte) (*tar.Header, []byte, bool){
		"a later format": func(at *tar.Header, data []byte) (*tar.Header, []byte, bool) {
			if i := bytes.Index(data, []byte("v1")); at.Name == "fstpack.json" && i >= 0 {
				data[i+1] = '9'
			}
			return nil, nil, false
		},
		"upwards":        add(tar.Header{Name: "../evil"}, "x"),
		"absolute":       add(tar.Header{Name: "/tmp/evil"}, "x"),
		"backslash":      add(tar.Header{Name: `a\..\evil`}, "x"),
		"a drive":        add(tar.Header{Name: "C:evil"}, "x"),
		"a link":         add(tar.Header{Name: "evil", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, ""),
		"a hard link":    add(tar.Header{Name: "evil", Typeflag: tar.TypeLink, Linkname: "profile.yaml"}, ""),
		"a device":       add(tar.Header{Name: "evil", Typeflag: tar.TypeChar}, ""),
		"a pipe":         add(tar.Header{Name: "evil", Typeflag: tar.TypeFifo}, ""),
		"a name twice":   add(tar.Header{Name: "hooks.yaml"}, "x"),
		"another case":   add(tar.Header{Name: "Hooks.YAML"}, "x"),
		"a second label": add(tar.Header{Name: "fstpack.json"}, "{}"),
		"one more file":  add(tar.Header{Name: "more.txt"}, "x"),
		"a hook of git":  add(tar.Header{Name: ".git/hooks/pre-commit"}, "x"),
		"a bomb":         add(tar.Header{Name: "big"}, strings.Repeat("x", 65<<20)),
		"other bytes": func(h *tar.Header, data []byte) (*tar.Header, []byte, bool) {
			if h.Name == "profile.yaml" {
				copy(data[bytes.Index(data, []byte("Weapons")):], "Flowers")
			}
			return h, data, false
		},
	} {
		var b bytes.Buffer
		in, out := tar.NewReader(bytes.NewReader(raw)), tar.NewWriter(&b)
		for {
			h, err := in.Next()
			if err == io.EOF {
				break
			}
			data, _ := io.ReadAll(in)
			more, extra, put := change(h, data)
			out.WriteHeader(h)
			out.Write(data)
			if put {
				out.WriteHeader(more)
				out.Write(extra)
			}
		}
		out.Close()
		lib := t.TempDir()
		if got, err := library.Install(lib, &b); err == nil || !strings.Contains(err.Error(), why[name]) {
			t.Errorf("%s: installed %+v, %v", name, got, err)
		}
		if entries, _ := os.ReadDir(lib); len(entries) > 0 {
			t.Errorf("%s: %v is left", name, entries)
		}
	}
	var behind bytes.Buffer
	behind.Write(raw)
	behind.Write(raw)
	if got, err := library.Install(t.TempDir(), &behind); err == nil || !strings.Contains(err.Error(), "after the end") {
		t.Errorf("a second archive behind it: %+v, %v", got, err)
	}
	var empty bytes.Buffer
	tar.NewWriter(&empty).Close()
	if got, err := library.Install(t.TempDir(), &empty); err == nil || !strings.Contains(err.Error(), "not an archive of a process") {
		t.Errorf("an empty archive: %+v, %v", got, err)
	}
	for n := range 40 { // cut off anywhere
		if got, err := library.Install(t.TempDir(), bytes.NewReader(raw[:n*len(raw)/45])); err == nil {
			t.Errorf("%d bytes: %+v", n*len(raw)/45, got)
		}
	}
}
