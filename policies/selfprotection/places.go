package selfprotection

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/layers"
)

// grounds are places that are known by their full path.
type grounds struct {
	config, records, programs, wiring []string
	path                              []string // directories for programs
	session                           string   // the project's root
	cache                             string   // plans, which are compiled again if they are missing
	world                             trammel.World
	search                            paths.Search // what all patterns of a call look for in our places
}

func groundsHere(dirs trammel.Dirs, ev *trammel.Event, r *paths.Resolver) *grounds {
	getenv := world.Getenv(ev)
	both := func(places ...string) []string { return both(r, places) }
	g := &grounds{config: both(dirs.Machine, dirs.User), records: both(dirs.State, dirs.Cache), path: filepath.SplitList(getenv("PATH")),
		session: ev.Session.Place(), cache: dirs.Cache, world: r.World, search: paths.Search{World: r.World}}
	for _, h := range standard.Hosts() {
		for _, d := range h.Facts().Dirs {
			if dir := getenv(d.Variable); d.Variable != "" && filepath.IsAbs(dir) {
				for _, file := range h.Files() {
					g.wiring = append(g.wiring, both(filepath.Join(dir, d.Below, file))...)
				}
			}
		}
	}
	if self, err := os.Executable(); err == nil {
		for _, file := range both(self) {
			for _, name := range [...]string{"trammel", "trammel-hook", "trammel.exe", "trammel-hook.exe"} {
				g.programs = append(g.programs, filepath.Join(filepath.Dir(file), name))
			}
		}
	}
	return g
}

// both returns each path as given and with links resolved, because any directory
// above it may be a link.
func both(r *paths.Resolver, places []string) []string {
	out := slices.DeleteFunc(places, func(p string) bool { return p == "" })
	for _, p := range out {
		if real := r.Resolve(effects.Word{Text: p, Known: true}, effects.Path{}).Real; real != "" && real != p {
			out = append(out, real)
		}
	}
	return out
}

// kind is the role of a path in Trammel.
type kind uint8

const (
	nothing kind = iota
	config
	records
	program
	hostWiring
	projectConfig
	configAbove   // rules for everything below, including this project
	perhapsLinked // a file that may be one of ours under another name
	perhapsMatched
	cacheSwept // our cache, together with those of other programs
)

func (k kind) code() string {
	return [...]string{"", "trammel_config", "trammel_records", "trammel_program", "host_wiring", "project_config", "config_above",
		"not_all_looked_at", "not_all_looked_at", "trammel_records"}[k]
}

// of returns the kind of a touched path, and the path of ours that is affected.
func (g *grounds) of(t *effects.Touch) (kind, string) {
	if t.Op == effects.Mode && !t.Readable {
		t = t.As(effects.Delete) // closing a directory hides its content
	}
	for _, name := range t.Names() {
		if k, hit := g.named(name, t); k != nothing {
			return k, hit
		}
	}
	for tail := range standard.Settings {
		if hit, ok := effects.Tail(tail).Touched(t); ok {
			return hostWiring, hit
		}
	}
	for _, tail := range [...]effects.Tail{layers.FileName, layers.DropIn + "/**", ".system/hooks/**", layers.LockName} {
		hit, ok := tail.Touched(t)
		if !ok || !isYAML(hit) && tail != layers.LockName {
			continue
		}
		if dir := ruled(hit); g.session != "" && dir != g.session && within(g.session, dir) {
			return configAbove, hit
		}
		return projectConfig, hit
	}
	if t.Removes() {
		if k, hit := g.inProject(t); k != nothing {
			return k, hit
		}
	}
	if t.Path.Glob {
		return g.reached(t)
	}
	return g.linked(t)
}

func isYAML(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".yaml" || ext == ".yml"
}

// ruled returns the directory to which the rules in a file apply.
func ruled(file string) string {
	if i := strings.LastIndex(filepath.ToSlash(file), "/.system/hooks/"); i >= 0 {
		return file[:i]
	}
	dir := filepath.Dir(file)
	if filepath.Base(dir) == layers.DropIn {
		return filepath.Dir(dir)
	}
	return dir
}

// inProject finds what is lost when a directory is removed: the rules in it, and
// the wiring if it is the session's own.
func (g *grounds) inProject(t *effects.Touch) (kind, string) {
	for _, name := range t.Names() {
		if file := filepath.Join(name, layers.FileName); g.exists(file) {
			return projectConfig, file
		}
		for _, rules := range [...]string{layers.DropIn, ".system/hooks"} {
			if dir := filepath.Join(g.session, rules); g.session != "" && within(dir, name) {
				if _, found, all := (&paths.Search{World: g.world}).Inside(dir, isYAML); found || !all {
					return projectConfig, dir
				}
			}
		}
		if g.session == "" || !within(g.session, name) {
			continue
		}
		for tail := range standard.Settings {
			if file := filepath.Join(g.session, strings.TrimSuffix(tail, "/**")); g.exists(file) {
				return hostWiring, file
			}
		}
	}
	return nothing, ""
}

