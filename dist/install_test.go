package dist_test

import (
	"bytes"
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"github.com/trammel-dev/trammel/dist/archive"
	"github.com/trammel-dev/trammel/dist/checksums"
	"github.com/trammel-dev/trammel/dist/content"
	"github.com/trammel-dev/trammel/dist/script"
)

// TEAM-44: install.sh takes a release from a server, and nothing if one byte of
// archive, list or signature is another, if somebody else has signed it, or if
// the signature is missing.
func TestInstallScript(t *testing.T) {
	for _, program := range []string{"openssl", "curl", "tar", "sh"} {
		if _, err := exec.LookPath(program); err != nil || runtime.GOOS == "windows" {
			t.Skip("needs " + program)
		}
	}
	name := "trammel_1.2.3_" + runtime.GOOS + "_" + runtime.GOARCH + ".tar.gz"
	program := content.File{Path: "trammel", Mode: 0o755, Data: []byte("#!/bin/sh\necho it runs\n")}
	hook := program
	hook.Path = "trammel-hook"
	packed, err := archive.TarGz([]content.File{program, hook}, at)
	if err != nil {
		t.Fatal(err)
	}
	hook.Data = bytes.Replace(hook.Data, []byte("runs"), []byte("rums"), 1)
	other, err := archive.TarGz([]content.File{program, hook}, at) // can be unpacked
	if err != nil {
		t.Fatal(err)
	}
	secret, public, _ := note.GenerateKey(rand.Reader, "trammel.dev/release")
	otherSecret, otherPublic, _ := note.GenerateKey(rand.Reader, "trammel.dev/release")
	text := checksums.Text(map[string][]byte{name: packed, "another.deb": []byte("x")})
	signed, err := checksums.Sign(text, secret, public)
	if err != nil {
		t.Fatal(err)
	}
	foreign, _ := checksums.Sign(text, otherSecret, otherPublic)
	both := append(bytes.Clone(foreign), signed[len(text)+1:]...)
	install, err := script.Write("1.2.3", public)
	if err != nil || bytes.Contains(install, []byte("@VERSION@")) {
		t.Fatal("the script has places that are not filled in", err)
	}
	path := filepath.Join(t.TempDir(), "install.sh")
	if err := os.WriteFile(path, install, 0o755); err != nil {
		t.Fatal(err)
	}
	change := func(data []byte, at int) []byte {
		out := bytes.Clone(data)
		out[at] ^= 2
		return out
	}
	for _, c := range []struct {
		name, says    string
		list, archive []byte
	}{
		{"a release", "trammel 1.2.3 is in", signed, packed},
		{"two signatures", "trammel 1.2.3 is in", both, packed},
		{"a changed archive", "has the checksum", signed, change(packed, len(packed)/2)},
		{"a changed program", "has the checksum", signed, other},
		{"a changed list", "is not signed by trammel.dev/release", change(signed, 3), packed},
		{"a changed signature", "is not signed by trammel.dev/release", change(signed, len(signed)-20), packed},
		{"another key of that name", "is not signed by trammel.dev/release", foreign, packed},
		{"no signature", "is not signed by trammel.dev/release", []byte(text), packed},
		{"a line behind the signature", "does not list", append([]byte("0  x\n"), signed[len(text):]...), packed},
		{"no archive", "cannot fetch", signed, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "a line behind the signature" { // well signed, but what counts is not in the signed part
				short, _ := checksums.Sign("0  x\n", secret, public)
				c.list = append(short, "\n"+text...)
			}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path == "/checksums.txt":
					w.Write(c.list)
				case r.URL.Path == "/"+name && c.archive != nil:
					w.Write(c.archive)
				default:
					http.NotFound(w, r)
				}
			}))
			defer server.Close()
			dir := filepath.Join(t.TempDir(), "a bin")
			cmd := exec.Command("sh", path)
			cmd.Env = append(os.Environ(), "TRAMMEL_DIR="+dir, "TRAMMEL_FROM="+server.URL, "no_proxy=127.0.0.1")
			out, err := cmd.CombinedOutput()
			if !strings.Contains(string(out), c.says) {
				t.Errorf("it says %s", out)
			}
			installed, _ := os.ReadDir(dir)
			if good := strings.HasPrefix(c.says, "trammel"); good != (err == nil) || good != (len(installed) == 2) {
				t.Errorf("%v, %d files are installed: %s", err, len(installed), out)
			}
			if err == nil {
				if out, err := exec.Command(filepath.Join(dir, "trammel-hook")).Output(); err != nil || string(out) != "it runs\n" {
					t.Errorf("%q, %v", out, err)
				}
			}
		})
	}
}
