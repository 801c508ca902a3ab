package paths

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel"
)

// GitData reports whether a path is, or is in, the data of a git repository:
// objects, refs, logs, the whole of .git. The index, hooks and files of an
// operation in progress do not count: they can be recreated.
func GitData(p Path) bool {
	dir, rest, found := gitDir(p.Abs)
	if !found {
		return false
	}
	if rest == "" {
		return true
	}
	if strings.HasSuffix(rest, ".lock") {
		return false // left by a git that crashed
	}
	first, _, _ := strings.Cut(rest, "/")
	switch first {
	case "objects", "refs", "logs", "packed-refs", "worktrees", "HEAD", "modules", "lfs", "shallow", "config":
		return true
	case "index", "hooks", "info", "description", "branches", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "MERGE_HEAD", "MERGE_MODE",
		"ORIG_HEAD", "FETCH_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "AUTO_MERGE", "rebase-merge", "rebase-apply", "sequencer", "gc.log",
		"gc.pid":
		return false
	}
	// An unknown name in .git itself is suspicious; in x.git it may be anything.
	return path.Base(dir) == ".git" && strings.ContainsAny(first, "*?[{")
}

// CoversGit reports whether the last part of a pattern matches .git: .git*, .g?t.
func CoversGit(p Path) bool {
	if !p.Glob {
		return false
	}
	name := path.Base(p.Abs)
	ok, err := path.Match(name, ".git")
	return ok && err == nil && strings.HasPrefix(name, ".")
}

// gitDir splits a path at its .git, or at a folder with a name like x.git.
func gitDir(abs string) (dir, rest string, found bool) {
	for at := 0; at < len(abs); {
		end := strings.IndexByte(abs[at+1:], '/')
		if end < 0 {
			end = len(abs)
		} else {
			end += at + 1
		}
		name := strings.TrimPrefix(abs[at:end], "/")
		if name == ".git" || strings.HasSuffix(name, ".git") && end < len(abs) {
			return abs[:end], strings.TrimPrefix(abs[end:], "/"), true
		}
		at = end
	}
	return "", "", false
}

// Device reports whether a path is a raw device, or another file whose writing
// acts on the machine itself.
func Device(p Path) bool {
	switch p.Abs {
	case "/proc/sysrq-trigger", "/dev/mem", "/dev/kmem", "/dev/port", "/proc/kcore":
		return true
	}
	name, ok := strings.CutPrefix(p.Abs, "/dev/")
	if !ok {
		lower := strings.ToLower(strings.ReplaceAll(p.Text, `\`, "/"))
		return strings.HasPrefix(lower, "//./physicaldrive") || strings.HasPrefix(lower, "//./harddisk") ||
			strings.HasPrefix(lower, "//./") && len(lower) == 6 && lower[5] == ':' // a volume
	}
	if strings.HasPrefix(name, "disk/") || strings.HasPrefix(name, "mapper/") && name != "mapper/control" {
		return true
	}
	if p.Glob {
		return deviceGlob(name)
	}
	return block(name)
}

// NamesDisk reports whether what only a running shell knows is a disk by the names in
// it: $DISK, /dev/$d, $(findmnt -no SOURCE /).
func NamesDisk(text string) bool {
	text = strings.ToLower(text)
	for _, name := range [...]string{"/dev/", "disk", "drive", "device", "_dev", "$dev", "${dev", "lsblk", "findmnt", "blkid", "df ",
		"partition"} {
		if strings.Contains(text, name) {
			return true
		}
	}
	return false
}

// block reports whether a name in /dev is that of a disk, a partition or memory.
func block(name string) bool {
	if strings.HasPrefix(name, "rdisk") { // the raw twin on macOS
		name = name[1:]
	}
	for _, family := range [...]string{"sd", "hd", "vd", "xvd"} {
		if rest, ok := strings.CutPrefix(name, family); ok {
			letters := strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz")
			return letters != rest && digits(letters)
		}
	}
	for _, family := range [...]string{"loop", "md", "dm-", "sr", "zd", "bcache", "drbd", "nbd", "ram", "zram", "pmem", "disk", "ada", "da",
		"nvd", "vtbd", "mmcblk", "rbd", "nvme", "dax", "vblk"} {
		rest, ok := strings.CutPrefix(name, family)
		if !ok || rest == "" || rest[0] < '0' || rest[0] > '9' {
			continue
		}
		// What follows the number are partitions and namespaces: n1, p2, s1, c0n1, .0
		for rest != "" {
			tail := strings.TrimLeft(rest, "0123456789")
			if tail == rest {
				return false
			}
			if tail == "" {
				return true
			}
			if !strings.ContainsRune("npsc.b", rune(tail[0])) {
				return false
			}
			if rest = tail[1:]; rest == "" && tail[0] != 'b' {
				return false
			}
		}
		return true
	}
	return false
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// deviceGlob reports whether a pattern could match a disk.
func deviceGlob(pattern string) bool {
	for _, name := range [...]string{"sda", "sdb", "sda1", "hda", "vda", "xvda", "nvme0", "nvme0n1", "nvme0n1p1", "loop0", "disk0", "disk1",
		"mmcblk0", "md0", "dm-0", "mem"} {
		if ok, err := path.Match(pattern, name); ok && err == nil {
			return true
		}
	}
	return false
}

// Installed is where a program is that a shell finds by its name. One that is not
// found is taken to be where people put theirs.
func Installed(w trammel.World, name string) string {
	if name == "" || strings.Contains(name, "/") {
		return name
	}
	list, _ := w.LookupEnv("PATH")
	for dir := range strings.SplitSeq(list, ":") {
		if !path.IsAbs(dir) {
			continue
		}
		if info, err := w.Lstat(path.Join(dir, name)); err == nil && !info.IsDir() {
			return path.Join(dir, name)
		}
	}
	return "/usr/local/bin/" + name
}

// Volumes is where Docker keeps the volumes that have names, each in a folder.
const Volumes = "/var/lib/docker/volumes/"
