// Package library stores processes on a machine: it exports them as archives
// (.fstpack) and installs archives. An archive is a reproducible tar file.
// Nothing of a pack is run here.
package library

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/packs/process"
)

// Label is the description of an archive, in its first file.
type Label struct {
	Format  string `json:"format"`
	ID      string `json:"process_id"`
	Version string `json:"process_version"`
	Digest  string `json:"pack_hash"` // of everything in the pack
}

const (
	format    = "fstpack.v1"
	labelName = "fstpack.json"
	maxFiles  = 10_000
	maxBytes  = 64 << 20
)

// Export writes the archive of the process in a directory, which must be valid.
// The same files give the same bytes.
func Export(dir string, w io.Writer) (Label, error) {
	d, err := valid(dir)
	if err != nil {
		return Label{}, err
	}
	l := Label{format, d.Manifest.ID, d.Manifest.Version, d.Revision}
	out := tar.NewWriter(w)
	head, err := json.Marshal(l)
	if err != nil {
		return l, err
	}
	if err := put(out, labelName, head); err != nil {
		return l, err
	}
	err = filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error { // in the order of names
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == ".git" && file != dir:
			return filepath.SkipDir
		case e.IsDir():
			return nil
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if !e.Type().IsRegular() || name == labelName {
			return fmt.Errorf("%s: an archive can only hold regular files, and no file with the name of its label", name)
		}
		data, err := files.ReadInside(dir, name, maxBytes)
		if err != nil {
			return err
		}
		return put(out, name, data)
	})
	return l, errors.Join(err, out.Close())
}

func put(out *tar.Writer, name string, data []byte) error {
	err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data)), Typeflag: tar.TypeReg, Format: tar.FormatPAX})
	if err == nil {
		_, err = out.Write(data)
	}
	return err
}

func valid(dir string) (*process.Definition, error) {
	d, report := process.Read(dir)
	if d == nil || !report.Valid {
		for _, wrong := range report.Diagnostics {
			if wrong.Severity == "error" {
				return nil, fmt.Errorf("the process is not valid: %s", wrong)
			}
		}
		return nil, errors.New("the process is not valid")
	}
	return d, nil
}

// ended makes sure that only zeros follow an archive: some programs read past its end.
func ended(r io.Reader) error {
	rest, err := io.ReadAll(io.LimitReader(r, maxBytes))
	if err == nil && len(bytes.Trim(rest, "\x00")) > 0 {
		err = errors.New("there is data after the end of the archive")
	}
	return err
}

// unpack writes the files of an archive to an empty directory. Names that two
// systems could interpret differently are refused, and so is everything that is
// not a file.
func unpack(r io.Reader, dir string) (l Label, err error) {
	in, room := tar.NewReader(r), int64(maxBytes)
	seen := map[string]bool{}
	for n := 0; ; n++ {
		h, err := in.Next()
		switch {
		case err == io.EOF && n > 0:
			return l, ended(r)
		case err != nil:
			return l, fmt.Errorf("this is not an archive of a process: %w", err)
		case n > maxFiles:
			return l, fmt.Errorf("there are more than %d files", maxFiles)
		case h.Typeflag != tar.TypeReg || h.Linkname != "":
			return l, fmt.Errorf("%.80q is not a regular file", h.Name)
		case !plainName(h.Name):
			return l, fmt.Errorf("%.80q is not a plain name in the pack", h.Name)
		case seen[strings.ToLower(h.Name)]:
			return l, fmt.Errorf("found %.80q twice, or with a different case", h.Name)
		case h.Size > room:
			return l, fmt.Errorf("there are more than %d bytes", maxBytes)
		case (n == 0) != (h.Name == labelName):
			return l, fmt.Errorf("the first file, and only that, must be %s", labelName)
		}
		seen[strings.ToLower(h.Name)] = true
		room -= h.Size
		data, err := io.ReadAll(io.LimitReader(in, h.Size))
		if err != nil {
			return l, err
		}
		if n == 0 {
			if err := json.Unmarshal(data, &l); err != nil || l.Format != format {
				return l, fmt.Errorf("%s: expected the format %s", labelName, format)
			}
			continue
		}
		file := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return l, err
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			return l, err
		}
	}
}

func plainName(name string) bool {
	odd := func(r rune) bool { return unicode.IsControl(r) || strings.ContainsRune(`\:*?"<>|`, r) }
	return fs.ValidPath(name) && name != "." && path.Clean(name) == name && len(name) <= 240 && !strings.ContainsFunc(name, odd) &&
		strings.ToLower(strings.Split(name, "/")[0]) != ".git"
}
