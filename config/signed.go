package config

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/bundles"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/layers"
)

// ProjectSignature is the file beside a project's trammel.yaml that says who
// vouches for what trust would pin (TEAM-06).
const ProjectSignature = layers.SignatureName

// maxSignature is the maximum size of a signature.
const maxSignature = 64 << 10

// statement is what is signed. The time prevents a return to an earlier signed
// version.
func (s *Summary) statement(at time.Time) string {
	return fmt.Sprintf("trammel project 1\n%s %s\n", at.UTC().Format(time.RFC3339), s.Digest)
}

// Sign returns the signature of what the summary would trust.
func (s *Summary) Sign(now time.Time, secrets ...string) ([]byte, error) {
	return bundles.SignText(s.statement(now), nil, secrets...)
}

// Signed trusts directories of a project that were signed, exactly as they are,
// with a key from the machine's or the user's files. It reports whether there
// were any: then the set must be loaded again. A signature that is older than
// the current trust does not count, and a person has to decide.
func Signed(d layers.Dirs, set *layers.Set, reg Registry, now time.Time) bool {
	var keys []string
	tried, accepted := map[string]bool{}, false
	for i := range set.Files {
		f := &set.Files[i]
		if f.Layer != layers.Project || f.Trust == layers.Trusted || tried[f.Dir] {
			continue
		}
		tried[f.Dir] = true
		signature, err := files.ReadInside(f.Dir, ProjectSignature, maxSignature)
		if err != nil {
			continue
		}
		if keys == nil {
			keys = trustKeys(set)
		}
		if text, _, err := bundles.OpenText(signature, keys...); err == nil && acceptSigned(d, f.Dir, reg, text, now) {
			accepted = true
		}
	}
	return accepted
}

func acceptSigned(d layers.Dirs, dir string, reg Registry, text string, now time.Time) bool {
	s, err := Review(d, dir, reg)
	if err != nil || s.Dir != dir {
		return false
	}
	_, line, _ := strings.Cut(text, "\n")
	when, _, _ := strings.Cut(line, " ")
	at, err := time.Parse(time.RFC3339, when)
	if err != nil || text != s.statement(at) || at.After(now.Add(10*time.Minute)) {
		return false
	}
	if rec, err := layers.Status(d, dir); err != nil || rec != nil && !at.After(rec.Time) {
		return false
	}
	return s.Accept(at) == nil
}

// trustKeys returns the keys named in the machine's and the user's files.
func trustKeys(set *layers.Set) (keys []string) {
	for i := range set.Files {
		f := &set.Files[i]
		if f.Layer == layers.Project || f.IsLock() || !bytes.Contains(f.Data, []byte("trust")) {
			continue
		}
		errs := &collector{}
		if doc := read(f.Path, f.Data, errs); errs.total == 0 && doc.Trust != nil {
			keys = append(keys, texts(doc.Trust.Keys)...)
		}
	}
	return keys
}

// trustDecl checks what a file says about keys.
func (c *compiler) trustDecl(u *unit) {
	switch t := u.Trust; {
	case t == nil:
	case u.file.Layer == layers.Project:
		c.note(CodeSettingUnused, u.file.Path, u.at(&u.Trust).Line, "trust is not used: a project cannot set whose signatures count")
	case len(t.Keys) == 0 && !u.broken[t]:
		u.source.fail(u.at(&t.Keys), "at least one key", "the list of keys is empty")
	default:
		for i := range t.Keys {
			if bundles.CheckKey(string(t.Keys[i])) != nil {
				u.source.fail(u.at(&t.Keys[i]), "a public key, as trammel bundle keygen prints it", "this is not a key")
			}
		}
	}
}
