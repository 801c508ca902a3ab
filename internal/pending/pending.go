// Package pending keeps context that a host could not take at one event for
// the next event of the same session that can. It is a small file per session;
// losing it costs a hint to the model, never a decision, so nothing here fails
// loudly.
package pending

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Box is where the context of one session waits.
type Box struct{ path string }

// maxSize bounds what may pile up for a session whose host can never inject.
const maxSize = 64 << 10

// Open names the box of a session. A session without an id has none.
func Open(dir, host, session string) Box {
	if session == "" {
		return Box{}
	}
	sum := sha256.Sum256([]byte(host + "\x00" + session))
	return Box{filepath.Join(dir, hex.EncodeToString(sum[:12]))}
}

// Keep adds texts to the box.
func (b Box) Keep(texts []string) {
	if b.path == "" || len(texts) == 0 {
		return
	}
	var line []byte
	for _, text := range texts {
		quoted, err := jsontext.AppendQuote(line, strings.ToValidUTF8(text, "\uFFFD"))
		if err != nil {
			continue
		}
		line = append(quoted, '\n')
	}
	if fi, err := os.Stat(b.path); err == nil && fi.Size()+int64(len(line)) > maxSize {
		return
	}
	if err := os.MkdirAll(filepath.Dir(b.path), 0o700); err != nil {
		return
	}
	f, err := os.OpenFile(b.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	f.Write(line) // one write, so that two processes do not mix their lines
	f.Close()
}

// Take empties the box. Of two processes that take at once, one gets it all.
func (b Box) Take() []string {
	if b.path == "" {
		return nil
	}
	if _, err := os.Lstat(b.path); err != nil {
		return nil
	}
	mine, err := os.CreateTemp(filepath.Dir(b.path), ".take-*")
	if err != nil {
		return nil
	}
	mine.Close()
	defer os.Remove(mine.Name())
	if err := os.Rename(b.path, mine.Name()); err != nil {
		return nil
	}
	data, err := os.ReadFile(mine.Name())
	if err != nil {
		return nil
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if text, err := jsontext.AppendUnquote(nil, strings.TrimSuffix(line, "\n")); err == nil {
			out = append(out, string(text))
		}
	}
	return out
}
