package liveness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/files"
)

// finder reads the transcripts of the project that were written to since a time.
type finder func(ctx context.Context, since time.Time) ([]Transcript, error)

// transcriptsOf is how the transcripts of a host are found, if we know.
func transcriptsOf(host string, in *Inputs) (finder, bool) {
	switch {
	case host == "claude-code" && in.Claude != "":
		return func(ctx context.Context, since time.Time) ([]Transcript, error) {
			root := filepath.Join(in.Claude, "projects")
			return find(ctx, root, since, in.Project, ReadClaude, func(path string) bool {
				// projects/<project>/<session>.jsonl; what lies deeper belongs to sub-agents
				rel, err := filepath.Rel(root, path)
				return err == nil && strings.HasSuffix(rel, ".jsonl") && strings.Count(filepath.ToSlash(rel), "/") == 1
			})
		}, true
	case host == "codex" && in.Codex != "":
		return func(ctx context.Context, since time.Time) ([]Transcript, error) {
			return find(ctx, filepath.Join(in.Codex, "sessions"), since, in.Project, ReadCodex, func(path string) bool {
				name := filepath.Base(path)
				return strings.HasPrefix(name, "rollout-") && strings.HasSuffix(name, ".jsonl")
			})
		}, true
	}
	return nil, false
}

// find reads the files below root that are wanted, were changed since, and
// belong to the project.
func find(ctx context.Context, root string, since time.Time, project string, read func(io.Reader) (*Transcript, error),
	wanted func(string) bool) ([]Transcript, error) {
	var out []Transcript
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // the host was never used, or removed it meanwhile
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case !d.Type().IsRegular() || !wanted(path):
			return nil
		}
		if info, err := d.Info(); err != nil || info.ModTime().Before(since) {
			return nil
		}
		t, err := readFile(path, read)
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

func readFile(path string, read func(io.Reader) (*Transcript, error)) (*Transcript, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t, err := read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// within reports whether a directory is the project's root or below it.
func within(dir, project string) bool {
	return dir != "" && project != "" && files.Within(files.Real(project), files.Real(dir))
}
