package flow

import (
	"fmt"
	"io"
	"os"

	"github.com/trammel-dev/trammel/internal/strict"
)

// What is read at most: of a file with one line, of a sidecar or an artifact,
// of the log of commands.
const (
	maxLine = 4 << 10
	maxFile = 1 << 20
	maxLog  = 16 << 20
)

// Unreadable is a file that is there and cannot be used.
type Unreadable struct {
	File string
	Why  string
}

func (u *Unreadable) Error() string { return fmt.Sprintf("%s: %s", u.File, u.Why) }

// readFile reads a regular file with at most that many bytes.
func readFile(path string, most int64) ([]byte, error) {
	fi, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !fi.Mode().IsRegular():
		return nil, &Unreadable{path, "not a regular file"}
	case fi.Size() > most:
		return nil, &Unreadable{path, fmt.Sprintf("larger than %d bytes", most)}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1)) // it may have grown
	if err == nil && int64(len(data)) > most {
		err = &Unreadable{path, fmt.Sprintf("larger than %d bytes", most)}
	}
	return data, err
}

// readObject reads a file that holds one JSON object.
func readObject(path string) (map[string]any, error) {
	data, err := readFile(path, maxFile)
	if err != nil {
		return nil, err
	}
	obj, err := strict.Object(data, strict.Limits{})
	if err != nil {
		return nil, &Unreadable{path, err.Error()}
	}
	return obj, nil
}
