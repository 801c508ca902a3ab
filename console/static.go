package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

type asset struct {
	kind, tag     string
	plain, packed []byte
}

// kinds are what the files are. What a system says about them may be wrong, and
// browsers run no module that is not called a script.
var kinds = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// static serves what is embedded, packed where the browser takes it.
func static() http.Handler {
	assets := map[string]asset{}
	err := fs.WalkDir(content, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := content.ReadFile(name)
		sum := sha256.Sum256(data)
		var packed bytes.Buffer
		z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		z.Write(data)
		z.Close()
		assets["/"+name] = asset{kinds[path.Ext(name)], `"` + hex.EncodeToString(sum[:8]) + `"`, data, packed.Bytes()}
		return err
	})
	if err != nil {
		panic(err) // they are embedded
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := assets[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", a.kind)
		h.Set("ETag", a.tag)
		h.Set("Cache-Control", "no-cache") // kept, and asked for again: a new version has a new tag
		h.Set("Vary", "Accept-Encoding")
		if r.Header.Get("If-None-Match") == a.tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			w.Write(a.packed)
			return
		}
		w.Write(a.plain)
	})
}
