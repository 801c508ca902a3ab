package programs

import (
	"path"
	"slices"
	"strings"
)

// Do lists what a run of a program does with its arguments: files, hosts, code
// and what it starts. A program that is not known adds nothing.
func Do(name string, host Host) {
	r := host.Run()
	c := call{host: host, name: name, args: r.Args, dir: r.Dir}
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
	host Host
	name string
	args []Word
	dir  Path
}

// options reads the arguments. It reports false if the program would only
// print its help or version, or complain.
func (c *call) options(o options) (arguments, bool) {
	a := o.read(c.args)
	if c.host.Run().More && !o.dash && !slices.ContainsFunc(a.operands, func(w Word) bool { return !w.Known }) {
		a.operands = append(a.operands, Word{Text: "…"}) // whatever else it is given
	}
	return a, !a.refused && !a.has("help", "version")
}

// place resolves a word.
func (c *call) place(w Word) Path { return c.host.Resolve(w, c.dir) }

// add lists what happens to the file that a word names.
func (c *call) add(f File, w Word) Path {
	if w.Known && w.Text == "" {
		return Path{}
	}
	f.Path = c.place(w)
	c.host.AddFile(f)
	return f.Path
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
			c.host.Wrote(c.add(File{Op: Write}, w), Own)
		}
	}
}

func (c *call) remove(tree bool, words ...Word) {
	for _, w := range words {
		c.add(File{Op: Delete, Tree: tree}, w)
	}
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
