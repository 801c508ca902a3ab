package dist_test

import (
	"archive/tar"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"golang.org/x/mod/sumdb/note"

	"github.com/trammel-dev/trammel/dist/checksums"
	"github.com/trammel-dev/trammel/dist/content"
	"github.com/trammel-dev/trammel/dist/manifests"
	"github.com/trammel-dev/trammel/dist/npm"
	"github.com/trammel-dev/trammel/dist/oci"
	"github.com/trammel-dev/trammel/dist/plugins"
	"github.com/trammel-dev/trammel/dist/sbom"
)

var at = time.Unix(1_700_000_000, 0)

// TEAM-45: the list is a signed note; with any byte changed it opens no more,
// and a key that does not fit is refused when it is signed.
func TestChecksums(t *testing.T) {
	secret, public, err := note.GenerateKey(rand.Reader, "trammel.dev/release")
	if err != nil {
		t.Fatal(err)
	}
	signed, err := checksums.Sign(checksums.Text(map[string][]byte{"b": []byte("2"), "a": []byte("1")}), secret, public)
	if err != nil {
		t.Fatal(err)
	}
	verifier, _ := note.NewVerifier(public)
	opened, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%x  a\n%x  b\n", sha256.Sum256([]byte("1")), sha256.Sum256([]byte("2"))); opened.Text != want {
		t.Errorf("the text is %q", opened.Text)
	}
	for i := range signed {
		torn := bytes.Clone(signed)
		torn[i] ^= 1
		if n, err := note.Open(torn, note.VerifierList(verifier)); err == nil && n.Text != opened.Text {
			t.Fatalf("with byte %d changed it says %q", i, n.Text)
		}
	}
	_, other, _ := note.GenerateKey(rand.Reader, "trammel.dev/release")
	if _, err := checksums.Sign("x\n", secret, other); err == nil {
		t.Error("signed with a key that nobody can check")
	}
}

// TEAM-40: what is in a program, from the program: here the test itself.
func TestSBOM(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	data, err := sbom.Write(program, "trammel", "1.2.3", at)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"bomFormat": "CycloneDX"`, `"timestamp": "2023-11-14T22:13:20Z"`,
		`"purl": "pkg:golang/github.com/trammel-dev/trammel@v1.2.3"`,
		`"purl": "pkg:golang/std@go1.`, fmt.Sprintf(`"content": "%x"`, sha256.Sum256(program))} { // a test does not know its modules
		if !bytes.Contains(data, []byte(part)) {
			t.Errorf("no %s in %.600s", part, data)
		}
	}
	if _, err := sbom.Write([]byte("no program"), "trammel", "1.2.3", at); err == nil {
		t.Error("something is known about what is no program")
	}
}

// TEAM-44: the image is closed under its digests, and its user has no rights.
func TestOCI(t *testing.T) {
	data, err := oci.Write([]*content.Package{sample("amd64"), sample("arm64")})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for tr := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(tr); err != nil {
			t.Fatal(err)
		}
	}
	type descriptor struct {
		MediaType, Digest string
		Size              int
		Platform          struct{ Architecture string }
	}
	var seen []string
	var follow func(text []byte)
	follow = func(text []byte) {
		var doc struct {
			Manifests, Layers []descriptor
			Config            json.RawMessage
		}
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		var config struct {
			descriptor
			User string
		}
		if len(doc.Config) > 0 {
			if err := json.Unmarshal(doc.Config, &config); err != nil {
				t.Fatal(err)
			}
		}
		if config.User != "" && config.User != "65532:65532" {
			t.Errorf("it runs as %q", config.User)
		}
		for _, d := range append(append(doc.Manifests, doc.Layers...), config.descriptor) {
			blob, ok := files["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
			if d.Digest == "" {
				continue
			}
			if !ok || len(blob) != d.Size || fmt.Sprintf("sha256:%x", sha256.Sum256(blob)) != d.Digest {
				t.Errorf("%s %s: %d bytes, found %d", d.MediaType, d.Digest, d.Size, len(blob))
			}
			seen = append(seen, d.MediaType[len("application/vnd.oci.image."):]+d.Platform.Architecture)
			if strings.HasSuffix(d.MediaType, "json") {
				follow(blob)
			}
		}
	}
	follow(files["index.json"])
	if got := strings.Join(seen, " "); strings.Count(got, "layer.v1.tar+gzip") != 2 || !strings.Contains(got, "manifest.v1+jsonarm64") {
		t.Errorf("it has %s", got)
	}
}

