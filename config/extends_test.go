package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/bundles"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/test/testfile"
)

func bundleOf(t *testing.T, name, version, rules string) *bundles.Bundle {
	t.Helper()
	b, err := bundles.New([]bundles.File{{Name: bundles.Manifest, Data: []byte("name: " + name + "\nversion: " + version + "\n")},
		{Name: layers.FileName, Data: []byte("version: 1\n" + rules)}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// extending is a set of one file of a layer with its lock; ./NAME is the bundle of that name.
func extending(t *testing.T, layer layers.Layer, text string, list ...*bundles.Bundle) *layers.Set {
	t.Helper()
	own := file(layer, "version: 1\n"+text)
	lock := own
	set := &layers.Set{Root: own.Dir, Bundles: map[string]layers.Bundle{}}
	var locked []layers.Locked
	for _, b := range list {
		locked = append(locked, layers.Locked{Sum: b.Sum, Name: b.Name, Version: b.Version, From: "./" + b.Name})
		set.Bundles[b.Sum] = layers.Bundle{Path: b.Name, Data: b.Encode()}
	}
	lock.Path, lock.Data = filepath.Join(own.Dir, layers.LockName), layers.FormatLock(locked)
	set.Files = []layers.File{own, lock}
	return set
}

func statuses(c *Compiled) string {
	var out []string
	for _, e := range c.Report {
		out = append(out, e.ID+" "+string(e.Status))
	}
	return strings.Join(out, "; ")
}

// TEAM-12, TEAM-15: what a bundle adds, and what the extending file may change of it.
func TestExtends(t *testing.T) {
	const denyA = "hooks: [{id: a, on: stop, deny: x}]"
	const grants = "hooks: [{id: g, on: pre_tool_use, allow: x, may: grant}]"
	const softA = "hooks: [{id: a, on: stop, deny: x, overridable: true}]"
	for _, c := range []struct {
		name, own, bundle string
		layer             layers.Layer
		want              string // statuses, or part of an error
	}{
		{"a bundle adds", "hooks: [{id: b, on: stop, deny: x}]", denyA, layers.Project, "b in force; a in force"},
		{"the same id: both hold", denyA, denyA, layers.Project, "a in force; project/a in force"},
		{"overridable, replaced", denyA, softA, layers.Project, "a in force; a replaced"},
		{"overridable, disabled", "disabled: [a]", softA, layers.Project, "a disabled"},
		{"not overridable, not disabled", "disabled: [a]", denyA, layers.Project, "a in force"},
		{"nor by layer and id", "disabled: [user/a]", denyA, layers.User, "a in force"},
		{"a project's bundle never grants", "", grants, layers.Project, "a project cannot grant"},
		{"a user's has the user's rights", "", grants, layers.User, "g in force"},
		{"it disables nothing", denyA, "disabled: [a]", layers.User, "cannot set disabled"},
		{"it lowers no profile", denyA, "profile: minimal", layers.User, "cannot set profile"},
		{"it excepts nothing", denyA, "exceptions: []", layers.User, "cannot set exceptions"},
		{"it names no keys", denyA, "trust: {keys: [x]}", layers.User, "cannot set trust"},
		{"it switches no hooks off", denyA, "repository_hooks: false", layers.User, "cannot set repository_hooks"},
		{"it needs another version", denyA, `requires: ">=99"` + "\nnew_key: x", layers.User, "needs Trammel >=99"},
		{"it is wrong", denyA, "hooks: [{id: a}]", layers.User, "acme@v1.0.0/trammel.yaml"},
	} {
		set := extending(t, c.layer, "extends: [{from: ./acme}]\n"+c.own, bundleOf(t, "acme", "v1.0.0", c.bundle))
		compiled, err := Compile(set, testRegistry)
		got := fmt.Sprint(err)
		if err == nil {
			got = statuses(compiled)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, expected %s", c.name, got, c.want)
		}
	}
}

// TEAM-14, TEAM-16: a broken bundle blocks, also in a file that is not trusted.
func TestExtendsFailsClosed(t *testing.T) {
	good := bundleOf(t, "acme", "v1.0.0", "hooks: [{id: a, on: stop, deny: x}]")
	_, key, _ := bundles.NewKey("k")
	for name, c := range map[string]struct {
		text   string
		change func(set *layers.Set)
		want   string
	}{
		"no lock":    {"", func(s *layers.Set) { s.Files = s.Files[:1] }, "trammel bundle lock"},
		"not locked": {"", func(s *layers.Set) { s.Files[1].Data = layers.FormatLock(nil) }, "trammel bundle lock"},
		"missing":    {"", func(s *layers.Set) { s.Bundles = nil }, "trammel bundle sync"},
		"damaged": {"", func(s *layers.Set) { s.Bundles[good.Sum] = layers.Bundle{Data: []byte("trammel-bundle 1\n")} },
			"not what was locked"},
		"not signed":     {", key: " + key, nil, "not signed"},
		"no keys":        {", key: []", nil, "list of keys is empty"},
		"no key":         {", key: x", nil, "not a public key"},
		"another":        {", version: v1.1.0", nil, "expected version v1.1.0"},
		"a branch":       {", rev: main", nil, "40 hexadecimal digits"},
		"rev for a path": {", rev: " + strings.Repeat("a", 40), nil, "rev is for git repositories"},
	} {
		for _, trust := range []layers.TrustState{layers.Trusted, layers.Unknown} {
			set := extending(t, layers.Project, "extends: [{from: ./acme"+c.text+"}]\n", good)
			if c.change != nil {
				c.change(set)
			}
			for i := range set.Files {
				set.Files[i].Trust = trust
			}
			_, err := Compile(set, testRegistry)
			if name == "a branch" && trust == layers.Unknown {
				continue // the file is wrong, and counts for nothing
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v", name, trust, err)
			}
		}
	}
}

// TEAM-12: nested bundles, and their bounds, when compiled.
func TestExtendsNested(t *testing.T) {
	var chain []*bundles.Bundle
	for i := 5; i >= 1; i-- {
		rules := fmt.Sprintf("hooks: [{id: h%d, on: stop, deny: x}]\n", i)
		if i < 5 {
			rules += fmt.Sprintf("extends: [{from: ./b%d}]\n", i+1)
		}
		chain = append(chain, bundleOf(t, fmt.Sprint("b", i), "v1.0.0", rules))
	}
	c, err := Compile(extending(t, layers.User, "extends: [{from: ./b3}, {from: ./b5}]\n", chain...), testRegistry)
	if err != nil || len(c.Hooks) != 3 {
		t.Errorf("three deep, one of them twice: %v, %v", c, err)
	}
	if notes := fmt.Sprint(c.Notes); !strings.Contains(notes, "nothing extends b1@v1.0.0") || strings.Contains(notes, "nothing extends b3") {
		t.Errorf("a line of the lock that nothing needs: %s", notes)
	}
	itself := bundleOf(t, "self", "v1.0.0", "extends: [{from: ./self}]\n")
	_, err = Compile(extending(t, layers.User, "extends: [{from: ./self}]\n", itself), testRegistry)
	if err == nil || !strings.Contains(err.Error(), "the bundle self@v1.0.0 extends itself") {
		t.Errorf("a bundle in itself: %v", err)
	}
	_, err = Compile(extending(t, layers.User, "extends: [{from: ./b2}]\n", chain...), testRegistry)
	if err == nil || !strings.Contains(err.Error(), "depth 4") {
		t.Errorf("four deep: %v", err)
	}
}

// TEAM-12: each directory has a lock of its own.
func TestLockOfTheSameDirectory(t *testing.T) {
	set := extending(t, layers.Project, "extends: [{from: ./acme}]\n", bundleOf(t, "acme", "v1.0.0", "hooks: []"))
	for i := range set.Files {
		if set.Files[i].IsLock() {
			set.Files[i].Dir = "/project/sub"
		}
	}
	if _, err := Compile(set, testRegistry); err == nil || !strings.Contains(err.Error(), "trammel bundle lock") {
		t.Errorf("the lock of another directory counts: %v", err)
	}
}

// TEAM-15: until a person has trusted file and lock, only what tightens holds.
func TestExtendsUntrusted(t *testing.T) {
	b := bundleOf(t, "acme", "v1.0.0", "hooks: [{id: a, on: stop, deny: x}, {id: r, on: stop, run: ./x.sh}]")
	for name, trust := range map[string][2]layers.TrustState{"the file": {layers.Unknown, layers.Trusted},
		"the lock": {layers.Trusted, layers.Unknown}} {
		set := extending(t, layers.Project, "extends: [{from: ./acme}]\n", b)
		set.Files[0].Trust, set.Files[1].Trust = trust[0], trust[1]
		c, err := Compile(set, testRegistry)
		if err != nil || statuses(c) != "a in force; r untrusted" {
			t.Errorf("%s is not trusted: %v, %v", name, c, err)
		}
	}
}

// TEAM-17: what a change of a hook does.
// Another key is another person who decides what the rules say.
func TestCompareSaysThatAnotherKeyIsAskedFor(t *testing.T) {
	var secrets, keys []string
	for _, name := range []string{"old", "new"} {
		secret, public, err := bundles.NewKey(name)
		if err != nil {
			t.Fatal(err)
		}
		secrets, keys = append(secrets, secret), append(keys, public)
	}
	b := bundleOf(t, "acme", "v1.0.0", "hooks: [{id: a, on: stop, deny: x}]")
	signature, err := b.Sign(secrets...)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = bundles.New(append(b.Files, bundles.File{Name: bundles.Signature, Data: signature})); err != nil {
		t.Fatal(err)
	}
	set := func(asked []string) *layers.Set {
		key, signer := "", ""
		if asked != nil {
			if signer, err = b.Verify(asked...); err != nil {
				t.Fatal(err)
			}
			key = ", key: [" + strings.Join(asked, ", ") + "]"
		}
		set := extending(t, layers.User, "extends: [{from: ./acme"+key+"}]\n", b)
		set.Files[1].Data = layers.FormatLock([]layers.Locked{{Sum: b.Sum, Name: b.Name, Version: b.Version, From: "./acme", Signer: signer}})
		return set
	}
	for _, c := range []struct {
		before, after []string
		want          Effect
	}{
		{keys[:1], keys[:1], ""}, {nil, nil, ""}, {keys[:1], keys[1:], Unclear}, {keys[:1], keys, Unclear}, {keys[:1], nil, Loosens},
		{nil, keys[:1], Tightens},
	} {
		changes, err := Compare(set(c.before), set(c.after), testRegistry)
		if err != nil {
			t.Fatal(err)
		}
		var got Effect
		if len(changes) == 1 && changes[0].Bundle == "acme" && strings.HasPrefix(changes[0].Why, "who signs it: ") {
			got = changes[0].Effect
		}
		if got != c.want || got == "" && len(changes) > 0 {
			t.Errorf("%s → %s: %v, expected %q", c.before, c.after, changes, c.want)
		}
	}
}

func TestCompare(t *testing.T) {
	const on = "on: pre_tool_use"
	for _, c := range []struct{ before, after, want string }{
		{"", "{id: a, on: stop, deny: x}", "added tightens"}, {"{id: a, on: stop, deny: x}", "", "removed loosens"},
		{"", "{id: a, on: stop, deny: x, trial: true}", "added neutral"}, {"", "{id: a, " + on + ", allow: x, may: grant}", "added loosens"},
		{"{id: a, " + on + ", allow: x, may: grant}", "", "removed tightens"}, {"", "{id: a, on: session_start, context: x}", "added unknown"},
		{"{id: a, on: stop, deny: x}", "{id: a, on: stop, deny: x}", ""},
		{"{id: a, on: stop, deny: x}", "{id: a, on: stop, deny: y}", "changed neutral"},
		{"{id: a, " + on + ", deny: x}", "{id: a, " + on + ", ask: x}", "changed loosens"},
		{"{id: a, " + on + ", ask: x}", "{id: a, " + on + ", deny: x}", "changed tightens"},
		{"{id: a, " + on + ", match: {program: git}, deny: x}", "{id: a, " + on + ", deny: x}", "changed tightens"},
		{"{id: a, " + on + ", match: {program: git}, deny: x}", "{id: a, " + on + ", match: {program: [git, hg]}, deny: x}", "changed tightens"},
		{"{id: a, " + on + ", match: {program: [git, hg]}, deny: x}", "{id: a, " + on + ", match: {program: hg}, deny: x}", "changed loosens"},
		{"{id: a, " + on + ", match: {program: git}, deny: x}", "{id: a, " + on + ", match: {program: hg}, deny: x}", "changed unknown"},
		{"{id: a, " + on + ", allow: x, may: grant}", "{id: a, " + on + ", match: {program: git}, allow: x, may: grant}", "changed tightens"},
		{"{id: a, on: [stop, pre_tool_use], deny: x}", "{id: a, on: stop, deny: x}", "changed loosens"},
		{"{id: a, on: stop, deny: x}", "{id: a, on: stop, deny: x, trial: true}", "changed loosens"},
		{"{id: a, on: stop, deny: x, enabled: false}", "{id: a, on: stop, deny: x}", "changed tightens"},
		{"{id: a, on: stop, deny: x}", "{id: a, on: stop, deny: x, overridable: true}", "changed loosens"},
		{"{id: a, " + on + ", deny: x, on_error: warn}", "{id: a, " + on + ", deny: x}", "changed tightens"},
		{"{id: a, on: stop, deny: x}", "{id: a, on: stop, deny: x, priority: 5}", "changed unknown"},
		{"{id: a, on: stop, deny: x}", "{id: a, on: stop, deny: x, timeout: 3s}", "changed unknown"},
		{"{id: a, on: [stop, pre_tool_use], deny: x}", "{id: a, on: [pre_tool_use, stop], deny: x}", "changed neutral"},
		{"{id: a, on: session_start, context: x}", "{id: a, on: session_start, context: y}", "changed unknown"},
		{"{id: a, " + on + ", deny: x}", "{id: a, " + on + ", after: {reads: secret}, deny: x}", "changed loosens"},
		{"{id: a, " + on + ", after: {reads: secret}, deny: x}", "{id: a, " + on + ", deny: x}", "changed tightens"},
		{"{id: a, on: post_tool_use, run: x, on_error: warn}", "{id: a, on: post_tool_use, run: x, on_error: warn, may: context}",
			"changed loosens"},
		{"{id: a, on: stop, deny: x}", "{id: a, on: stop, deny: x, profile: strict}", "changed loosens"},
		{"{id: a, on: stop, deny: x, overridable: true}", "{id: a, on: stop, deny: y, trial: true}", "changed loosens"},
	} {
		var sets [2]*layers.Set
		for i, hooks := range []string{c.before, c.after} {
			sets[i] = extending(t, layers.User, "extends: [{from: ./acme}]\n", bundleOf(t, "acme", fmt.Sprintf("v1.%d.0", i), "hooks: ["+hooks+"]"))
		}
		changes, err := Compare(sets[0], sets[1], testRegistry)
		got := fmt.Sprint(err)
		if err == nil {
			got = ""
			for _, ch := range changes {
				got += ch.What + " " + string(ch.Effect)
				if whys := strings.Split(ch.Why, "; "); len(slices.Compact(whys)) < strings.Count(ch.Why, ";")+1 {
					got += ", twice because of " + ch.Why
				}
			}
		}
		if got != c.want {
			t.Errorf("%s → %s: %s, expected %s", c.before, c.after, got, c.want)
		}
	}
}

// TEAM-06: a project that a known key has signed is trusted exactly as it is
// signed; an earlier version, signed as well, does not come back.
func TestSignedProject(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := layers.Dirs{User: filepath.Join(root, "user"), State: filepath.Join(root, "state")}
	dir := filepath.Join(root, "p")
	write := func(path, text string) {
		t.Helper()
		testfile.Write(t, path, text, 0o600)
	}
	secret, public, _ := bundles.NewKey("team")
	stranger, _, _ := bundles.NewKey("team")
	rules, signature := filepath.Join(dir, layers.FileName), filepath.Join(dir, ProjectSignature)
	now := time.Now()
	sign := func(secret string, at time.Time) {
		t.Helper()
		s, err := Review(d, dir, testRegistry)
		if err != nil {
			t.Fatal(err)
		}
		text, err := s.Sign(at, secret)
		if err != nil {
			t.Fatal(err)
		}
		write(signature, string(text))
	}
	admitted := func() bool {
		t.Helper()
		set, err := layers.Find(d, dir)
		if err != nil {
			t.Fatal(err)
		}
		return Signed(d, set, testRegistry, now)
	}
	const one, two = "version: 1\nhooks: [{id: a, on: stop, run: x}]\n", "version: 1\nhooks: []\n"
	write(rules, one)
	sign(secret, now.Add(-time.Hour))
	if admitted() {
		t.Error("nobody names the key")
	}
	write(rules, "trust: {keys: ["+public+"]}\n"+one)
	sign(secret, now.Add(-time.Hour))
	if admitted() {
		t.Error("the project names the key")
	}
	write(rules, one)
	write(filepath.Join(d.User, layers.FileName), "version: 1\ntrust: {keys: ["+public+"]}\n")
	sign(stranger, now.Add(-time.Hour))
	if admitted() {
		t.Error("a key of the same name has signed it")
	}
	sign(secret, now.Add(time.Hour))
	if admitted() {
		t.Error("it was signed in the future")
	}
	sign(secret, now.Add(-time.Hour))
	first, _ := os.ReadFile(signature)
	write(rules, one+"#")
	if admitted() {
		t.Error("one byte more than signed")
	}
	write(rules, one)
	if !admitted() || admitted() {
		t.Error("as signed, it is not trusted, or twice")
	}
	if set, _ := layers.Find(d, dir); set.Files[1].Trust != layers.Trusted {
		t.Errorf("%+v", set.Notes)
	}
	write(rules, two)
	sign(secret, now.Add(-time.Minute))
	if !admitted() {
		t.Error("a later version that is signed is not trusted")
	}
	write(rules, one)
	write(signature, string(first))
	if admitted() {
		t.Error("an earlier version came back")
	}
	record := filepath.Join(d.State, "trust", layers.Key(dir), "record")
	write(record, "damaged")
	set, err := layers.Find(layers.Dirs{User: d.User}, dir) // as it was found before the damage
	if err != nil || Signed(d, set, testRegistry, now) {
		t.Errorf("an earlier version came back, because the record of the trust is damaged: %v", err)
	}
	if text, _ := os.ReadFile(record); string(text) != "damaged" {
		t.Errorf("the damaged record is gone: %s", text)
	}
	for _, wrong := range []string{"trust: {keys: []}", "trust: {keys: [x]}", "trust: {}"} {
		if _, err := compileOne("version: 1\n" + wrong); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}
