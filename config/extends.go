package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trammel-dev/trammel/bundles"
	"github.com/trammel-dev/trammel/internal/layers"
)

// BundleFinding is the code of a bundle that is missing, or differs from what
// was locked or signed.
const BundleFinding = "bundle"

// CodeLockUnused is the code of a line in a lock file that nothing refers to.
const CodeLockUnused layers.Code = "lock_unused"

// ExtendDecl is a bundle whose hooks count as if the file declared them
// (TEAM-12). It only adds: everything else in the file stays in force.
type ExtendDecl struct {
	From    Text            `json:"from" jsonschema:"Where the bundle is: a directory, a git repository (https, ssh, file), or an archive (https, .zip or .tar.gz)."`
	Rev     Commit          `json:"rev,omitempty" jsonschema:"The commit of a git repository, in full. Branches and tags can be moved."`
	Version Text            `json:"version,omitempty" jsonschema:"The version that the bundle must declare, such as v1.2.0."`
	Key     OneOrMore[Text] `json:"key,omitempty" jsonschema:"Public keys, one of which must have signed the bundle, as trammel bundle keygen prints them."`
}

// TrustDecl says whose signature counts as a person's trust (TEAM-06).
type TrustDecl struct {
	Keys OneOrMore[Text] `json:"keys" jsonschema:"Public keys. Files of a project that one of them has signed count as trusted. Only the machine's and the user's file can set this."`
}

// Commit is a commit of git, in full.
type Commit string

const commitPattern = `^[0-9a-f]{40}$`

func (c *Commit) parse(text string) bool {
	*c = Commit(text)
	return len(text) == 40 && strings.Trim(text, "0123456789abcdef") == ""
}
func (*Commit) wants() string { return "a full commit id of 40 hexadecimal digits" }
func (*Commit) numeric() bool { return false }
func (*Commit) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: commitPattern}
}

// refs are the bundles that a file extends.
func (d *document) refs() []bundles.Ref {
	var out []bundles.Ref
	for i := range d.Extends {
		e := &d.Extends[i]
		r := bundles.Ref{From: string(e.From), Rev: string(e.Rev), Version: string(e.Version), Line: d.at(e).Line}
		if d.has(&e.Key) {
			r.Keys = append([]string{}, texts(e.Key)...)
		}
		out = append(out, r)
	}
	return out
}

// Extends reads which bundles a file extends.
func Extends(path string, data []byte) ([]bundles.Ref, error) {
	errs := &collector{}
	d := read(path, data, errs)
	return d.refs(), errs.list()
}

// extension is how a bundle came to be part of the configuration.
type extension struct {
	*unit // the file of the layer
	at    mark
	lock  *layers.File
	list  []layers.Locked
	above []string // the sums of the bundles that extend it, outermost first
}

// extend declares the hooks of the bundles that a file extends. Whatever is
// wrong with one is an error, even if the file is not trusted: hooks must not
// go missing silently.
func (c *compiler) extend(u *unit) {
	for i, ref := range u.refs() {
		x := extension{unit: u, at: u.at(&u.Extends[i])}
		if u.broken[&u.Extends[i]] {
			continue
		}
		if x.lock = c.lockOf(u); x.lock != nil {
			x.list, _ = layers.ParseLock(x.lock.Data) // it was checked before
		}
		c.bundle(&x, ref)
	}
}

// lockOf is the lock file of a file: for a trusted file the trusted copy, if
// there is one.
func (c *compiler) lockOf(u *unit) (found *layers.File) {
	for i := range c.set.Files {
		f := &c.set.Files[i]
		if !f.IsLock() || f.Layer != u.file.Layer || f.Dir != u.file.Dir {
			continue
		}
		if found == nil || (f.Trust == layers.Trusted) == u.trusted() {
			found = f
		}
	}
	return found
}

