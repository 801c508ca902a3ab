package liveness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/internal/files"
)

// finder reads the transcripts of the project that were written to since a time.
type finder func(ctx context.Context, since time.Time) ([]Transcript, error)

// transcriptsOf is how the transcripts of a host are found, if that is known.
func transcriptsOf(host string, in *Inputs) (finder, bool) {
	h := standard.Host(host)
	if h == nil || h.Transcripts == nil || in.HostDir == nil {
		return nil, false
	}
	return func(ctx context.Context, since time.Time) ([]Transcript, error) {
		return find(ctx, filepath.Join(in.HostDir(h), h.Transcripts.Below), since, in.Project, h.Transcripts)
	}, true
}

// find reads the sessions below root that were changed since, and belong to
// the project.
func find(ctx context.Context, root string, since time.Time, project string, of *dialects.Transcripts) ([]Transcript, error) {
	var out []Transcript
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		switch {
		case errors.Is(err, os.ErrNotExist):
			return nil // the host was never used, or removed it meanwhile
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
		rel, err := filepath.Rel(root, path)
		if err != nil || !d.Type().IsRegular() || !of.Mine(filepath.ToSlash(rel)) {
			return nil
		}
		if info, err := d.Info(); err != nil || info.ModTime().Before(since) {
			return nil
		}
		t, err := readFile(path, of)
		if err != nil {
			return err
		}
		if within(t.Dir, project) {
			out = append(out, *t)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading transcripts: %w", err)
	}
	return out, nil
}

func readFile(path string, of *dialects.Transcripts) (*Transcript, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t, err := readTranscript(of, file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// within reports whether a directory is the project's root or below it.
func within(dir, project string) bool {
	return dir != "" && project != "" && files.Within(files.Real(project), files.Real(dir))
}
