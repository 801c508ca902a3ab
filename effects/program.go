package effects

import (
	"path"
	"slices"
	"strings"
)

// program lists what a run does with its arguments. A program that is not
// known here adds nothing: that it runs is in the set already.
func (d *deriver) program(run int, st *state) {
	r := &d.set.Runs[run]
	c := call{d: d, run: run, st: st, name: r.Program, args: r.Args, dir: r.Dir}
	if !c.installed(r.Path) {
		return
	}
	switch act := actOf(c.name); {
	case act != nil:
		act(&c)
	case strings.HasPrefix(c.name, "mkfs") || strings.HasPrefix(c.name, "newfs"):
		format(&c)
	default:
		if name := unversioned(c.name); name != c.name {
			if act := actOf(name); act != nil {
				c.name = name
				act(&c)
				return
			}
		}
		readFiles(&c)
	}
}

// installed reports whether a program that is called by its path is where
// programs are: a file of the same name anywhere else is something else, unless
// it is a link to one or this line has put it there.
func (c *call) installed(written string) bool {
	if strings.IndexByte(written, '/') < 0 || isDrive(written) {
		return true
	}
	p := c.d.resolve(word(written), c.dir)
	if name, ok := c.d.copies[p.Abs]; ok {
		c.name = name
		c.d.set.Runs[c.run].Program = name
		return true
	}
	if !p.Known() || programDir(p.Abs) || len(c.d.holds(p)) > 0 {
		return true
	}
	if programDir(p.Real) && p.Real != p.Abs {
		c.name = strings.ToLower(path.Base(p.Real))
		return true
	}
	return false
}

// programDir reports whether a file is in a directory for programs.
func programDir(abs string) bool {
	switch dir := path.Base(path.Dir(abs)); dir {
	case "bin", "sbin", ".bin", "libexec", "shims", "scripts", "applets":
		return true
	}
	return strings.HasPrefix(abs, "/nix/store/") || strings.HasPrefix(abs, "/usr/") || strings.HasPrefix(abs, "/opt/") ||
		strings.HasPrefix(abs, "/bin/") || strings.Contains(abs, "/Cellar/")
}

// actOf finds what a program does, nil if it only reads or is not known.
func actOf(name string) func(*call) {
	switch name {
	case "rm", "rmdir", "unlink", "shred", "srm", "trash", "trash-put", "rimraf", "del", "wipe", "rd", "erase", "trash-rm", "remove-item",
		"ri":
		return remove
	case "gio":
		return gio
	case "find", "gfind":
		return find
	case "fd", "fdfind":
		return fd
	case "cp", "mv", "install", "ginstall", "gcp", "gmv", "copy", "move", "xcopy", "ren", "rename-item", "move-item", "copy-item":
		return transfer
	case "ln", "link", "gln", "mklink", "symlink":
		return link
	case "rename", "prename", "file-rename":
		return rename
	case "rsync", "scp", "sftp":
		return remoteCopy
	case "dd", "dcfldd", "dc3dd", "ddrescue":
		return dd
	case "tee", "sponge", "gtee":
		return tee
	case "touch", "mkdir", "mkfifo", "mknod", "truncate", "fallocate", "md", "gtouch", "gmkdir":
		return create
	case "split", "csplit":
		return split
	case "chmod", "chown", "chgrp", "chattr", "setfacl", "chflags", "setcap", "xattr", "chcon", "gchmod", "gchown", "icacls", "takeown",
		"lchown", "setfattr":
		return mode
	case "sed", "gsed":
		return sed
	case "awk", "gawk", "mawk", "nawk", "igawk", "goawk", "original-awk":
		return awk
	case "ed", "red", "ex", "vi", "vim", "nvim", "view", "vimdiff", "rvim", "gvim":
		return editor
	case "emacs":
		return emacs
	case "patch", "gpatch":
		return patch
	case "apply_patch", "applypatch":
		return applyPatch
	case "sort", "gsort", "uniq", "xxd", "yq", "jq", "gojq", "openssl", "gpg", "gpg2", "base64", "iconv", "tac", "fmt", "gofmt", "prettier",
		"dos2unix", "unix2dos", "age", "pandoc", "convert", "magick", "ffmpeg", "look", "crudini", "clang-format", "black", "ruff", "biome",
		"rustfmt", "shfmt", "sd", "goimports":
		return filter
	case "tar", "gtar", "bsdtar":
		return tar
	case "zip", "unzip", "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd", "lz4", "lzma", "compress", "uncompress",
		"pigz", "pbzip2", "7z", "7za", "7zr", "7zz", "cpio", "jar", "ar", "unrar", "bsdunzip":
		return archive
	case "git":
		return git
	case "curl", "wget", "wget2", "http", "https", "xh", "aria2c", "lynx", "w3m", "links", "fetch", "axel", "curlie":
		return fetch
	case "nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "socat", "telnet", "openbsd-nc":
		return netcat
	case "ssh", "mosh", "autossh", "ftp", "lftp", "tftp":
		return remoteShell
	case "aws", "gsutil", "gcloud", "az", "rclone", "s3cmd", "s5cmd", "azcopy", "mc":
		return cloudCopy
	case "mke2fs", "mkswap", "mkntfs", "mkdosfs", "wipefs", "fdisk", "cfdisk", "sfdisk", "gdisk", "sgdisk", "parted", "blkdiscard",
		"badblocks", "hdparm",
		"cryptsetup", "nvme", "mdadm", "dmsetup", "diskutil", "lvremove", "vgremove", "pvremove", "lvm", "zpool", "zfs", "btrfs", "format",
		"diskpart", "pvcreate", "lvreduce", "partclone.restore", "scrub", "nwipe", "sg_format", "losetup":
		return disk
	case "mount", "umount":
		return mount
	case "crontab", "at", "batch":
		return schedule
	case "make", "gmake":
		return makefile
	case "man", "gdb", "lldb":
		return pager
	case "python", "python2", "python3", "pypy", "pypy3", "ipython", "node", "nodejs", "deno", "bun", "tsx", "ts-node", "perl", "ruby",
		"jruby", "php", "osascript", "lua", "luajit", "rscript", "r", "julia", "tclsh", "expect", "wish", "groovy", "scala", "elixir", "erl",
		"swift", "guile", "racket", "sbcl", "clojure", "bb", "jshell", "kotlin", "nu", "qjs", "d8", "gst", "octave", "crystal", "raku", "uv",
		"py", "micropython", "fish", "xonsh", "elvish", "php-cgi", "jsc", "coffee", "esbuild-runner":
		return interpret
	case "psql", "mysql", "mariadb", "sqlite3", "sqlite", "mongosh", "mongo", "clickhouse-client", "clickhouse", "sqlcmd", "duckdb",
		"cockroach", "redis-cli", "valkey-cli", "keydb-cli", "usql", "mycli", "pgcli":
		return database
	}
	return nil
}

