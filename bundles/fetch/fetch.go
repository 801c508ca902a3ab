// Package fetch downloads bundles, and computes the content of lock files. Only people
// and CI run it: hooks never fetch.
package fetch

import (
	"context"
	"fmt"
	"net/http"

	"github.com/trammel-dev/trammel/bundles"
)

// Fetcher downloads bundles. The zero Fetcher uses the machine's settings.
type Fetcher struct {
	Client *http.Client // for archives
}

// Get reads the bundle of a reference; paths start at base. It does not check who signed
// it.
func (f *Fetcher) Get(ctx context.Context, ref bundles.Ref, base string) (*bundles.Bundle, error) {
	origin, err := ref.Origin()
	if err != nil {
		return nil, err
	}
	var b *bundles.Bundle
	switch origin {
	case bundles.Path:
		return bundles.ReadDir(ref.PathIn(base))
	case bundles.Git:
		b, err = fromGit(ctx, ref.From, ref.Rev)
	default:
		b, err = f.fromArchive(ctx, ref.From)
	}
	if err != nil {
		return nil, fmt.Errorf("the bundle from %s: %w", ref.From, err)
	}
	return b, nil
}
