package bundles

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/trammel-dev/trammel/internal/layers"
)

// MaxDepth is how deep bundles can extend each other.
const MaxDepth = 3

// Ref is a reference to a bundle that a file extends.
type Ref struct {
	From    string
	Rev     string   // of a git repository: a full commit id
	Version string   // "" means any
	Keys    []string // one of which must have signed it; nil means no signature is needed
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

// Origin distinguishes a path, a git repository and an archive.
func (r *Ref) Origin() (Origin, error) {
	lower := strings.ToLower(r.From)
	scheme, _, hasScheme := strings.Cut(lower, "://")
	switch {
	case strings.HasPrefix(r.From, "-") || strings.ContainsFunc(r.From, func(c rune) bool { return c <= ' ' || c == 0x7f }):
		return "", fmt.Errorf("from is %q, expected a path or an address without spaces", r.From)
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
		return "", fmt.Errorf("from contains a password, which does not belong in a file; use git's credential settings instead")
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
		return fmt.Errorf("a git repository needs rev, a full commit id: branches and tags can be moved")
	case origin != Git && r.Rev != "":
		return fmt.Errorf("rev is for git repositories, and from is a %s", origin)
	}
	for _, key := range r.Keys {
		if err := CheckKey(key); err != nil {
			return fmt.Errorf("key %q is not a public key, as trammel bundle keygen prints it", key)
		}
	}
	if r.Keys != nil && len(r.Keys) == 0 {
		return fmt.Errorf("the list of keys is empty, so no signature is valid; name a key, or remove key")
	}
	return nil
}

// Below is a reference in the bundle of r: it inherits the keys, and can name a path only
// if r does.
func (r *Ref) Below(nested Ref) (Ref, error) {
	if nested.Keys == nil {
		nested.Keys = r.Keys
	}
	if err := nested.Check(); err != nil {
		return nested, err
	}
	outer, _ := r.Origin()
	if inner, _ := nested.Origin(); inner == Path && outer != Path {
		return nested, fmt.Errorf("it extends the path %s, but a bundle from elsewhere cannot refer to paths of this machine", nested.From)
	}
	return nested, nil
}

// Find is the reference's line in a lock file, nil if there is none.
func (r *Ref) Find(lock []layers.Locked) *layers.Locked {
	for i := range lock {
		if lock[i].From == r.From && lock[i].Rev == r.Rev {
			return &lock[i]
		}
	}
	return nil
}

// Accept checks a bundle that was found for the reference, and returns who signed it. If
// the reference has keys, one of them must have.
func (r *Ref) Accept(b *Bundle) (signer string, err error) {
	if r.Version != "" && r.Version != b.Version {
		return "", fmt.Errorf("the bundle from %s is %s, expected version %s", r.From, b, r.Version)
	}
	if r.Keys == nil {
		return "", nil
	}
	return b.Verify(r.Keys...)
}

// Open returns the stored bundle that a lock file names for the reference. It checks
// everything each time.
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

// Agrees returns an error if a lock file describes a bundle with the locked checksum
// wrongly.
func (r *Ref) Agrees(b *Bundle, signer string, locked *layers.Locked) error {
	if b.Name == locked.Name && b.Version == locked.Version && (r.Keys == nil || signer == locked.Signer) {
		return nil
	}
	return fmt.Errorf("%s says that the bundle is %s@%s, signed by %q, but it is %s, signed by %q; run: trammel bundle lock", layers.LockName,
		locked.Name, locked.Version, locked.Signer, b, signer)
}

func at(rev string) string {
	if rev == "" {
		return ""
	}
	return " at " + rev
}

// Older reports whether a bundle is older than the version that was locked before.
func Older(b *Bundle, before *layers.Locked) bool {
	return before != nil && before.Name == b.Name && semver.Compare(b.Version, before.Version) < 0
}

// PathIn resolves a path, relative to the directory of the file that refers to it.
func (r *Ref) PathIn(dir string) string {
	if filepath.IsAbs(r.From) {
		return filepath.Clean(r.From)
	}
	return filepath.Join(dir, filepath.FromSlash(r.From))
}
