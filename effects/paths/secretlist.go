package paths

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// secrets lists the files that hold credentials. Its head explains the format.
//
//go:embed secrets.txt
var secrets string

// secretList is secrets.txt, taken apart.
type secretList struct {
	public, patterns       []pattern
	publicFolders, folders []string
	names                  string // sorted lines
}

// knownSecrets has space for the list, so that a process that asks only once need
// not allocate.
var knownSecrets struct {
	sync.Once
	secretList
	patterns [140]pattern
	folders  [80]string
}

// secretLists takes the file apart when it is first asked for.
func secretLists() *secretList {
	knownSecrets.Do(func() {
		k, l := &knownSecrets, &knownSecrets.secretList
		l.public, l.patterns = k.patterns[:0:30], k.patterns[30:30]
		l.publicFolders, l.folders = k.folders[:0:8], k.folders[8:8]
		l.names = secrets
		for part := 0; part < 3; {
			var line string
			line, l.names, _ = strings.Cut(l.names, "\n")
			switch {
			case line == "":
				part++
			case line[0] == '#':
			case part == 1:
				l.folders = append(l.folders, line)
			case part == 2:
				l.patterns = append(l.patterns, patternOf(line))
			case line[len(line)-1] == '/':
				l.publicFolders = append(l.publicFolders, line)
			default:
				l.public = append(l.public, patternOf(line))
			}
		}
	})
	return &knownSecrets.secretList
}

// pattern is a pattern for names, with one star or two, or none.
type pattern struct {
	head, middle, tail string
	star               bool
	in                 string // the folders where it counts, all if there are none
	first, last        byte   // of the names that fit, 0 if they may have any
}

func patternOf(line string) (p pattern) {
	p.head, p.in, _ = strings.Cut(line, "\t")
	if p.head, p.tail, p.star = strings.Cut(p.head, "*"); p.star {
		if i := strings.IndexByte(p.tail, '*'); i >= 0 {
			p.middle, p.tail = p.tail[:i], p.tail[i+1:]
		}
	}
	if p.head != "" {
		p.first = p.head[0]
	}
	switch {
	case p.tail != "":
		p.last = p.tail[len(p.tail)-1]
	case !p.star && p.head != "":
		p.last = p.head[len(p.head)-1]
	}
	return p
}

// fits is for many patterns, of which few even begin and end as a name does.
func (p *pattern) fits(name string) bool {
	n := len(name) - 1
	return (n < 0 || (p.first == 0 || p.first == name[0]) && (p.last == 0 || p.last == name[n])) && p.matches(name)
}

func (p *pattern) matches(name string) bool {
	if !p.star {
		return name == p.head
	}
	rest := len(name) - len(p.head) - len(p.tail)
	return rest >= 0 && strings.HasSuffix(name, p.tail) && strings.HasPrefix(name, p.head) &&
		(p.middle == "" || strings.Contains(name[len(p.head):len(p.head)+rest], p.middle))
}

func (l *secretList) isPublic(dir, name string) bool {
	for i := range l.public {
		if l.public[i].fits(name) {
			return true
		}
	}
	return inFolder(l.publicFolders, dir)
}

func (l *secretList) fitsPattern(dir, name string, homes []string) bool {
	for i := range l.patterns {
		if p := &l.patterns[i]; p.fits(name) && inOneOf(p.in, dir) && !p.searched(dir, name, homes) {
			return true
		}
	}
	return false
}

// searched reports whether a search below a directory should ignore the pattern: it
// matches only an extension or a name with one, and nothing suggests that a
// directory with such secrets is below.
func (p *pattern) searched(dir, name string, homes []string) bool {
	base, search := strings.CutSuffix(dir, "**/")
	if !search || p.in == "" || name[0] != '*' && (p.head != "" || p.tail[0] != '.') {
		return false
	}
	if name[0] == '*' {
		return !inOneOf(p.in, base)
	}
	return !strings.Contains(base, "/.") && !slices.ContainsFunc(append(strings.Fields(p.in), homes...), func(folder string) bool {
		return strings.HasPrefix(strings.ToLower(folder)+"/", base)
	})
}

func (l *secretList) fitsName(dir, name string) bool {
	in, ok := l.named(name)
	return ok && inOneOf(in, dir)
}

// named finds a name, and the folders where it counts.
func (l *secretList) named(name string) (in string, ok bool) {
	for low, high := 0, len(l.names); low < high; {
		at := strings.LastIndexByte(l.names[:(low+high)/2], '\n') + 1
		line, _, _ := strings.Cut(l.names[at:], "\n")
		switch this, in, _ := strings.Cut(line, "\t"); {
		case this == name:
			return in, true
		case this < name:
			low = at + len(line) + 1
		default:
			high = at
		}
	}
	return "", false
}

// inFolder reports whether a directory is one of the folders or below it: those
// that begin with / are the machine's, others are anywhere.
func inFolder(folders []string, dir string) bool {
	for at := range len(dir) {
		if at > 0 && dir[at-1] != '/' {
			continue
		}
		for _, f := range folders {
			if f[0] == dir[at] && (f[0] == '/') == (at == 0) && strings.HasPrefix(dir[at:], f) {
				return true
			}
		}
	}
	return false
}
