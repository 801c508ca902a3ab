package fetch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/bundles"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/test/testfile"
)

// extends reads lines "extends FROM [REV]" out of a rules file: how files say it is config's affair.
func extends(_ string, data []byte) (refs []bundles.Ref, _ error) {
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "extends" {
			refs = append(refs, bundles.Ref{From: f[1], Rev: strings.Join(f[2:], "")})
		}
	}
	return refs, nil
}

func bundle(t *testing.T, dir, name, version, rules string) string {
	t.Helper()
	testfile.Tree(t, dir, map[string]string{bundles.Manifest: "name: " + name + "\nversion: " + version + "\n", layers.FileName: rules})
	return dir
}

// run runs git as somebody who has no settings.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func resolver(t *testing.T, lock ...layers.Locked) *Resolver {
	return &Resolver{Stored: filepath.Join(t.TempDir(), "stored"), Extends: extends, Lock: lock}
}

// TEAM-12, TEAM-16: a commit of a git repository, from a bare repository, by
// commit and by tag; once it is here, nothing is fetched again.
func TestGit(t *testing.T) {
	work := bundle(t, t.TempDir(), "acme", "v1.0.0", "one")
	run(t, work, "init", "-q")
	run(t, work, "add", "-A")
	run(t, work, "commit", "-qm", "one")
	run(t, work, "tag", "-a", "v1.0.0", "-m", "with a text")
	first := run(t, work, "rev-parse", "HEAD")
	bundle(t, work, "acme", "v1.1.0", "two")
	run(t, work, "commit", "-qam", "two")
	run(t, work, "tag", "v1.1.0")
	run(t, work, "tag", "v2.0.0-rc.1")
	run(t, work, "tag", "nightly")
	second := run(t, work, "rev-parse", "HEAD")
	bare := filepath.Join(t.TempDir(), "acme.git")
	run(t, work, "clone", "-q", "--bare", work, bare)
	from := "file://" + bare

	r := resolver(t)
	found, err := r.Resolve(t.Context(), "", []bundles.Ref{{From: from, Rev: first}})
	if err != nil || len(found) != 1 || found[0].Version != "v1.0.0" || found[0].Rev != first || !found[0].Fetched {
		t.Fatalf("%+v, %v", found, err)
	}
	if tag, err := Newest(t.Context(), from, ""); err != nil || tag != (Tag{"v1.1.0", second}) {
		t.Errorf("newest: %+v, %v", tag, err)
	}
	if tag, err := Newest(t.Context(), from, "v1.0.0"); err != nil || tag != (Tag{"v1.0.0", first}) {
		t.Errorf("the commit of a tag with a text: %+v, %v", tag, err)
	}
	if _, err := Newest(t.Context(), from, "v3.0.0"); err == nil {
		t.Error("a version that there is not")
	}
	for _, rev := range []string{strings.Repeat("0", 40), run(t, work, "rev-parse", "v1.0.0"), run(t, work, "rev-parse", "HEAD^{tree}")} {
		if _, err := r.Resolve(t.Context(), "", []bundles.Ref{{From: from, Rev: rev}}); err == nil {
			t.Errorf("%s is no commit, and is taken", rev)
		}
	}
	// Older than what was locked.
	r.Lock = []layers.Locked{{Name: "acme", Version: "v1.1.0", From: from, Rev: second}}
	if _, err := r.Resolve(t.Context(), "", []bundles.Ref{{From: from, Rev: first}}); !errors.Is(err, ErrOlder) {
		t.Errorf("a step back: %v", err)
	}
	r.Downgrade = true
	if _, err := r.Resolve(t.Context(), "", []bundles.Ref{{From: from, Rev: first}}); err != nil {
		t.Error(err)
	}
	// Offline.
	r.Downgrade, r.Locked, r.Lock = false, true, []layers.Locked{found[0].Locked}
	if err := os.Rename(bare, bare+".gone"); err != nil {
		t.Fatal(err)
	}
	if again, err := r.Resolve(t.Context(), "", []bundles.Ref{{From: from, Rev: first}}); err != nil || again[0].Fetched {
		t.Errorf("what is here is fetched: %+v, %v", again, err)
	}
	r.Stored = t.TempDir()
	if _, err := r.Resolve(t.Context(), "", []bundles.Ref{{From: from, Rev: first}}); err == nil {
		t.Error("found in a repository that is gone")
	}
	// A link, by whatever name.
	if err := os.Symlink("/etc/passwd", filepath.Join(work, "hooks.d")); err != nil {
		t.Skip(err)
	}
	run(t, work, "add", "-A")
	run(t, work, "commit", "-qm", "link")
	_, err = fromGit(t.Context(), "file://"+work, run(t, work, "rev-parse", "HEAD"))
	if err == nil || !strings.Contains(err.Error(), "link") {
		t.Errorf("a link: %v", err)
	}
}