// bundle opens one and declares what it holds.
func (c *compiler) bundle(x *extension, ref bundles.Ref) {
	fail := func(err error) {
		s := *x.source
		s.errs = &c.errs
		at := x.at
		at.Found = ""
		s.fail(at, "", "%v", err)
		c.errs.kept[len(c.errs.kept)-1].Code = BundleFinding
	}
	b, err := ref.Open(x.list, c.set.Bundles)
	if err != nil {
		fail(err)
		return
	}
	if x.lock != nil {
		c.lockUsed(x.lock, ref.Find(x.list))
	}
	c.signedBy(x, b.Name, ref.Keys)
	if slices.Contains(x.above, b.Sum) {
		fail(fmt.Errorf("the bundle %s extends itself", b))
		return
	}
	if len(x.above) == bundles.MaxDepth {
		fail(fmt.Errorf("the bundle %s is extended at depth %d, expected at most %d", b, len(x.above)+1, bundles.MaxDepth))
		return
	}
	trust := layers.Unknown
	if x.trusted() && x.lock.Trust == layers.Trusted {
		trust = layers.Trusted
	}
	nested := *x
	nested.above = append(slices.Clone(x.above), b.Sum)
	again := !c.firstOf(x, b, trust)
	for _, rule := range b.Rules() {
		u := &unit{bundle: b.String(), file: &layers.File{Layer: x.file.Layer, Path: b.String() + "/" + rule.Name, Dir: x.file.Dir,
			Data: rule.Data, Trust: trust}}
		if c.outdatedFile(u.file); c.errs.total > 0 {
			return
		}
		u.document = read(u.file.Path, rule.Data, &c.errs)
		for _, inner := range u.refs() {
			below, err := ref.Below(inner)
			if err != nil {
				fail(fmt.Errorf("the bundle %s, %s:%d: %w", b, rule.Name, inner.Line, err))
				continue
			}
			c.bundle(&nested, below)
		}
		if !again {
			c.onlyAdds(u)
			c.declareAll(u)
		}
	}
}

// signedBy notes which keys a file asks for; "" stands for none.
func (c *compiler) signedBy(x *extension, bundle string, keys []string) {
	if c.signers == nil {
		c.signers = map[place][]string{}
	}
	if keys == nil {
		keys = []string{""}
	}
	at := place{layer: x.file.Layer, dir: x.file.Dir, bundle: bundle}
	c.signers[at] = slices.Compact(slices.Sorted(slices.Values(slices.Concat(c.signers[at], keys))))
}

// firstOf reports whether a bundle is extended for the first time: declaring
// its hooks once is enough.
func (c *compiler) firstOf(x *extension, b *bundles.Bundle, trust layers.TrustState) bool {
	key := fmt.Sprintln(x.file.Layer, x.file.Dir, b.Sum, trust)
	if c.extended == nil {
		c.extended = map[string]bool{}
	}
	seen := c.extended[key]
	c.extended[key] = true
	return !seen
}

// onlyAdds refuses settings of a bundle that are not about its own hooks.
func (c *compiler) onlyAdds(u *unit) {
	v := reflect.ValueOf(&u.File).Elem()
	all := fieldsOf(v.Type())
	for _, name := range all.names {
		if slices.Contains([]string{"version", "requires", "preset", "extends", "defaults", "hooks"}, name) {
			continue
		}
		if p := v.FieldByIndex(all.byName[name].Index).Addr().Interface(); u.has(p) {
			u.source.fail(u.at(p), "", "a bundle only adds hooks, so it cannot set %s", name)
		}
	}
}

// tuned lets hooks of the extending files replace those that their bundle marks
// as overridable. For all others, both hooks run.
func (c *compiler) tuned() {
	for _, d := range c.decls {
		if d.bundle == "" || d.hook.ID == "" || !d.decl.Overridable {
			continue
		}
		for _, trusted := range []bool{true, d.trusted()} { // an untrusted file replaces no trusted hook
			own := c.places[place{layer: d.file.Layer, dir: d.file.Dir, id: d.hook.ID, trusted: trusted}]
			if own != nil && !own.broken && !own.preset {
				d.replaced = own
			}
		}
	}
}

// fixed says why a file of the same layer cannot disable a hook, "" if it can.
func (d *declared) fixed() string {
	if d.bundle == "" || d.decl.Overridable {
		return ""
	}
	return "the bundle " + d.bundle + " does not mark it as overridable"
}

// lockUsed remembers that a line of a lock file is in use.
func (c *compiler) lockUsed(lock *layers.File, l *layers.Locked) {
	if c.locked == nil {
		c.locked = map[string]bool{}
	}
	c.locked[lock.Path+"\n"+l.Sum] = true
}

// lockDrift notes lines of lock files that nothing extends.
func (c *compiler) lockDrift() {
	for i := range c.set.Files {
		f := &c.set.Files[i]
		if !f.IsLock() {
			continue
		}
		list, _ := layers.ParseLock(f.Data)
		for n, l := range list {
			if !c.locked[f.Path+"\n"+l.Sum] {
				c.note(CodeLockUnused, f.Path, n+2, "nothing extends %s@%s from %s; run: trammel bundle lock", l.Name, l.Version, l.From)
			}
		}
	}
}
