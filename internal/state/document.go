package state

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// UpdateFile changes a file that others read, too, under a lock beside it, and
// puts it in place whole. old is nil if there is none; change returns what is
// to be in it, or nil to leave it.
func UpdateFile(ctx context.Context, path string, change func(old []byte) ([]byte, error)) error {
	held, err := hold(ctx, path+".lock")
	if err != nil {
		return err
	}
	defer held.Unlock()
	old, err := read(path)
	if err != nil {
		return err
	}
	data, err := change(old)
	if err != nil || data == nil {
		return err
	}
	return replace(path, data)
}

// read returns nil if there is no file. One that is there and empty is
// damaged: none of ours is.
func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && (len(data) == 0 || len(data) > maxFile) {
		err = fmt.Errorf("%s cannot be used: %w: it has %d bytes; remove it to start again", path, errDamaged, len(data))
	}
	return data, err
}