// TEAM-12: bundles extend bundles, three deep, and never themselves.
func TestNested(t *testing.T) {
	dir := t.TempDir()
	for i := 1; i <= 5; i++ {
		bundle(t, filepath.Join(dir, fmt.Sprint(i)), fmt.Sprint("b", i), "v1.0.0", fmt.Sprintf("extends ../%d\n", i+1))
	}
	bundle(t, filepath.Join(dir, "5"), "b5", "v1.0.0", "last")
	found, err := resolver(t).Resolve(t.Context(), dir, []bundles.Ref{{From: "./3"}})
	if err != nil || len(found) != 3 || found[2].Name != "b5" {
		t.Errorf("%+v, %v", found, err)
	}
	r := resolver(t)
	if _, err := r.Resolve(t.Context(), dir, []bundles.Ref{{From: "./2"}}); err == nil || !strings.Contains(err.Error(), "depth 4") {
		t.Errorf("four deep: %v", err)
	}
	if left, _ := os.ReadDir(r.Stored); len(left) > 0 {
		t.Error("something is stored of what is refused")
	}
	bundle(t, filepath.Join(dir, "c"), "c", "v1.0.0", "extends ../c\n")
	_, err = resolver(t).Resolve(t.Context(), dir, []bundles.Ref{{From: "./2"}, {From: "./c"}})
	if err == nil {
		t.Error("a circle beside others is taken")
	}
	_, err = resolver(t).Resolve(t.Context(), dir, []bundles.Ref{{From: "./c"}})
	if err == nil || !strings.Contains(err.Error(), "extends itself") {
		t.Errorf("a circle: %v", err)
	}
	_, key, _ := bundles.NewKey("k")
	if _, err := resolver(t).Resolve(t.Context(), dir, []bundles.Ref{{From: "./5", Keys: []string{key}}}); err == nil {
		t.Error("an unsigned bundle is taken with a key")
	}
}

// TEAM-12: archives over https, with and without a folder around; not what is
// something else, too much or redirected.
func TestArchives(t *testing.T) {
	files := []bundles.File{{Name: bundles.Manifest, Data: []byte("name: z\nversion: v1.0.0\n")}, {Name: layers.FileName, Data: []byte("x")}}
	bodies := map[string][]byte{
		"/plain.zip": zipped(t, "", files), "/top.zip": zipped(t, "acme-1/", files), "/plain.tar.gz": tarred(t, "", files, 0),
		"/top.tgz": tarred(t, "acme-1/", files, 0), "/link.tar.gz": tarred(t, "", files, tar.TypeSymlink),
		"/up.zip":     zipped(t, "", append(files, bundles.File{Name: "../out"})),
		"/broken.zip": []byte("PK"), "/torn.tar.gz": tarred(t, "", files, 0)[:60],
		"/large.zip": zipped(t, "", append(files, bundles.File{Name: "x", Data: make([]byte, bundles.MaxFile+1)})),
		"/long.zip":  make([]byte, layers.MaxBundle+1),
	}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away.zip" {
			http.Redirect(w, r, "http://"+r.Host+"/plain.zip", http.StatusFound)
		} else if body, ok := bodies[r.URL.Path]; ok {
			w.Write(body)
		} else {
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	sums := map[string]bool{}
	for _, c := range []struct {
		path string
		ok   bool
	}{{"/plain.zip", true}, {"/top.zip", true}, {"/plain.tar.gz", true}, {"/top.tgz", true}, {"/link.tar.gz", false}, {"/up.zip", false},
		{"/broken.zip", false}, {"/torn.tar.gz", false}, {"/large.zip", false}, {"/long.zip", false}, {"/away.zip", false},
		{"/none.zip", false}} {
		b, err := (&Fetcher{Client: server.Client()}).Get(context.Background(), bundles.Ref{From: server.URL + c.path}, "")
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.path, err)
		}
		if err == nil {
			sums[b.Sum] = true
		}
	}
	if len(sums) != 1 {
		t.Errorf("one bundle has %d sums", len(sums))
	}
	if _, err := (&Fetcher{}).Get(context.Background(), bundles.Ref{From: server.URL + "/plain.zip"}, ""); err == nil {
		t.Error("a certificate that nobody vouches for is taken")
	}
	// What is at the address is another thing than what was locked.
	r := resolver(t, layers.Locked{From: server.URL + "/plain.zip", Sum: "h1:" + strings.Repeat("a", 43) + "=", Name: "z", Version: "v1.0.0"})
	r.Client, r.Locked = server.Client(), true
	_, err := r.Resolve(context.Background(), "", []bundles.Ref{{From: server.URL + "/plain.zip"}})
	if err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("another content: %v", err)
	}
}

