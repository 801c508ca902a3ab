package bundlecmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/trammel-dev/trammel/bundles/fetch"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
)

// accept reads the key that may replace others; "" if none is given.
func (u *update) accept(given string) (err error) {
	if given == "" {
		return nil
	}
	if err := cli.NotByAgent("accept a key"); err != nil {
		return err
	}
	u.newKey, err = publicKey(given)
	return err
}

// replaceKeys writes the new key into the files, for each bundle whose next
// version the new key has signed and the old one has not.
func (u *update) replaceKeys(ctx context.Context, r *fetch.Resolver) error {
	if u.newKey == "" {
		return nil
	}
	for i := range u.edited {
		f := &u.edited[i]
		refs, err := config.Extends(f.Path, f.Data)
		if err != nil {
			return err
		}
		for k, ref := range refs {
			if ref.Keys == nil {
				continue
			}
			b, err := r.Get(ctx, ref, u.dir)
			if err != nil {
				return err
			}
			if _, err := b.Verify(ref.Keys...); err == nil {
				continue
			}
			if _, err := b.Verify(u.newKey); err != nil {
				return err
			}
			if f.Data, err = withKey(f, k, u.newKey); err != nil {
				return err
			}
			u.replaced = append(u.replaced, fmt.Sprintf("%s is signed with another key.\n  until now: %s\n  from now:  %s\n", b.Name,
				ref.Keys[0], u.newKey))
		}
	}
	if len(u.replaced) == 0 {
		return errors.New("nothing was changed: no bundle that is extended here needs the new key")
	}
	return nil
}

// withKey is a file in which only the key of one bundle, the nth that it extends, is another.
func withKey(f *layers.File, nth int, key string) ([]byte, error) {
	want, err := config.Extends(f.Path, f.Data)
	if err != nil {
		return nil, err
	}
	ref := want[nth]
	byHand := fmt.Errorf("%s:%d: cannot write the new key for %s into the file; write it yourself, and run: "+
		"trammel bundle lock\n  rev: %s\n  key: %s", f.Path, ref.Line, ref.From, ref.Rev, key)
	if len(ref.Keys) != 1 {
		return nil, byHand
	}
	lines := strings.SplitAfter(string(f.Data), "\n")
	rest := strings.Join(lines[ref.Line-1:], "")
	edited := []byte(strings.Join(lines[:ref.Line-1], "") + strings.Replace(rest, ref.Keys[0], key, 1))
	want[nth].Keys = []string{key}
	if got, err := config.Extends(f.Path, edited); err != nil || !reflect.DeepEqual(got, want) {
		return nil, byHand
	}
	return edited, nil
}

// tell says which keys change, and what that means.
func (u *update) tell(w io.Writer) error {
	if len(u.replaced) == 0 {
		return nil
	}
	return cli.Wrap(w, func(w io.Writer) error {
		_, err := fmt.Fprint(w, strings.Join(u.replaced, ""), "Whoever has the secret half of the new key decides what these rules say, ",
			"and versions that only the old key has signed are refused. Compare it with the key that the owner of ",
			"the bundle gave you through another channel.\n")
		return err
	})
}
