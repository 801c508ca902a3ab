package dist_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"golang.org/x/mod/sumdb/note"

	"github.com/trammel-dev/trammel/dist/provenance"
)

// TEAM-45: the provenance names the commit and every file, holds offline with the
// public key alone, and no changed byte, missing file or other file passes.
func TestProvenance(t *testing.T) {
	secret, public, err := note.GenerateKey(rand.Reader, "trammel.dev/release")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"b.deb": []byte("2"), "a.tar.gz": []byte("1")}
	from := provenance.Source{Commit: strings.Repeat("ab", 20), Version: "1.2.3", Go: "go1.26.0", Targets: []string{"linux/amd64"}}
	text, err := provenance.Statement(files, from)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := provenance.Sign(text, secret)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := provenance.Verify(signed, public, files); err != nil || got.Commit != from.Commit || got.Version != "1.2.3" {
		t.Fatal(got, err)
	}
	if again, _ := provenance.Sign(text, secret); !bytes.Equal(again, signed) {
		t.Error("another envelope for the same release")
	}
	for i := range signed {
		torn := bytes.Clone(signed)
		torn[i] ^= 1
		if got, err := provenance.Verify(torn, public, files); err == nil && got.Commit != from.Commit {
			t.Fatalf("with byte %d changed it is of %+v", i, got)
		}
	}
	_, other, _ := note.GenerateKey(rand.Reader, "trammel.dev/release")
	for name, c := range map[string]struct {
		key   string
		files map[string][]byte
		want  string
	}{
		"another key": {other, files, "not signed"},
		"changed":     {public, map[string][]byte{"b.deb": []byte("3"), "a.tar.gz": []byte("1")}, "b.deb has the checksum"},
		"missing":     {public, map[string][]byte{"b.deb": []byte("2")}, "a.tar.gz is missing"},
		"one more":    {public, map[string][]byte{"b.deb": []byte("2"), "a.tar.gz": []byte("1"), "c": nil}, "c is not in"},
	} {
		if _, err := provenance.Verify(signed, c.key, c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// As any DSSE verifier reads it, with nothing of ours.
	var e struct {
		PayloadType string
		Payload     []byte
		Signatures  []struct{ Sig []byte }
	}
	if err := json.Unmarshal(signed, &e); err != nil {
		t.Fatal(err)
	}
	key, _ := base64.StdEncoding.DecodeString(strings.SplitN(public, "+", 3)[2])
	text = fmt.Appendf(nil, "DSSEv1 28 application/vnd.in-toto+json %d %s", len(e.Payload), e.Payload)
	if !ed25519.Verify(key[1:], text, e.Signatures[0].Sig) {
		t.Error("the signature is not over what DSSE says")
	}
}

// TEAM-45: the workflow of releases attests what it has built, and may do nothing else.
func TestReleaseWorkflow(t *testing.T) {
	data, err := os.ReadFile("../.github/workflows/release.yml")
	if err != nil {
		t.Fatal(err)
	}
	var flow struct {
		Permissions map[string]string
		Jobs        map[string]struct {
			Permissions map[string]string
			Steps       []struct {
				Uses, Run string
				With      map[string]any
			}
		}
	}
	if err := yaml.Unmarshal(data, &flow); err != nil {
		t.Fatal(err)
	}
	job := flow.Jobs["release"]
	if len(flow.Permissions) != 0 || len(job.Permissions) != 3 || job.Permissions["attestations"] != "write" ||
		job.Permissions["id-token"] != "write" || job.Permissions["contents"] != "write" {
		t.Errorf("it may %v, and the job %v", flow.Permissions, job.Permissions)
	}
	built, attested := -1, -1
	for i, s := range job.Steps {
		if action, commit, ok := strings.Cut(s.Uses, "@"); s.Uses != "" && (!ok || len(commit) != 40) {
			t.Errorf("%s is not named by its commit", s.Uses)
		} else if action == "actions/attest-build-provenance" && s.With["subject-checksums"] == "bin/dist/checksums.txt" {
			attested = i
		}
		if strings.Contains(s.Run, "make dist") {
			built = i
		}
	}
	if built < 0 || attested < built {
		t.Errorf("step %d builds, and step %d attests", built, attested)
	}
}
