package paths

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
)

// Word and Path are those of a reading.
type (
	Word = model.Word
	Path = model.Path
)

// Resolver resolves words to paths in a world. It caches links.
type Resolver struct {
	World trammel.World
	// Full is true when there were more names to look at than it does: then what
	// came last is taken as it is written, and may be a link.
	Full  bool
	links map[string]string
}

// Resolve returns the path that a word means for a program that runs in dir. Links
// are followed as the kernel does, so that x/.. is the parent of x's target; a path
// that does not exist is taken literally. ~ is an ordinary name here, because the
// shell has already replaced it where it means a home directory.
func (r *Resolver) Resolve(w Word, dir Path) Path {
	p := Path{Text: w.Text, Glob: w.Glob, Some: w.Some}
	if !w.Known && strings.IndexByte(w.Text, '$') >= 0 {
		w, _ = r.confine(w, dir)
		p.Glob, p.Some = w.Glob, w.Some
	}
	if !w.Known || w.Text == "" || strings.IndexByte(w.Text, 0) >= 0 {
		return Path{Text: w.Text}
	}
	if t := wholeDrive(w.Text); IsDrive(t) {
		p.Abs, p.Glob = cleanDrive(t), p.Glob || strings.ContainsAny(t, "*?") // programs of Windows expand them
		p.Real = p.Abs
		return p
	}
	text := w.Text
	if text[0] != '/' {
		base := dir.Real
		if base == "" {
			base = dir.Abs
		}
		if base == "" {
			return Path{Text: w.Text}
		}
		if IsDrive(base) {
			p.Abs = cleanDrive(base + `\` + w.Text)
			p.Real = p.Abs
			return p
		}
		text = base + "/" + text // the directory may be behind a link, too
		if dir.Glob {            // cd x* && rm y
			w.Glob, p.Glob = true, true
		}
	}
	walk := walk{r: r, dir: dir, left: maxLinks}
	if !walk.to("/", text, w.Glob) {
		return Path{Text: w.Text}
	}
	p.Abs, p.Real = walk.abs, walk.real
	return p
}

const (
	maxLinks = 40   // links on the way to one place, as in the kernel
	maxPath  = 4096 // bytes of a path that are looked up
	maxStats = 4096 // looks at the file system per action
)

// walk goes down one path.
type walk struct {
	r    *Resolver
	dir  Path
	left int
	abs  string // the place itself, which may be a link
	real string // what it points to
}

// to walks from a place that is resolved already. It fails where the answer
// belongs to another process or goes round in circles.
func (k *walk) to(base, text string, glob bool) bool {
	if len(base)+len(text) > maxPath {
		k.abs = path.Join(base, text)
		k.real = k.abs
		return true
	}
	at, whole, gone := base, text, false                    // gone: there is nothing at at
	straight := base == "/" && text != "" && text[0] == '/' // at is the beginning of the text as it stands
	for text != "" {
		part, rest, more := strings.Cut(text, "/")
		begin := len(whole) - len(text)
		text = rest
		switch part {
		case "", ".":
			straight = straight && begin == 0
			continue
		case "..":
			at, straight, gone = path.Dir(at), false, false
			continue
		}
		var next string
		switch {
		case straight:
			next = whole[:begin+len(part)]
		case at == "/":
			next = "/" + part
		default:
			next = at + "/" + part
		}
		if glob && strings.ContainsAny(part, "*?[{(") {
			at = path.Join(next, text)
			break
		}
		target, missing, ok := k.follow(at, part, next, gone)
		if !ok {
			return false
		}
		gone = missing
		if !more { // "x/" means what x points to
			k.abs = next
		}
		at, straight = target, straight && target == next
	}
	if k.real = at; k.abs == "" {
		k.abs = at
	}
	return true
}

// follow returns the target of a name in a directory: the name itself, if it is
// not a link or is gone: it does not exist, as nothing does in a directory that is gone.
func (k *walk) follow(at, part, next string, above bool) (target string, gone, ok bool) {
	if place, ok, special := k.process(at, part, next); special {
		return place, false, ok
	}
	link := nowhere
	if !above {
		link = k.r.link(next)
	}
	if link == "" || link == nowhere {
		return next, link == nowhere, true
	}
	if k.left--; k.left < 0 {
		return "", false, false
	}
	inner := walk{r: k.r, dir: k.dir, left: k.left}
	if link != "" && link[0] == '/' {
		at = "/"
	}
	if !inner.to(at, link, false) {
		return "", false, false
	}
	k.left = inner.left
	return inner.real, false, true
}

// process answers for names that mean something else in each process.
func (k *walk) process(at, part, next string) (place string, ok, special bool) {
	switch {
	case at == "/dev" && (part == "fd" || part == "stdin" || part == "stdout" || part == "stderr"):
		return next, true, true
	case !strings.HasPrefix(next, "/proc/"):
		return "", false, false
	case at == "/proc":
		return next, true, true // self is a link to another process than the one that will ask
	case strings.Count(at, "/") != 2:
		return "", false, false
	}
	switch part {
	case "root":
		return "/", true, true
	case "cwd":
		own := at == "/proc/self" || at == "/proc/thread-self"
		place = k.dir.Real
		if place == "" {
			place = k.dir.Abs
		}
		return place, own && place != "", true
	}
	return next, true, true
}

// Tilde is a path as tools take it, in which ~ is the home directory.
func (r *Resolver) Tilde(name string) Word {
	if home := r.World.Home(); home != "" && (name == "~" || strings.HasPrefix(name, "~/")) {
		name = home + name[1:]
	}
	if file, ok := OfAddress(name); ok {
		name = file
	}
	return Word{Text: name, Known: true}
}

// nowhere is what a name that does not exist is remembered to lead to.
const nowhere = "\x00"

// link reads a link, and remembers: "" is none. After too many looks nothing is a link
// any more.
func (r *Resolver) link(name string) string {
	if link, ok := r.links[name]; ok {
		return link
	}
	if len(r.links) >= maxStats {
		r.Full = true
		return ""
	}
	if r.links == nil {
		r.links = make(map[string]string)
	}
	link, err := r.World.Readlink(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		link = nowhere
	case err != nil:
		link = ""
	}
	r.links[name] = link
	return link
}

// IsDrive reports whether a path is one of Windows with a drive.
func IsDrive(s string) bool {
	return len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/') && (s[0]|0x20) >= 'a' && (s[0]|0x20) <= 'z'
}

// wholeDrive writes C:, C:* and C:*.* as the root of the drive, which a shell
// that takes the backslash for its own makes of C:\*.
func wholeDrive(s string) string {
	if len(s) > 1 && s[1] == ':' && (s[0]|0x20) >= 'a' && (s[0]|0x20) <= 'z' && (len(s) == 2 || s[2:] == "*" || s[2:] == "*.*") {
		return s[:2] + `\` + s[2:]
	}
	return s
}

// cleanDrive returns a path of Windows with a capital drive letter and
// backslashes.
func cleanDrive(s string) string {
	rest := path.Clean("/" + strings.ReplaceAll(s[2:], `\`, "/"))
	return strings.ToUpper(s[:1]) + ":" + strings.ReplaceAll(rest, "/", `\`)
}

// Special reports whether a place is a raw device or another special file whose
// content is not a file's.
func Special(abs string) bool {
	switch {
	case strings.HasPrefix(abs, "/dev/"):
		return !Quiet(abs) && !strings.HasPrefix(abs, "/dev/shm/") && !strings.HasPrefix(abs, "/dev/pts/") && abs != "/dev/shm"
	case strings.HasPrefix(abs, `\\.\`):
		return true
	}
	return abs == "/proc/sysrq-trigger" || abs == "/proc/kcore" || strings.HasPrefix(abs, "/sys/firmware/efi/")
}

// Quiet reports whether reading and writing a place touches no file.
func Quiet(abs string) bool {
	switch abs {
	case "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
		"/dev/stdin", "/dev/stdout", "/dev/stderr":
		return true
	}
	return strings.HasPrefix(abs, "/dev/fd/") || strings.HasPrefix(abs, "/proc/self/fd/")
}
