package effects

import (
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/trammel-dev/trammel/effects/paths"
)

// Tail identifies a path by its last parts: .claude/settings.json,
// .git/hooks/**. Parts may contain * and ?; ** at the end matches everything
// below. It is in lower case, because some file systems ignore case, and no two
// of these names differ only in case.
type Tail string

// Touched reports whether a touch affects a matching path, and which: the touched
// path, or one inside a directory that is removed.
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

// meant reports whether a pattern matches such a path that exists, even if the
// pattern matches more than is listed.
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

// Ends reports whether a text that is not a complete path ends like the tail.
// Nothing more can be said about $DIR/.eslintrc.json.
func (s Tail) Ends(text string) bool {
	text = strings.Trim(text, `"'`)
	if text == "" || s.differs(text[len(text)-1]) {
		return false
	}
	if strings.IndexByte(string(s), '/') < 0 {
		text = text[strings.LastIndexByte(text, '/')+1:]
	}
	return text != "" && s.is("/"+strings.ToLower(filepath.ToSlash(text)))
}

// In reports whether a word of a text in lower case may end like the tail.
func (s Tail) In(text string) bool {
	longest := ""
	for part := range strings.FieldsFuncSeq(string(s), func(r rune) bool { return r == '*' || r == '?' }) {
		if part = strings.Trim(part, "/"); len(part) > len(longest) {
			longest = part
		}
	}
	return strings.Contains(text, longest)
}

// differs reports whether no text with this last byte ends like the tail. Most do not,
// and this is seen without a copy of them.
func (s Tail) differs(last byte) bool {
	if 'A' <= last && last <= 'Z' {
		last += 'a' - 'A'
	}
	own := s[len(s)-1]
	return own != '*' && own != '?' && last < utf8.RuneSelf && last != own
}

// is reports whether a path matches.
func (s Tail) is(name string) bool {
	if dir, ok := strings.CutSuffix(string(s), "/**"); ok {
		return holds(name, dir)
	}
	return endsIn(name, string(s))
}

// holds reports whether a path has a directory of this name among its parts.
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

// in reports whether a directory may contain a matching path, and one exists.
func (s Tail) in(t *Touch, dir, lower string) (string, bool) {
	shape := string(s)
	for i := range len(shape) {
		if shape[i] != '/' || !endsIn(lower, shape[:i]) {
			continue
		}
		// Use a separate lister, so that other patterns cannot exhaust its limit.
		if found, _ := paths.NewLister(t.machine.world).Below(dir, strings.TrimSuffix(shape[i+1:], "/**")); len(found) > 0 {
			return found[0], true
		}
	}
	return "", false
}

// endsIn reports whether the last parts of a path match the shape.
func endsIn(name, shape string) bool {
	if last := shape[len(shape)-1]; last != '*' && last != '?' && (name == "" || name[len(name)-1] != last) {
		return false // fast path for the common case
	}
	if !strings.HasSuffix(name, shape[max(strings.LastIndexByte(shape, '*'), strings.LastIndexByte(shape, '?'))+1:]) {
		return false // the last part is literal and differs
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
