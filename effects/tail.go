package effects

import (
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/trammel-dev/trammel/effects/paths"
)

// Tail is a place by the last parts of its path, wherever that is:
// .claude/settings.json, .git/hooks/**. Parts may hold * and ?; ** at the end
// stands for everything below. It is written in lower case, because not every
// file system tells cases apart and none of these names is used in both.
type Tail string

// Touched reports whether a touch changes or reads the place, and which path
// of it: its own, or for who removes a directory one that is in it.
func (s Tail) Touched(t *Touch) (string, bool) {
	within := t.Removes() || t.Tree && t.Changes()
	for i, name := range t.folded() {
		if s.is(name) {
			return t.names[i], true
		}
		if within {
			if inside, ok := s.in(t, t.names[i], name); ok {
				return inside, true
			}
		}
	}
	if t.Path.Glob {
		return s.meant(t)
	}
	return "", false
}

// meant reports whether a pattern stands for the place, and the place is really
// there, however much else the pattern matches: of that only so much is listed.
func (s Tail) meant(t *Touch) (string, bool) {
	shape := strings.Split(strings.TrimSuffix(string(s), "/**"), "/")
	parts := strings.Split(filepath.ToSlash(t.Path.Abs), "/")
	at := len(parts) - len(shape)
	if at < 1 || strings.ContainsAny(string(s), "*?") && !strings.HasSuffix(string(s), "/**") {
		return "", false
	}
	for i, part := range shape {
		if !doublestar.MatchUnvalidated(strings.ToLower(parts[at+i]), part) {
			return "", false
		}
	}
	dir := strings.Join(parts[:at], "/")
	if strings.ContainsAny(dir, `*?[{`) {
		return "", false
	}
	place := dir + "/" + strings.Join(shape, "/")
	_, err := t.machine.world.Lstat(place)
	return place, err == nil
}

// Ends reports whether a text that is no whole path ends in the place: all that
// can be said of $DIR/.eslintrc.json.
func (s Tail) Ends(text string) bool {
	text = strings.Trim(text, `"'`)
	if strings.IndexByte(string(s), '/') < 0 {
		text = text[strings.LastIndexByte(text, '/')+1:]
	}
	return text != "" && s.is("/"+strings.ToLower(filepath.ToSlash(text)))
}

// is reports whether a path is the place.
func (s Tail) is(name string) bool {
	if dir, ok := strings.CutSuffix(string(s), "/**"); ok {
		return holds(name, dir)
	}
	return endsIn(name, string(s))
}

// holds reports whether a directory is among the parts of a path.
func holds(name, dir string) bool {
	for {
		at := strings.Index(name, dir)
		if at < 0 {
			return false
		}
		rest := name[at+len(dir):]
		if at > 0 && name[at-1] == '/' && (rest == "" || rest[0] == '/') {
			return true
		}
		name = name[at+1:]
	}
}

// in reports whether a directory is on the way to the place, and one is really
// there.
func (s Tail) in(t *Touch, dir, lower string) (string, bool) {
	shape := string(s)
	for i := range len(shape) {
		if shape[i] != '/' || !endsIn(lower, shape[:i]) {
			continue
		}
		// with a lister of its own: what patterns match elsewhere does not crowd it out
		if found, _ := paths.NewLister(t.machine.world).Below(dir, strings.TrimSuffix(shape[i+1:], "/**")); len(found) > 0 {
			return found[0], true
		}
	}
	return "", false
}

// endsIn reports whether the last parts of a path match the shape.
func endsIn(name, shape string) bool {
	if last := shape[len(shape)-1]; last != '*' && last != '?' && (name == "" || name[len(name)-1] != last) {
		return false // the common case, at once
	}
	if !strings.HasSuffix(name, shape[max(strings.LastIndexByte(shape, '*'), strings.LastIndexByte(shape, '?'))+1:]) {
		return false // the end has no pattern in it
	}
	at := len(name)
	for range strings.Count(shape, "/") + 1 {
		if at = strings.LastIndexByte(name[:max(at, 0)], '/'); at < 0 {
			return false
		}
	}
	tail := name[at+1:]
	return tail == shape || strings.ContainsAny(shape, "*?") && doublestar.MatchUnvalidated(shape, tail)
}
