// Package archive writes tar and zip archives that depend on nothing but their
// content: sorted, one time, one owner.
package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"time"

	"github.com/trammel-dev/trammel/dist/content"
)

// Tar writes files to w. edit, which may be nil, can change each header. Without
// end, what closes an archive is left out, so that another can follow.
func Tar(w io.Writer, files []content.File, at time.Time, end bool, edit func(*tar.Header, []byte)) error {
	tw := tar.NewWriter(w)
	for _, f := range content.Sorted(files) {
		h := &tar.Header{Name: f.Path, Mode: int64(f.Mode.Perm()), Size: int64(len(f.Data)), ModTime: at, Typeflag: tar.TypeReg,
			Uname: "root", Gname: "root"}
		if f.Mode.IsDir() {
			h.Name, h.Typeflag = f.Path+"/", tar.TypeDir
		}
		if edit != nil {
			edit(h, f.Data)
		}
		if err := tw.WriteHeader(h); err != nil {
			return err
		}
		if _, err := tw.Write(f.Data); err != nil {
			return err
		}
	}
	if end {
		return tw.Close()
	}
	return tw.Flush()
}

// Gzip is data, compressed, with no name and no time in it.
func Gzip(data []byte) ([]byte, error) {
	var b bytes.Buffer
	zw, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = zw.Write(data)
	}
	if err == nil {
		err = zw.Close()
	}
	return b.Bytes(), err
}

// TarGz is the files as a compressed archive.
func TarGz(files []content.File, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	if err := Tar(&b, files, at, true, nil); err != nil {
		return nil, err
	}
	return Gzip(b.Bytes())
}

// Zip is the files as a zip archive.
func Zip(files []content.File, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	zw := zip.NewWriter(&b)
	for _, f := range content.Sorted(files) {
		h := &zip.FileHeader{Name: f.Path, Method: zip.Deflate, Modified: at.UTC()}
		if f.Mode.IsDir() {
			h.Name, h.Method = f.Path+"/", zip.Store
		}
		h.SetMode(f.Mode)
		w, err := zw.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.Data); err != nil {
			return nil, err
		}
	}
	err := zw.Close()
	return b.Bytes(), err
}