// A lock file that was changed by hand is refused by whoever reads it: when it is
// fetched, and when hooks are compiled.
func TestOneAnswerAboutALock(t *testing.T) {
	dir := bundle(t, t.TempDir(), "acme", "v1.0.0", "one")
	secret, key, err := bundles.NewKey("k")
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundles.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := b.Sign(secret)
	if err != nil {
		t.Fatal(err)
	}
	testfile.Tree(t, dir, map[string]string{bundles.Signature: string(signature)})
	if b, err = bundles.ReadDir(dir); err != nil {
		t.Fatal(err)
	}
	for _, keys := range [][]string{nil, {key}} {
		ref := bundles.Ref{From: dir, Keys: keys}
		found, err := resolver(t).Resolve(t.Context(), "", []bundles.Ref{ref})
		if err != nil {
			t.Fatal(err)
		}
		stored := map[string]layers.Bundle{found[0].Sum: {Data: b.Encode()}}
		for name, c := range map[string]struct {
			change func(l *layers.Locked)
			ok     bool
		}{
			"nothing":            {func(*layers.Locked) {}, true},
			"name":               {func(l *layers.Locked) { l.Name = "else" }, false},
			"version":            {func(l *layers.Locked) { l.Version = "v1.0.1" }, false},
			"an earlier version": {func(l *layers.Locked) { l.Version = "v0.9.0" }, false},
			"no version":         {func(l *layers.Locked) { l.Version = "" }, false},
			"signer":             {func(l *layers.Locked) { l.Signer = "eve+00000000" }, keys == nil},
			"from":               {func(l *layers.Locked) { l.From += "/" }, false},
			"rev":                {func(l *layers.Locked) { l.Rev = strings.Repeat("0", 40) }, false},
			"sum":                {func(l *layers.Locked) { l.Sum = "h1:" + strings.Repeat("a", 43) + "=" }, false},
		} {
			l := found[0].Locked
			c.change(&l)
			r := resolver(t, l)
			r.Locked = true
			_, fetched := r.Resolve(t.Context(), "", []bundles.Ref{ref})
			_, opened := ref.Open(r.Lock, stored)
			if (fetched == nil) != c.ok || (opened == nil) != c.ok {
				t.Errorf("%d keys, %s: fetching says %v, opening says %v", len(keys), name, fetched, opened)
			}
			for _, err := range []error{fetched, opened} {
				if err != nil && !strings.Contains(err.Error(), "run: trammel bundle") {
					t.Errorf("%s: it does not say what to do: %v", name, err)
				}
			}
		}
	}
}

func zipped(t *testing.T, top string, files []bundles.File) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.Create(top + f.Name)
		if err == nil {
			_, err = w.Write(f.Data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarred(t *testing.T, top string, files []bundles.File, extra byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, f := range files {
		if err := w.WriteHeader(&tar.Header{Name: top + f.Name, Mode: 0o644, Size: int64(len(f.Data)), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		w.Write(f.Data)
	}
	if extra != 0 {
		w.WriteHeader(&tar.Header{Name: top + "link", Linkname: "/etc/passwd", Typeflag: extra})
	}
	w.Close()
	z.Close()
	return b.Bytes()
}