// unversioned drops a version from a program's name: python3.12 is python,
// perl5.36 is perl, node18 is node.
func unversioned(name string) string { return strings.TrimRight(name, "0123456789.-") }

// call is one run, as the programs look at it.
type call struct {
	d    *deriver
	run  int
	st   *state
	name string
	args []Word
	dir  Path
}

// options reads the arguments. It reports false if the program would only
// print its help or version, or complain.
func (c *call) options(o options) (arguments, bool) {
	a := o.read(c.args)
	if c.d.set.Runs[c.run].More && !o.dash && !slices.ContainsFunc(a.operands, func(w Word) bool { return !w.Known }) {
		a.operands = append(a.operands, Word{Text: "…"}) // whatever else it is given
	}
	return a, !a.refused && !a.has("help", "version")
}

// place resolves a word.
func (c *call) place(w Word) Path { return c.d.resolve(w, c.dir) }

// add lists what happens to the file that a word names.
func (c *call) add(f File, w Word) Path {
	if w.Known && w.Text == "" {
		return Path{}
	}
	f.Path = c.place(w)
	c.list(f)
	return f.Path
}

func (c *call) list(f File) {
	if (f.Op == Read || f.Op == Write || f.Op == Search) && quiet(f.Path.Abs) {
		return
	}
	f.Run = c.run
	f.Device = f.Device || device(f.Path.Abs)
	c.d.set.Files = append(c.d.set.Files, f)
	if !f.Path.Known() {
		c.d.doubt("path", f.Path.Text, c.run)
	}
}

// read, write and remove list the most common things. A single - is standard
// input or output.
func (c *call) read(words ...Word) {
	for _, w := range words {
		if w.Text != "-" {
			c.add(File{Op: Read}, w)
		}
	}
}

func (c *call) write(words ...Word) {
	for _, w := range words {
		if w.Text != "-" {
			c.d.wrote(c.add(File{Op: Write}, w), stream{run: c.run}, c.st)
		}
	}
}

func (c *call) remove(tree bool, words ...Word) {
	for _, w := range words {
		c.add(File{Op: Delete, Tree: tree}, w)
	}
}

// copied notes that a file now holds what another one held.
func (c *call) copied(from, to Path) {
	if programDir(from.Abs) && to.Known() {
		if c.d.copies == nil {
			c.d.copies = map[string]string{}
		}
		c.d.copies[to.Abs] = strings.ToLower(path.Base(from.Abs))
	}
	held := c.d.holds(from)
	switch from.Text {
	case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-":
		held = []stream{c.input()}
	}
	if len(held) == 0 {
		held = []stream{{run: c.run}}
	}
	for _, s := range held {
		c.d.wrote(to, s, c.st)
	}
}

// isDir reports whether a place is known to be a directory.
func (c *call) isDir(p Path) bool {
	if p.Real == "" || c.d.world == nil || c.d.world.Lstat == nil {
		return p.Real == "/"
	}
	info, err := c.d.world.Lstat(p.Real)
	return err == nil && info.IsDir()
}

// into returns where source ends up in the directory dir.
func into(dir, source Word) Word {
	base := path.Base(source.Text)
	if base == "." || base == ".." || base == "/" {
		base = "."
	}
	if !source.Known {
		base = "*" // whatever it is called
	}
	return Word{Text: dir.Text + "/" + base, Known: dir.Known, Glob: dir.Glob || source.Glob || !source.Known}
}

// word is a word that is known.
func word(text string) Word { return Word{Text: text, Known: true} }

// pattern is a word with a pattern in it.
func pattern(text string) Word { return Word{Text: text, Known: true, Glob: true} }
