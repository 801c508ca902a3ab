package bundles

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/test/testfile"
)

const rules = "version: 1\nhooks: [{id: a, on: stop, deny: x}]\n"

// signed is a bundle that one key has signed, with its public half.
func signed(t *testing.T, more ...File) (*Bundle, string) {
	t.Helper()
	secret, public, err := NewKey("acme")
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(append([]File{{Manifest, []byte("name: acme\nversion: v1.2.0\n")}, {layers.FileName, []byte(rules)}}, more...))
	if err != nil {
		t.Fatal(err)
	}
	return sign(t, b, secret), public
}

func sign(t *testing.T, b *Bundle, secrets ...string) *Bundle {
	t.Helper()
	signature, err := b.Sign(secrets...)
	if err != nil {
		t.Fatal(err)
	}
	var list []File
	for _, f := range b.Files {
		if f.Name != Signature {
			list = append(list, f)
		}
	}
	if b, err = New(append(list, File{Signature, signature})); err != nil {
		t.Fatal(err)
	}
	return b
}

func opened(b *Bundle, data []byte, ref Ref, change func(*layers.Locked)) error {
	l := layers.Locked{Sum: b.Sum, Name: b.Name, Version: b.Version, From: ref.From}
	if ref.Keys != nil {
		l.Signer, _ = b.Verify(ref.Keys...)
	}
	if change != nil {
		change(&l)
	}
	_, err := ref.Open([]layers.Locked{l}, map[string]layers.Bundle{l.Sum: {Path: "stored", Data: data}})
	return err
}

// TEAM-13, TEAM-14: one flipped bit anywhere in what is stored, signature
// included, and one in the sum that is locked, is refused.
func TestEveryByteCounts(t *testing.T) {
	b, key := signed(t, File{"hooks.d/more.yaml", []byte("version: 1\n")})
	stored := b.Encode()
	ref := Ref{From: "./b", Keys: []string{key}}
	if err := opened(b, stored, ref, nil); err != nil {
		t.Fatal(err)
	}
	for i := range stored {
		for _, bit := range []byte{1, 4, 0x80} {
			flipped := bytes.Clone(stored)
			flipped[i] ^= bit
			if opened(b, flipped, ref, nil) == nil {
				t.Errorf("byte %d of %d: %q is taken for %q", i, len(stored), flipped[i], stored[i])
			}
		}
	}
	for i := range b.Sum {
		if opened(b, stored, ref, func(l *layers.Locked) { s := []byte(l.Sum); s[i] ^= 1; l.Sum = string(s) }) == nil {
			t.Errorf("byte %d of the sum", i)
		}
	}
	for n := range stored { // torn
		if opened(b, stored[:n], ref, nil) == nil {
			t.Errorf("the first %d bytes are taken", n)
		}
	}
}

