package paths

import (
	_ "embed"
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

var (
	knownSecrets secretList
	secretsRead  sync.Once
)

// secretLists takes the file apart when it is first asked for.
func secretLists() *secretList {
	secretsRead.Do(func() {
		public, rest, _ := strings.Cut(secrets, "\n\n")
		folders, rest, _ := strings.Cut(rest, "\n\n")
		patterns, names, _ := strings.Cut(rest, "\n\n")
		l := secretList{public: make([]pattern, 0, 24), patterns: make([]pattern, 0, 48), folders: strings.Split(folders, "\n"),
			names: names}
		for line := range strings.SplitSeq(public, "\n") {
			if strings.HasSuffix(line, "/") {
				l.publicFolders = append(l.publicFolders, "/"+line)
			} else if line[0] != '#' {
				l.public = append(l.public, patternOf(line))
			}
		}
		for line := range strings.SplitSeq(patterns, "\n") {
			l.patterns = append(l.patterns, patternOf(line))
		}
		knownSecrets = l
	})
	return &knownSecrets
}

// pattern is a pattern for names, with one star or two, or none.
type pattern struct {
	head, middle, tail string
	star               bool
	in                 string // the folders where it counts, all if there are none
}

func patternOf(line string) pattern {
	var p pattern
	p.head, p.in, _ = strings.Cut(line, "\t")
	if p.head, p.tail, p.star = strings.Cut(p.head, "*"); p.star {
		if middle, tail, two := strings.Cut(p.tail, "*"); two {
			p.middle, p.tail = middle, tail
		}
	}
	return p
}

func (p *pattern) fits(name string) bool {
	if !p.star {
		return name == p.head
	}
	rest := len(name) - len(p.head) - len(p.tail)
	return rest >= 0 && strings.HasSuffix(name, p.tail) && strings.HasPrefix(name, p.head) &&
		(p.middle == "" || strings.Contains(name[len(p.head):len(p.head)+rest], p.middle))
}

func (l *secretList) isPublic(dir, name string) bool {
	for _, folder := range l.publicFolders {
		if strings.Contains(dir, folder) {
			return true
		}
	}
	for i := range l.public {
		if l.public[i].fits(name) {
			return true
		}
	}
	return false
}

func (l *secretList) fitsPattern(dir, name string) bool {
	for i := range l.patterns {
		if p := &l.patterns[i]; p.fits(name) && inOneOf(p.in, dir) {
			return true
		}
	}
	return false
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
