package fetch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/bundles"
	"github.com/trammel-dev/trammel/internal/layers"
)

// patience is how long a download may take.
const patience = 2 * time.Minute

// fromArchive loads an archive over https and reads the files in it.
func (f *Fetcher) fromArchive(ctx context.Context, from string) (*bundles.Bundle, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, err
	}
	client := http.Client{}
	if f.Client != nil {
		client = *f.Client
	}
	client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if r.URL.Scheme != "https" || len(via) > 5 {
			return errors.New("it is redirected to an address that is not https, or too often")
		}
		return nil
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answered %s", response.Status)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, layers.MaxBundle+1))
	if err == nil && len(data) > layers.MaxBundle {
		err = fmt.Errorf("the archive has more than %d bytes", layers.MaxBundle)
	}
	if err != nil {
		return nil, err
	}
	return Unpack(from, data)
}

// Unpack reads a .zip or .tar.gz archive.
func Unpack(name string, data []byte) (*bundles.Bundle, error) {
	read := untar
	if strings.HasSuffix(strings.ToLower(name), ".zip") {
		read = unzip
	}
	list, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("%s is not a readable archive: %w", name, err)
	}
	return bundles.New(withoutTop(list))
}

// taking collects files within the limits of a bundle: an archive may claim any size.
type taking struct {
	list  []bundles.File
	space int64
}

func (t *taking) add(name string, r io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(r, min(bundles.MaxFile, t.space)+1))
	if err != nil {
		return err
	}
	if t.space -= int64(len(data)); len(data) > bundles.MaxFile || t.space < 0 || len(t.list) == bundles.MaxFiles {
		return fmt.Errorf("%s: a bundle can have at most %d files of %d bytes, together at most %d bytes",
			name, bundles.MaxFiles, bundles.MaxFile,
			layers.MaxBundle)
	}
	t.list = append(t.list, bundles.File{Name: name, Data: data})
	return nil
}

func untar(data []byte) ([]bundles.File, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	t := taking{space: layers.MaxBundle}
	for r, seen := tar.NewReader(z), 0; ; seen++ {
		h, err := r.Next()
		switch {
		case err == io.EOF:
			return t.list, nil
		case err != nil:
			return nil, err
		case seen > 4*bundles.MaxFiles:
			return nil, errors.New("the archive has too many entries")
		case h.Typeflag == tar.TypeDir || h.Typeflag == tar.TypeXGlobalHeader:
			continue
		case h.Typeflag != tar.TypeReg:
			return nil, fmt.Errorf("%s is not a regular file, and a bundle can only have regular files", h.Name)
		}
		if err := t.add(h.Name, r); err != nil {
			return nil, err
		}
	}
}

func unzip(data []byte) ([]bundles.File, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	t := taking{space: layers.MaxBundle}
	for _, f := range z.File {
		if f.Mode().IsDir() {
			continue
		}
		if !f.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is not a regular file, and a bundle can only have regular files", f.Name)
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		err = t.add(f.Name, r)
		r.Close()
		if err != nil {
			return nil, err
		}
	}
	return t.list, nil
}

// withoutTop removes the top folder if everything in an archive is in one, as in archives
// of repositories.
func withoutTop(list []bundles.File) []bundles.File {
	if len(list) == 0 {
		return nil
	}
	top, _, _ := strings.Cut(list[0].Name, "/")
	for _, f := range list {
		if !strings.HasPrefix(f.Name, top+"/") {
			return list
		}
	}
	out := make([]bundles.File, len(list))
	for i, f := range list {
		out[i] = bundles.File{Name: f.Name[len(top)+1:], Data: f.Data}
	}
	return out
}