// TEAM-14: no way round a key. OPA took unsigned bundles where the list of keys
// was empty (GHSA-g2pf-6v5v-qcc8).
func TestNoWayRound(t *testing.T) {
	b, key := signed(t)
	other, otherKey := signed(t, File{"README.md", []byte("other")})
	signature, _ := b.File(Signature)
	files := func(more ...File) []File {
		return append([]File{{Manifest, []byte("name: acme\nversion: v1.2.0\n")}, {layers.FileName, []byte(rules)}}, more...)
	}
	for _, c := range []struct {
		name  string
		files []File
		keys  []string
		want  string // part of the error, "" for none
	}{
		{"as signed", files(File{Signature, signature}), []string{key}, ""},
		{"one of two keys", files(File{Signature, signature}), []string{otherKey, key}, ""},
		{"no signature", files(), []string{key}, "not signed"},
		{"an empty signature", files(File{Signature, nil}), []string{key}, "malformed"},
		{"a key that is not known", files(File{Signature, signature}), []string{otherKey}, "none of the named keys"},
		{"an empty list of keys", files(File{Signature, signature}), []string{}, "list of keys is empty"},
		{"a key that is none", files(File{Signature, signature}), []string{"acme"}, "not a public key"},
		{"an empty key", files(File{Signature, signature}), []string{""}, "not a public key"},
		{"an extra file", files(File{Signature, signature}, File{"hooks.d/x.yaml", []byte("version: 1\n")}), []string{key}, "other content"},
		{"an extra file that is no rule", files(File{Signature, signature}, File{".hidden", nil}), []string{key}, "for other content"},
		{"that of another", append(files(), File{Signature, mustFile(other, Signature)}), []string{key, otherKey}, "other content"},
		{"another version", []File{{Manifest, []byte("name: acme\nversion: v1.1.0\n")}, {layers.FileName, []byte(rules)},
			{Signature, signature}}, []string{key}, "other content"},
		{"a signature elsewhere", files(File{"sub/" + Signature, signature}), []string{key}, "not signed"},
	} {
		made, err := New(c.files)
		if err != nil {
			t.Fatal(err)
		}
		err = opened(made, made.Encode(), Ref{From: "./b", Keys: c.keys}, func(l *layers.Locked) { l.Signer, _ = b.Verify(key) })
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// A lock that says something else than the bundle.
	for _, change := range []func(*layers.Locked){
		func(l *layers.Locked) { l.Signer = "" }, func(l *layers.Locked) { l.Version = "v1.3.0" }, func(l *layers.Locked) { l.Name = "x" },
		func(l *layers.Locked) { l.From = "./other" }, func(l *layers.Locked) { l.Sum = other.Sum },
	} {
		if opened(b, b.Encode(), Ref{From: "./b", Keys: []string{key}}, change) == nil {
			t.Error("a lock that does not fit is taken")
		}
	}
	err := opened(b, b.Encode(), Ref{From: "./b", Version: "v1.3.0"}, nil)
	if err == nil || !strings.Contains(err.Error(), "expected version v1.3.0") {
		t.Errorf("an older version than asked for: %v", err)
	}
	if err := opened(b, nil, Ref{From: "./b"}, nil); err == nil || !strings.Contains(err.Error(), "trammel bundle sync") {
		t.Errorf("missing: %v", err)
	}
}

func mustFile(b *Bundle, name string) []byte { data, _ := b.File(name); return data }

// TEAM-13: several people sign one after another, and each signature counts.
func TestSeveralSigners(t *testing.T) {
	b, first := signed(t)
	secret, second, _ := NewKey("second")
	both := sign(t, b, secret)
	for _, keys := range [][]string{{first}, {second}, {first, second}} {
		if _, err := both.Verify(keys...); err != nil {
			t.Errorf("%v: %v", keys, err)
		}
	}
	if _, err := b.Sign("PRIVATE+KEY+nonsense"); err == nil || strings.Contains(err.Error(), "nonsense") {
		t.Errorf("what is no key: %v", err)
	}
	if _, err := b.Sign(); err == nil {
		t.Error("signed with no key")
	}
	one, err := SignText("one\n", nil, secret)
	if err != nil {
		t.Fatal(err)
	}
	third, public, _ := NewKey("third")
	two, err := SignText("two\n", one, third)
	if err != nil || strings.Contains(string(two), "second") {
		t.Errorf("who signed something else signs this: %s, %v", two, err)
	}
	if text, who, err := OpenText(two, second, public); err != nil || text != "two\n" || !strings.HasPrefix(who, "third+") {
		t.Errorf("%q, %q, %v", text, who, err)
	}
}

// TEAM-12: what is no bundle, or leads out of it.
func TestRefusedBundles(t *testing.T) {
	manifest := File{Manifest, []byte("name: a\nversion: v1.0.0\n")}
	yaml := File{layers.FileName, []byte(rules)}
	many, large := []File{manifest, yaml}, make([]byte, MaxFile)
	for i := range MaxFiles {
		many = append(many, File{strings.Repeat("x", i+1), nil})
	}
	for name, files := range map[string][]File{
		"no manifest":    {yaml},
		"no rules":       {manifest},
		"above":          {manifest, yaml, {"../x", nil}},
		"absolute":       {manifest, yaml, {"/x", nil}},
		"backslash":      {manifest, yaml, {`a\b`, nil}},
		"line break":     {manifest, yaml, {"a\nb", nil}},
		"a delete":       {manifest, yaml, {"a\x7f", nil}},
		"twice":          {manifest, yaml, yaml},
		"twice by case":  {manifest, yaml, {"Trammel.yaml", nil}},
		"too large":      {manifest, yaml, {"x", make([]byte, MaxFile+1)}},
		"too many":       many,
		"too much":       {manifest, yaml, {"a", large}, {"b", large}, {"c", large}, {"d", large}},
		"a branch":       {{Manifest, []byte("name: a\nversion: main\n")}, yaml},
		"a short one":    {{Manifest, []byte("name: a\nversion: v1.2\n")}, yaml},
		"a name":         {{Manifest, []byte("name: A B\nversion: v1.0.0\n")}, yaml},
		"a key twice":    {{Manifest, []byte("name: a\nname: b\nversion: v1.0.0\n")}, yaml},
		"an unknown key": {{Manifest, []byte("name: a\nversion: v1.0.0\nx: y\n")}, yaml},
		"a list":         {{Manifest, []byte("[name]\n")}, yaml},
		"no YAML":        {{Manifest, []byte("name: [\n")}, yaml},
	} {
		if _, err := New(files); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, err := New([]File{manifest, yaml, {"x", make([]byte, MaxFile)}}); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	full := []File{manifest, yaml}
	for left, i := maxTotal-len(manifest.Data)-len(yaml.Data), 0; left > 0; left, i = left-MaxFile, i+1 {
		full = append(full, File{fmt.Sprint("part", i), make([]byte, min(left, MaxFile))})
	}
	if _, err := New(full); err != nil {
		t.Errorf("at the limit of all files: %v", err)
	}
	one, err := New([]File{manifest, yaml})
	other, otherErr := New([]File{yaml, manifest})
	if err != nil || otherErr != nil || one.Sum != other.Sum || !slices.Equal(one.Encode(), other.Encode()) {
		t.Errorf("the order of the files counts: %v, %v", err, otherErr)
	}
}

// TEAM-12: a link in a directory is refused, wherever it leads; git's own files are no part of a bundle.
func TestReadDir(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		testfile.Write(t, filepath.Join(dir, name), text, 0o644)
	}
	write(Manifest, "name: a\nversion: v1.0.0\n")
	write(layers.FileName, rules)
	write("hooks.d/b.yml", "version: 1\n")
	write("hooks.d/.b.yml.swp.yml", "version: 1\n") // signed, but no rules
	write(".git/HEAD", "ref")
	b, err := ReadDir(dir)
	if err != nil || len(b.Files) != 4 || len(b.Rules()) != 2 || b.Rules()[0].Name != layers.FileName {
		t.Fatalf("%+v, %v", b, err)
	}
	again, err := Decode(b.Encode())
	if err != nil || again.Sum != b.Sum || b.String() != "a@v1.0.0" {
		t.Errorf("%v, %v", again, err)
	}
	for _, target := range []string{"/etc/passwd", layers.FileName, "nowhere", "hooks.d"} {
		link := filepath.Join(dir, "link")
		if err := os.Symlink(target, link); err != nil {
			t.Skip(err)
		}
		if _, err := ReadDir(dir); err == nil || !strings.Contains(err.Error(), "link") {
			t.Errorf("a link to %s: %v", target, err)
		}
		os.Remove(link)
	}
}

// TEAM-12: no branches, nothing that travels unprotected, no passwords.
func TestRefs(t *testing.T) {
	rev := strings.Repeat("a", 40)
	for _, c := range []struct {
		ref  Ref
		want Origin // "" for an error
	}{
		{Ref{From: "./rules"}, Path}, {Ref{From: "../rules"}, Path}, {Ref{From: "/srv/rules"}, Path}, {Ref{From: "rules"}, Path},
		{Ref{From: "https://host/acme/rules.git", Rev: rev}, Git}, {Ref{From: "https://host/acme/rules", Rev: rev}, Git},
		{Ref{From: "git@host:acme/rules.git", Rev: rev}, Git}, {Ref{From: "ssh://git@host/rules", Rev: rev}, Git},
		{Ref{From: "file:///srv/rules.git", Rev: rev}, Git},
		{Ref{From: "https://host/rules.zip"}, Archive}, {Ref{From: "https://host/rules-1.0.TAR.GZ"}, Archive},
		{Ref{From: "https://host/rules.git"}, ""}, {Ref{From: "./rules", Rev: rev}, ""}, {Ref{From: "https://host/rules.zip", Rev: rev}, ""},
		{Ref{From: "http://host/rules.zip"}, ""}, {Ref{From: "git://host/rules", Rev: rev}, ""}, {Ref{From: "ext::sh -c id", Rev: rev}, ""},
		{Ref{From: "https://u:p@host/rules", Rev: rev}, ""}, {Ref{From: "--upload-pack=x", Rev: rev}, ""}, {Ref{From: "./a b"}, ""},
		{Ref{From: "acme:rules"}, Path}, {Ref{From: "./git@host:rules"}, Path}, {Ref{From: `a\git@host:rules`}, Path},
		{Ref{From: "a@b://c", Rev: rev}, ""}, {Ref{From: "./a\x7f"}, ""}, {Ref{From: "a@b"}, Path},
		{Ref{From: "./a", Keys: []string{}}, ""}, {Ref{From: "./a", Keys: []string{"x"}}, ""},
	} {
		err := c.ref.Check()
		if got, _ := c.ref.Origin(); (err == nil) != (c.want != "") || c.want != "" && got != c.want {
			t.Errorf("%+v: %s, %v", c.ref, got, err)
		}
	}
	_, key, _ := NewKey("k")
	outer := Ref{From: "file:///srv/rules.git", Rev: rev, Keys: []string{key}}
	if _, err := outer.Below(Ref{From: "../out"}); err == nil {
		t.Error("a bundle from elsewhere names a path")
	}
	local := Ref{From: "../rules"}
	if inner, err := local.Below(Ref{From: "../more"}); err != nil || inner.From != "../more" {
		t.Errorf("a bundle of this machine cannot name a path: %v", err)
	}
	if inner, err := outer.Below(Ref{From: "https://host/x.zip"}); err != nil || len(inner.Keys) != 1 {
		t.Errorf("a bundle in a signed one needs no signature: %+v, %v", inner, err)
	}
	if _, err := outer.Below(Ref{From: "https://host/x.zip", Keys: []string{}}); err == nil {
		t.Error("an empty list of keys takes the outer ones away")
	}
}
