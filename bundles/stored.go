package bundles

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/layers"
)

// A bundle is stored as one file, so that trammel-hook only has to read one file to know
// that nothing has changed. After the first line there is, for each file, a line with its
// size and name, its bytes, and a line break.
const storedFormat = "trammel-bundle 1\n"

var errStored = errors.New("the stored bundle is damaged")

// Encode is the stored form.
func (b *Bundle) Encode() []byte {
	out := []byte(storedFormat)
	for _, f := range b.Files {
		out = fmt.Appendf(out, "%d %s\n", len(f.Data), strconv.Quote(f.Name))
		out = append(append(out, f.Data...), '\n')
	}
	return out
}

// Decode reads the stored form. There is only one for each bundle.
func Decode(data []byte) (*Bundle, error) {
	rest, ok := bytes.CutPrefix(data, []byte(storedFormat))
	if !ok {
		return nil, errStored
	}
	var list []File
	for len(rest) > 0 {
		head, body, ok := bytes.Cut(rest, []byte("\n"))
		size, quoted, spaced := bytes.Cut(head, []byte(" "))
		n, err := strconv.Atoi(string(size))
		name, wrong := strconv.Unquote(string(quoted))
		if !ok || !spaced || err != nil || wrong != nil || n < 0 || n >= len(body) || body[n] != '\n' {
			return nil, errStored
		}
		list = append(list, File{name, body[:n:n]})
		rest = body[n+1:]
	}
	b, err := New(list)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(b.Encode(), data) {
		return nil, errStored
	}
	return b, nil
}

// Store puts a bundle into a directory of stored ones.
func Store(dir string, b *Bundle) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return files.ReplaceWith(filepath.Join(dir, layers.BundleFile(b.Sum)), b.Encode(), func(f *os.File) error { return f.Chmod(0o644) })
}

// Load reads the bundle with a checksum from a directory of stored ones, and verifies it.
// It is nil if there is none.
func Load(dir, sum string) (*Bundle, error) {
	data, err := os.ReadFile(filepath.Join(dir, layers.BundleFile(sum)))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	b, err := Decode(data)
	if err == nil && b.Sum != sum {
		err = fmt.Errorf("its checksum is %s, expected %s", b.Sum, sum)
	}
	return b, err
}