func (g *grounds) named(name string, t *effects.Touch) (kind, string) {
	swept := ""                                            // used only if nothing else is found
	above := t.Removes() || t.Op == effects.Mode && t.Tree // what it means for a place below
	for _, c := range [...]struct {
		kind   kind
		places []string
	}{{config, g.config}, {records, g.records}, {program, g.programs}, {hostWiring, g.wiring}} {
		for _, p := range c.places {
			if p == g.cache && name != p && within(p, name) && !t.Path.Glob {
				if above && g.exists(p) {
					swept = p
				}
				continue
			}
			if within(name, p) || above && within(p, name) && g.exists(p) || t.Path.Glob && patternOf(name, p) {
				return c.kind, p
			}
		}
	}
	switch {
	case g.installed(name):
		return program, name
	case swept != "":
		return cacheSwept, swept
	}
	return nothing, ""
}

// installed reports whether a file has the name of one of our programs, or is in a
// directory with our name where programs are installed.
func (g *grounds) installed(name string) bool {
	if isProgram(filepath.Base(name)) {
		for _, dir := range g.path {
			if dir != "" && filepath.Dir(name) == filepath.Clean(dir) {
				return true
			}
		}
	}
	if g.session != "" && within(name, g.session) {
		return false
	}
	for _, dir := range [...]string{"/opt", "/usr", "/etc", "/var/lib", "/Library", "/Applications", "/snap", "/nix"} {
		if rest, ok := strings.CutPrefix(filepath.ToSlash(name), dir+"/"); ok {
			return slices.ContainsFunc(strings.Split(rest, "/"), isProgram)
		}
	}
	return isProgram(filepath.Base(name)) && filepath.Base(filepath.Dir(name)) == "bin"
}

// reached finds what a pattern matches inside our directories, by listing them, so
// that many other matches cannot hide it.
func (g *grounds) reached(t *effects.Touch) (kind, string) {
	pattern := filepath.ToSlash(t.Path.Abs)
	base, _ := doublestar.SplitPattern(pattern)
	for _, c := range [...]struct {
		kind kind
		dirs []string
	}{{config, g.config}, {records, g.records}} {
		for _, dir := range c.dirs {
			if !within(dir, base) {
				continue
			}
			hit, found, all := g.search.Inside(dir, func(file string) bool {
				return doublestar.MatchUnvalidated(pattern,
					file)
			})
			switch {
			case found:
				return c.kind, hit
			case !all:
				return perhapsMatched, dir
			}
		}
	}
	return nothing, ""
}

// patternOf reports whether a pattern matches one of our paths or the main file in
// it, however many other matches there are.
func patternOf(pattern, p string) bool {
	return doublestar.MatchUnvalidated(pattern, p) || doublestar.MatchUnvalidated(pattern, p+"/"+layers.FileName)
}

// linked finds one of our files under another name: a hard link. If there are too
// many files to check, it may be one.
func (g *grounds) linked(t *effects.Touch) (kind, string) {
	if t.Op != effects.Write && t.Op != effects.Mode || !t.Path.Known() || t.Path.Glob {
		return nothing, ""
	}
	info, err := world.Stat(g.world, t.Path.Abs)
	if err != nil || !info.Mode().IsRegular() || !otherNames(info) {
		return nothing, ""
	}
	same := func(file string) bool {
		other, err := world.Stat(g.world, file)
		return err == nil && os.SameFile(info, other)
	}
	for _, p := range g.programs {
		if same(p) {
			return program, p
		}
	}
	for _, p := range append(g.wired(), g.wiring...) {
		if same(p) {
			return hostWiring, p
		}
	}
	doubt, where := nothing, ""
	for _, c := range [...]struct {
		kind kind
		dirs []string
	}{{config, g.config}, {records, g.records}} {
		for _, dir := range c.dirs {
			hit, found, all := g.search.Inside(dir, same)
			if found {
				return c.kind, hit
			}
			if !all {
				doubt, where = perhapsLinked, dir
			}
		}
	}
	return doubt, where
}

// wired returns the files in the session's project and the user's home that wire
// hosts, if they have a fixed name.
func (g *grounds) wired() []string {
	var out []string
	for _, dir := range append(world.Homes(g.world), g.session) {
		for tail := range standard.Settings {
			if dir != "" && !strings.Contains(tail, "*") {
				out = append(out, filepath.Join(dir, tail))
			}
		}
	}
	return out
}

func within(name, dir string) bool {
	name, dir = filepath.ToSlash(name), filepath.ToSlash(dir)
	if folds {
		name, dir = strings.ToLower(name), strings.ToLower(dir)
	}
	return paths.Within(name, dir)
}

func (g *grounds) exists(name string) bool {
	_, err := g.world.Lstat(name)
	return err == nil
}

func isProgram(base string) bool {
	base = strings.TrimSuffix(strings.ToLower(base), ".exe")
	return base == "trammel" || base == "trammel-hook"
}
