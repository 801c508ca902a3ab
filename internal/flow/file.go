package flow

import (
	"errors"
	"fmt"

	"github.com/trammel-dev/trammel/internal/files"
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
	data, err := files.Read(path, most)
	if why, ok := errors.AsType[files.Unfit](err); ok {
		err = &Unreadable{path, why.Error()}
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
