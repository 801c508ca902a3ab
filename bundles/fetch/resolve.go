package fetch

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/trammel-dev/trammel/bundles"
	"github.com/trammel-dev/trammel/internal/layers"
)

// Resolver finds all bundles that the files of a directory extend, directly or through
// other bundles.
type Resolver struct {
	Fetcher
	// Stored is the directory of stored bundles on this machine.
	Stored string
	// Extends reads which bundles a file extends.
	Extends func(path string, data []byte) ([]bundles.Ref, error)
	// Lock is what was locked before.
	Lock []layers.Locked
	// Trusted is what was locked when a person trusted it.
	Trusted []layers.Locked
	// Locked accepts only what was locked.
	Locked bool
	// Downgrade accepts a version that is older than the locked one.
	Downgrade bool

	found []Found
}

// Found is a bundle and its line for the lock file.
type Found struct {
	layers.Locked
	Bundle *bundles.Bundle
	// Fetched is true if it was downloaded.
	Fetched bool
}

// Resolve resolves the references in the files of a directory. It stores bundles only
// after all of them were checked.
func (r *Resolver) Resolve(ctx context.Context, dir string, refs []bundles.Ref) ([]Found, error) {
	r.found = nil
	if err := r.all(ctx, dir, refs, nil); err != nil {
		return nil, err
	}
	for _, f := range r.found {
		if old, err := bundles.Load(r.Stored, f.Sum); err == nil && old != nil && slices.Equal(old.Encode(), f.Bundle.Encode()) {
			continue
		}
		if err := bundles.Store(r.Stored, f.Bundle); err != nil {
			return nil, err
		}
	}
	return r.found, nil
}

func (r *Resolver) all(ctx context.Context, dir string, refs []bundles.Ref, above []string) error {
	for _, ref := range refs {
		f, err := r.one(ctx, dir, ref)
		if err != nil {
			return err
		}
		switch {
		case slices.Contains(above, f.Sum):
			return fmt.Errorf("the bundle %s extends itself", f.Bundle)
		case len(above) == bundles.MaxDepth:
			return fmt.Errorf("the bundle %s is extended at depth %d, expected at most %d", f.Bundle, len(above)+1, bundles.MaxDepth)
		}
		if err := r.add(f); err != nil {
			return err
		}
		for _, rule := range f.Bundle.Rules() {
			inner, err := r.Extends(f.Bundle.String()+"/"+rule.Name, rule.Data)
			if err != nil {
				return err
			}
			for i := range inner {
				if inner[i], err = ref.Below(inner[i]); err != nil {
					return fmt.Errorf("the bundle %s, %s:%d: %w", f.Bundle, rule.Name, inner[i].Line, err)
				}
			}
			if err := r.all(ctx, ref.PathIn(dir), inner, append(slices.Clone(above), f.Sum)); err != nil {
				return err
			}
		}
	}
	return nil
}

// add keeps what was found, once.
func (r *Resolver) add(f Found) error {
	for _, other := range r.found {
		if other.From != f.From || other.Rev != f.Rev {
			continue
		}
		if other.Sum != f.Sum {
			return fmt.Errorf("two different bundles are called %s: %s and %s; rename one of them", f.From, other.Bundle, f.Bundle)
		}
		return nil
	}
	r.found = append(r.found, f)
	return nil
}

// one finds the bundle of a reference: on this machine if it is the locked one, otherwise
// at its origin.
func (r *Resolver) one(ctx context.Context, dir string, ref bundles.Ref) (Found, error) {
	if err := ref.Check(); err != nil {
		return Found{}, err
	}
	locked := ref.Find(r.Lock)
	if r.Locked && locked == nil {
		return Found{}, fmt.Errorf("%s does not have the bundle from %s; run: trammel bundle lock", layers.LockName, ref.From)
	}
	f := Found{Fetched: true}
	origin, _ := ref.Origin()
	if locked != nil && (r.Locked || origin == bundles.Git) { // a commit never changes
		if b, err := bundles.Load(r.Stored, locked.Sum); err == nil && b != nil { // one that is damaged is fetched again
			f.Bundle, f.Fetched = b, false
		}
	}
	if f.Bundle == nil {
		var err error
		if f.Bundle, err = r.Get(ctx, ref, dir); err != nil {
			return f, err
		}
	}
	if r.Locked && f.Bundle.Sum != locked.Sum {
		return f, fmt.Errorf("the bundle from %s has changed since it was locked: its checksum is %s, expected %s; review it, then run: "+
			"trammel bundle lock", ref.From, f.Bundle.Sum, locked.Sum)
	}
	signer, err := ref.Accept(f.Bundle)
	if err == nil && r.Locked {
		err = ref.Agrees(f.Bundle, signer, locked)
	}
	if err != nil {
		return f, err
	}
	for _, before := range slices.Concat(r.Lock, r.Trusted) {
		if bundles.Older(f.Bundle, &before) && !r.Downgrade && !r.Locked {
			return f, fmt.Errorf("the bundle from %s is %s, but %s@%s is locked: %w", ref.From, f.Bundle, before.Name, before.Version, ErrOlder)
		}
	}
	f.Locked = layers.Locked{Sum: f.Bundle.Sum, Name: f.Bundle.Name, Version: f.Bundle.Version, Rev: ref.Rev, Signer: signer, From: ref.From}
	return f, nil
}

// ErrOlder means that a bundle is older than the locked one.
var ErrOlder = errors.New("this version is older than the locked one; to accept that, use --downgrade")
