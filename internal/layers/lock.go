package layers

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// LockName is the file next to FileName that locks the bundles that its files
// extend. It is trusted like any other file of its directory.
const LockName = "trammel.lock"

// Vendor is the directory beside LockName that may hold the bundles themselves.
var Vendor = filepath.Join(".trammel", "bundles")

// lockFormat is the first line of a lock file.
const lockFormat = "trammel-lock 1"

// Locked is a bundle as a lock file has it.
type Locked struct {
	Sum     string `json:"sum"`              // h1:…, of all its files but the signature
	Name    string `json:"name"`             // as it calls itself
	Version string `json:"version"`          // the same
	Rev     string `json:"rev,omitempty"`    // the commit, for a git repository
	Signer  string `json:"signer,omitempty"` // whose signature was found
	From    string `json:"from"`             // where it was found, as its extending file says it
}

// Bundle is the stored form of a bundle, as bytes. The compiler checks its
// content.
type Bundle struct {
	Path string
	Data []byte // nil if it is missing
}

// IsLock reports whether the file is a lock file, and declares nothing.
func (f *File) IsLock() bool { return filepath.Base(f.Path) == LockName }

// FormatLock writes a lock file. A line is a bundle; a dash means an empty
// field.
func FormatLock(list []Locked) []byte {
	var b strings.Builder
	fmt.Fprintln(&b, lockFormat)
	dash := func(s string) string {
		if s == "" {
			return "-"
		}
		return s
	}
	for _, l := range list {
		fmt.Fprintln(&b, "bundle", l.Sum, l.Name, dash(l.Version), dash(l.Rev), dash(l.Signer), strconv.Quote(l.From))
	}
	fmt.Fprintln(&b, "end")
	return []byte(b.String())
}

// ParseLock reads a lock file. A truncated one is an error: its locks must not
// get lost.
func ParseLock(data []byte) ([]Locked, error) {
	list, err := parseLock(data)
	if err != nil {
		err = fmt.Errorf("%w; rewrite it with: trammel bundle lock", err)
	}
	return list, err
}

func parseLock(data []byte) ([]Locked, error) {
	text := strings.ReplaceAll(string(data), "\r\n", "\n") // as git may check it out
	lines := strings.Split(text, "\n")
	if lines[0] != lockFormat {
		return nil, fmt.Errorf("line 1: found %q, expected %q", cut(lines[0]), lockFormat)
	}
	var list []Locked
	for i, line := range lines[1:] {
		if line == "end" {
			if rest := strings.Join(lines[i+2:], "\n"); rest != "" {
				return nil, fmt.Errorf("line %d: found %q after the end", i+3, cut(rest))
			}
			return list, nil
		}
		l, ok := parseLocked(line)
		if !ok {
			return nil, fmt.Errorf("line %d: found %q, expected a bundle or end", i+2, cut(line))
		}
		if slices.ContainsFunc(list, func(o Locked) bool { return o.From == l.From && o.Rev == l.Rev && o != l }) {
			return nil, fmt.Errorf("line %d: the bundle from %q was locked as something else before", i+2, cut(l.From))
		}
		list = append(list, l)
	}
	return nil, fmt.Errorf("line %d: the file is cut off, expected a last line %q", len(lines), "end")
}

func parseLocked(line string) (l Locked, ok bool) {
	parts := strings.SplitN(line, " ", 7)
	if len(parts) != 7 || parts[0] != "bundle" || !isSum(parts[1]) {
		return l, false
	}
	l.Sum = parts[1]
	for i, to := range []*string{&l.Name, &l.Version, &l.Rev, &l.Signer} {
		switch part := parts[i+2]; part {
		case "":
			return l, false
		case "-":
		default:
			*to = part
		}
	}
	var err error
	l.From, err = strconv.Unquote(parts[6])
	return l, err == nil && l.From != ""
}

func cut(text string) string { return text[:min(len(text), 80)] }

