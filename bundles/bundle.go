// Package bundles implements shared rules: a bundle is a signed set of files with a name,
// a version, and a checksum over all of them. This package reads and checks bundles;
// bundles/fetch downloads them.
package bundles

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
	"golang.org/x/mod/sumdb/dirhash"

	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/lazy"
	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// The files of a bundle that are not rules.
const (
	Manifest  = "bundle.yaml" // its name and version
	Signature = "bundle.sig"  // who vouches for all other files
)

// Limits of a bundle.
const (
	MaxFile  = layers.MaxFile
	MaxFiles = 512
	maxTotal = layers.MaxBundle - 64<<10 // the rest is for the names
)

// Bundle is a set of files that has been read. Sum is of these bytes.
type Bundle struct {
	Name    string
	Version string
	Sum     string // h1:…, of all files except the signature
	Files   []File // by name
}

// File is a file of a bundle.
type File struct {
	Name string // with slashes, from the top of the bundle
	Data []byte
}

// String is the name of the bundle in messages and lists.
func (b *Bundle) String() string { return b.Name + "@" + b.Version }

// File finds a file by name.
func (b *Bundle) File(name string) ([]byte, bool) {
	for i := range b.Files {
		if b.Files[i].Name == name {
			return b.Files[i].Data, true
		}
	}
	return nil, false
}

// Rules lists the configuration files in the order in which they apply.
func (b *Bundle) Rules() []File {
	var rules []File
	for _, f := range b.Files {
		ext := strings.ToLower(path.Ext(f.Name))
		dropIn := path.Dir(f.Name) == layers.DropIn && (ext == ".yaml" || ext == ".yml") && !strings.HasPrefix(path.Base(f.Name), ".")
		if f.Name == layers.FileName {
			rules = slices.Insert(rules, 0, f)
		} else if dropIn {
			rules = append(rules, f)
		}
	}
	return rules
}

// New checks the files and makes a bundle from them.
func New(files []File) (*Bundle, error) {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	b := &Bundle{Files: files}
	if err := b.bounds(); err != nil {
		return nil, err
	}
	if err := b.manifest(); err != nil {
		return nil, err
	}
	if len(b.Rules()) == 0 {
		return nil, fmt.Errorf("the bundle %s has neither %s nor files in %s", b, layers.FileName, layers.DropIn)
	}
	var names []string
	for _, f := range files {
		if f.Name != Signature {
			names = append(names, f.Name)
		}
	}
	var err error
	b.Sum, err = dirhash.Hash1(names, func(name string) (io.ReadCloser, error) {
		data, _ := b.File(name)
		return io.NopCloser(bytes.NewReader(data)), nil
	})
	return b, err
}

func (b *Bundle) bounds() error {
	if len(b.Files) > MaxFiles {
		return fmt.Errorf("the bundle has %d files, expected at most %d", len(b.Files), MaxFiles)
	}
	total := 0
	folded := map[string]string{}
	for _, f := range b.Files {
		odd := strings.ContainsFunc(f.Name, func(r rune) bool { return r < ' ' || r == '\\' || r == 0x7f })
		if !fs.ValidPath(f.Name) || f.Name == "." || odd {
			return fmt.Errorf("the bundle has a file named %q, expected a plain path inside the bundle", f.Name)
		}
		key := strings.ToLower(f.Name)
		if other, taken := folded[key]; taken {
			return fmt.Errorf("the bundle has the files %q and %q, which are one file on some systems", other, f.Name)
		}
		folded[key] = f.Name
		if len(f.Data) > MaxFile {
			return fmt.Errorf("%s has %d bytes, expected at most %d", f.Name, len(f.Data), MaxFile)
		}
		if total += len(f.Data); total > maxTotal {
			return fmt.Errorf("the files of the bundle have more than %d bytes", maxTotal)
		}
	}
	return nil
}

var nameForm = lazy.Regexp(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// manifest reads the name and the version.
func (b *Bundle) manifest() error {
	data, ok := b.File(Manifest)
	if !ok {
		return fmt.Errorf("there is no %s, so this is not a bundle; make one with: trammel bundle init", Manifest)
	}
	root, problem := yamldoc.Parse(yamldoc.Clean(data))
	if problem != nil {
		return fmt.Errorf("%s:%d: %s", Manifest, problem.Mark.Line, problem.Message)
	}
	pairs, ok := yamldoc.Pairs(root)
	if !ok {
		return fmt.Errorf("%s: expected the keys name and version", Manifest)
	}
	seen := map[string]bool{}
	for _, p := range pairs {
		key := p.Key.GetToken().Value
		line := yamldoc.MarkOf(p.Key).Line
		text, ok := yamldoc.Text(p.Value)
		if seen[key] {
			return fmt.Errorf("%s:%d: the key %s is given twice", Manifest, line, key)
		}
		seen[key] = true
		switch {
		case key == "name" && ok && nameForm().MatchString(text):
			b.Name = text
		case key == "version" && ok && IsVersion(text):
			b.Version = text
		case key == "name":
			return fmt.Errorf("%s:%d: the name is %q, expected lower-case letters, digits and . _ -", Manifest, line, text)
		case key == "version":
			return fmt.Errorf("%s:%d: the version is %q, expected one such as v1.2.0", Manifest, line, text)
		default:
			return fmt.Errorf("%s:%d: unknown key %q, expected name and version", Manifest, line, key)
		}
	}
	if b.Name == "" || b.Version == "" {
		return fmt.Errorf("%s: expected the keys name and version", Manifest)
	}
	return nil
}

// IsVersion reports whether a text is a complete version, such as v1.2.0.
func IsVersion(text string) bool { return semver.IsValid(text) && semver.Canonical(text) == text }