// TEAM-43: exact versions of all platforms, and nothing that runs on installation.
func TestNPMManifest(t *testing.T) {
	name, data, err := npm.Shim("1.2.3", at, []string{"linux/amd64", "windows/arm64"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Name                 string
		Scripts              map[string]string
		OptionalDependencies map[string]string
		Dependencies         map[string]string
		Bin                  map[string]string
	}
	files := names(t, data)
	if err := json.Unmarshal([]byte(strings.TrimPrefix(files["package/package.json"], "644 ")), &m); err != nil {
		t.Fatal(err)
	}
	if name != "trammel-cli-1.2.3.tgz" || len(m.Scripts)+len(m.Dependencies) > 0 || len(m.OptionalDependencies) != 2 ||
		m.OptionalDependencies["@trammel/linux-x64"] != "1.2.3" || m.OptionalDependencies["@trammel/win32-arm64"] != "1.2.3" {
		t.Errorf("%s has %+v", name, m)
	}
	for _, bin := range m.Bin {
		if !strings.HasPrefix(files["package/"+bin], "755 #!/usr/bin/env node\n") {
			t.Errorf("%s is %q", bin, files["package/"+bin])
		}
	}
}

// TEAM-44: the manifests can be read and name every archive with its checksum.
func TestManifests(t *testing.T) {
	r := manifests.Release{Version: "1.2.3", Time: at, Sums: map[string]string{}, Pages: []string{"trammel.1"}}
	if _, err := manifests.Write(r); err == nil || !strings.Contains(err.Error(), "there is no archive for") {
		t.Errorf("without archives: %v", err)
	}
	for _, target := range []string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64"} {
		r.Sums[target] = fmt.Sprintf("%x", sha256.Sum256([]byte(target)))
	}
	files, err := manifests.Write(r)
	if err != nil || len(files) != 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	all := ""
	for _, f := range files {
		all += strings.ToLower(string(f.Data))
		var doc map[string]any
		switch filepath.Ext(f.Path) {
		case ".yaml":
			err = yaml.UnmarshalWithOptions(f.Data, &doc, yaml.Strict())
		case ".json":
			err = json.Unmarshal(f.Data, &doc)
		}
		if err != nil || bytes.Contains(f.Data, []byte("{{")) {
			t.Errorf("%s: %v\n%s", f.Path, err, f.Data)
		}
	}
	for target, sum := range r.Sums {
		if !strings.Contains(all, sum) {
			t.Errorf("nothing names the archive of %s", target)
		}
	}
}

// TEAM-46: the plugins are what init writes into a project, call the program by
// its name, and stop calls where it is missing.
func TestPlugins(t *testing.T) {
	files, err := plugins.Tree("1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	hooks := 0
	for _, f := range files {
		text := string(f.Data)
		if filepath.Ext(f.Path) == ".json" && !json.Valid(f.Data) {
			t.Errorf("%s is no JSON", f.Path)
		}
		if strings.Contains(text, os.TempDir()) {
			t.Errorf("%s names a path of this machine", f.Path)
		}
		if strings.Contains(f.Path, "hooks/") {
			hooks++
			if !strings.Contains(text, "trammel-hook --wait=") || !strings.Contains(text, "exit 2") {
				t.Errorf("%s does not stop calls: %.300s", f.Path, text)
			}
		}
	}
	if hooks != 3 || len(files) != 14 {
		t.Errorf("%d files, %d with hooks", len(files), hooks)
	}
}