// isSum reports whether s is h1: and the base64 form of 32 bytes, and so can
// safely name a file.
func isSum(s string) bool {
	digits, ok := strings.CutPrefix(s, "h1:")
	if !ok || len(digits) != 44 || digits[43] != '=' {
		return false
	}
	return !strings.ContainsFunc(digits[:43], func(r rune) bool {
		return (r < '0' || '9' < r) && (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r) && r != '+' && r != '/'
	})
}

// BundleFile is the name of a bundle's stored form.
func BundleFile(sum string) string {
	return strings.NewReplacer(":", "-", "+", "-", "/", "_", "=", "").Replace(sum) + ".bundle"
}

// BundlesIn is where the bundles are stored on this machine.
func BundlesIn(d Dirs) string {
	if d.Bundles != "" || d.State == "" {
		return d.Bundles
	}
	return filepath.Join(d.State, "bundles")
}

// TrustedLock is what the lock of a directory says that a person has trusted.
func TrustedLock(d Dirs, dir string) ([]Locked, error) {
	rec, err := readRecord(d, dir)
	if err != nil {
		return nil, err
	}
	file, there := rec.find(below(dir, LockName))
	if !there {
		return nil, nil
	}
	data, err := rec.copyOf(d, dir, file)
	if err != nil {
		return nil, err
	}
	return ParseLock(data)
}

// lock reads the lock file of a directory whose files extend something, and of
// one where a lock was trusted.
func (f *finder) lock(dir string, among []File, rec *Record, guard bool) ([]byte, string, error) {
	path := below(dir, LockName)
	_, wanted := rec.find(path)
	if !wanted && (len(among) == 0 || !exists(path)) {
		return nil, "", nil
	}
	for i := range among {
		wanted = wanted || bytes.Contains(among[i].Data, []byte("extends"))
	}
	if !wanted {
		return nil, "", nil
	}
	data, info, err := f.read(path, guard)
	if err != nil || info == nil {
		return nil, "", err
	}
	return data, path, nil
}

// bundles reads what the lock files name, so that a plan is for exactly these
// bytes. A missing one is recorded as missing.
func (f *finder) bundles() error {
	for i := range f.set.Files {
		file := &f.set.Files[i]
		if !file.IsLock() {
			continue
		}
		list, err := ParseLock(file.Data)
		if err != nil {
			return fmt.Errorf("%s: %w", file.Path, err)
		}
		for _, l := range list {
			if _, done := f.set.Bundles[l.Sum]; done {
				continue
			}
			b, err := f.bundle(file.Dir, l.Sum)
			if err != nil {
				return err
			}
			if f.set.Bundles == nil {
				f.set.Bundles = map[string]Bundle{}
			}
			f.set.Bundles[l.Sum] = b
		}
	}
	return nil
}

// bundle reads the copy in the project if there is one, else the one that this
// machine keeps.
func (f *finder) bundle(dir, sum string) (Bundle, error) {
	name := BundleFile(sum)
	b := Bundle{Path: filepath.Join(dir, Vendor, name)}
	data, info, err := f.readBundle(b.Path)
	if kept := BundlesIn(f.dirs); err == nil && info == nil && kept != "" {
		b.Path = filepath.Join(kept, name)
		data, info, err = f.readBundle(b.Path)
	}
	if err == nil && info != nil {
		b.Data = data
	}
	return b, err
}

// MaxBundle is the maximum size of a bundle's stored form.
const MaxBundle = 4 << 20

func (f *finder) readBundle(path string) ([]byte, os.FileInfo, error) {
	data, info, err := read(path, MaxBundle, false)
	if err == nil {
		err = f.count(path, data)
	}
	return data, info, err
}

// FilesIn reads the files of our own format in a directory, whoever trusts them.
func FilesIn(dir string) ([]File, error) {
	more, err := dropIns(filepath.Join(dir, DropIn))
	if err != nil {
		return nil, err
	}
	var out []File
	for _, path := range append([]string{filepath.Join(dir, FileName)}, more...) {
		data, info, err := read(path, MaxFile, false)
		if err != nil {
			return nil, err
		}
		if info != nil {
			out = append(out, File{Path: path, Dir: dir, Data: data})
		}
	}
	return out, nil
}
