package config

import (
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"golang.org/x/mod/semver"

	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/version"
	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// OutdatedFinding is the code of a file that needs another version of Trammel.
const OutdatedFinding = "outdated"

// Requires is the versions that a file was written for: bounds, separated by
// commas, that must all be met.
type Requires string

func (r *Requires) parse(text string) bool { *r = Requires(text); return r.bounds() != nil }
func (*Requires) wants() string            { return `bounds of the version, such as ">=0.4, <1"` }
func (*Requires) schema() *jsonschema.Schema {
	const bound = `\s*(>=|<=|>|<|=)\s*v?[0-9]+(\.[0-9]+){0,2}\s*`
	return &jsonschema.Schema{Type: "string", Pattern: "^" + bound + "(," + bound + ")*$"}
}

type bound struct{ op, version string }

// bounds are nil if the text is not a list of them.
func (r Requires) bounds() (out []bound) {
	for part := range strings.SplitSeq(string(r), ",") {
		part = strings.TrimSpace(part)
		rest := strings.TrimLeft(part, "<>=")
		b := bound{part[:len(part)-len(rest)], "v" + strings.TrimPrefix(strings.TrimSpace(rest), "v")}
		switch b.op {
		case ">=", "<=", ">", "<", "=":
		default:
			return nil
		}
		if !semver.IsValid(b.version) || semver.Prerelease(b.version)+semver.Build(b.version) != "" {
			return nil
		}
		out = append(out, b)
	}
	return out
}

// unmet says why this version of Trammel does not fit, "" if it does. A
// pre-release counts as the release.
func (r Requires) unmet(have string) string {
	if !semver.IsValid("v"+strings.TrimPrefix(have, "v")) && r != "" {
		return fmt.Sprintf("this configuration needs Trammel %s, and this one (%s) was built without a version; run: %s", r, have,
			version.Install)
	}
	have = "v" + strings.TrimPrefix(have, "v")
	have = strings.TrimSuffix(semver.Canonical(have), semver.Prerelease(have))
	for _, b := range r.bounds() {
		order := semver.Compare(have, b.version)
		newer := "install a version that fits: https://github.com/trammel-dev/trammel/releases"
		if strings.HasPrefix(b.op, ">") {
			newer = "run: " + version.Install
		}
		if order < 0 && strings.HasPrefix(b.op, "<") || order > 0 && strings.HasPrefix(b.op, ">") || order == 0 && strings.HasSuffix(b.op, "=") {
			continue
		}
		return fmt.Sprintf("this configuration needs Trammel %s, but you have %s; %s", r, strings.TrimPrefix(have, "v"), newer)
	}
	return ""
}

// outdated reports files of any layer that need another version. It does so even
// for files that cannot be read: their content may be valid in that version.
func (c *compiler) outdated() {
	for i := range c.set.Files {
		if f := &c.set.Files[i]; !f.IsRepositoryHook() && !f.IsLock() {
			c.outdatedFile(f)
		}
	}
}

func (c *compiler) outdatedFile(f *layers.File) {
	s := &source{path: f.Path, errs: &collector{}}
	needs, at := s.requires(f)
	if why := needs.unmet(version.Number()); why != "" {
		s.errs = &c.errs
		s.fail(at, "", "%s", why)
		c.errs.kept[len(c.errs.kept)-1].Code = OutdatedFinding
	}
}

// requires finds the key at the top of a file, even if this version cannot read
// the rest. A value that is not a list of bounds is left to the reader.
func (s *source) requires(f *layers.File) (Requires, mark) {
	const key = "requires"
	if !strings.Contains(string(f.Data), key) {
		return "", mark{}
	}
	if pairs, ok := yamldoc.Pairs(s.parse(f.Data)); ok {
		for _, p := range pairs {
			if text, ok := yamldoc.Text(p.Value); ok && p.Key.String() == key {
				at := yamldoc.MarkOf(p.Value)
				return Requires(text), mark{Line: at.Line, Column: at.Column}
			}
		}
		return "", mark{}
	}
	for i, line := range s.lines {
		if text, ok := strings.CutPrefix(line, key+":"); ok {
			text, _, _ = strings.Cut(text, "#")
			return Requires(strings.Trim(text, " \t\r\"'")), mark{Line: i + 1, Column: 1}
		}
	}
	return "", mark{}
}
