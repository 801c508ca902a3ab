package bundles

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/trammel-dev/trammel/internal/layers"
)

// MaxDepth is how many bundles may extend one another in a row.
const MaxDepth = 3

// Ref is what a file says about a bundle that it extends.
type Ref struct {
	From    string
	Rev     string   // of a git repository, a whole commit
	Version string   // "" if any will do
	Keys    []string // one of which has to have signed it; nil if none has to
	Line    int      // in its file
}

// Origin says how a bundle is fetched.
type Origin string

// The kinds of origins.
const (
	Path    Origin = "path"
	Git     Origin = "git"
	Archive Origin = "archive"
)

// Origin tells a path, a git repository and an archive apart.
func (r *Ref) Origin() (Origin, error) {
	lower := strings.ToLower(r.From)
	scheme, _, hasScheme := strings.Cut(lower, "://")
	switch {
	case strings.HasPrefix(r.From, "-") || strings.ContainsFunc(r.From, func(c rune) bool { return c <= ' ' || c == 0x7f }):
		return "", fmt.Errorf("from is %q, expected a path or an address without blanks", r.From)
	case !hasScheme && scp(r.From):
		return Git, nil
	case !hasScheme:
		return Path, nil
	case scheme != "https" && scheme != "ssh" && scheme != "file":
		return "", fmt.Errorf("from begins with %s://, expected https, ssh or file: otherwise it could be changed in transit", scheme)
	}
	if u, err := url.Parse(r.From); err != nil {
		return "", fmt.Errorf("from is not a valid address")
	} else if _, secret := u.User.Password(); secret {
		return "", fmt.Errorf("from contains a password, which does not belong in a file; put it into git's own settings")
	}
	for _, end := range []string{".zip", ".tar.gz", ".tgz"} {
		if scheme == "https" && strings.HasSuffix(lower, end) {
			return Archive, nil
		}
	}
	return Git, nil
}

// scp reports whether a text is git's short form user@host:path.
func scp(from string) bool {
	host, _, ok := strings.Cut(from, ":")
	return ok && strings.Contains(host, "@") && !strings.ContainsAny(host, `/\`)
}

// Check says what is wrong with a reference.
func (r *Ref) Check() error {
	origin, err := r.Origin()
	switch {
	case err != nil:
		return err
	case origin == Git && r.Rev == "":
		return fmt.Errorf("a git repository needs rev, a whole commit: branches and tags can be moved")
	case origin != Git && r.Rev != "":
		return fmt.Errorf("rev is for git repositories, and from is a %s", origin)
	}
	for _, key := range r.Keys {
		if err := CheckKey(key); err != nil {
			return fmt.Errorf("key %q is not the public half of a key, as trammel bundle keygen prints it", key)
		}
	}
	if r.Keys != nil && len(r.Keys) == 0 {
		return fmt.Errorf("the list of keys is empty, so nobody could have signed the bundle; name a key, or leave key out")
	}
	return nil
}

// Below is a reference in a bundle that was itself found by r: it inherits the
// keys, and may name a path only if r does.
func (r *Ref) Below(nested Ref) (Ref, error) {
	if nested.Keys == nil {
		nested.Keys = r.Keys
	}
	if err := nested.Check(); err != nil {
		return nested, err
	}
	outer, _ := r.Origin()
	if inner, _ := nested.Origin(); inner == Path && outer != Path {
		return nested, fmt.Errorf("it extends the path %s, and a bundle from elsewhere cannot name paths of this machine", nested.From)
	}
	return nested, nil
}

// Find is the reference's line in a lock file, nil if it has none.
func (r *Ref) Find(lock []layers.Locked) *layers.Locked {
	for i := range lock {
		if lock[i].From == r.From && lock[i].Rev == r.Rev {
			return &lock[i]
		}
	}
	return nil
}

// Accept checks a bundle that was found for the reference, and says who signed
// it: with keys one of them has to have.
func (r *Ref) Accept(b *Bundle) (signer string, err error) {
	if r.Version != "" && r.Version != b.Version {
		return "", fmt.Errorf("the bundle from %s calls itself %s, expected version %s", r.From, b, r.Version)
	}
	if r.Keys == nil {
		return "", nil
	}
	return b.Verify(r.Keys...)
}

// Open returns the bundle that a lock file has for the reference, from the
// stored ones. Everything about it is checked each time.
func (r *Ref) Open(lock []layers.Locked, stored map[string]layers.Bundle) (*Bundle, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	locked := r.Find(lock)
	if locked == nil {
		return nil, fmt.Errorf("%s does not have the bundle from %s%s; run: trammel bundle lock", layers.LockName, r.From, at(r.Rev))
	}
	found := stored[locked.Sum]
	if found.Data == nil {
		return nil, fmt.Errorf("the bundle %s@%s is not on this machine; run: trammel bundle sync", locked.Name, locked.Version)
	}
	b, err := Decode(found.Data)
	if err == nil && b.Sum != locked.Sum {
		err = fmt.Errorf("its checksum is %s, expected %s", b.Sum, locked.Sum)
	}
	if err != nil {
		return nil, fmt.Errorf("the bundle %s@%s is not what was locked: %s: %w; run: trammel bundle sync", locked.Name,
			locked.Version, found.Path, err)
	}
	signer, err := r.Accept(b)
	if err == nil {
		err = r.Agrees(b, signer, locked)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Agrees says what a lock file has wrong about a bundle with the locked checksum.
func (r *Ref) Agrees(b *Bundle, signer string, locked *layers.Locked) error {
	if b.Name == locked.Name && b.Version == locked.Version && (r.Keys == nil || signer == locked.Signer) {
		return nil
	}
	return fmt.Errorf("%s calls the bundle %s@%s, signed by %q, and it is %s, signed by %q; run: trammel bundle lock", layers.LockName,
		locked.Name, locked.Version, locked.Signer, b, signer)
}

func at(rev string) string {
	if rev == "" {
		return ""
	}
	return " at " + rev
}

// Older reports whether a bundle is older than what was locked of it before.
func Older(b *Bundle, before *layers.Locked) bool {
	return before != nil && before.Name == b.Name && semver.Compare(b.Version, before.Version) < 0
}

// PathIn is where a reference to a path leads, from the directory of its file.
func (r *Ref) PathIn(dir string) string {
	if filepath.IsAbs(r.From) {
		return filepath.Clean(r.From)
	}
	return filepath.Join(dir, filepath.FromSlash(r.From))
}
