package readonly

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
)

// onlyReads reports whether a run changes nothing but what its effects say.
// Programs that start others here count as such: what they start is a run, too.
// Those that start something elsewhere do not: nobody lists its effects.
func onlyReads(r *effects.Run) bool {
	if r.Data {
		return true
	}
	if writesByOption(r.Program) && open(r) {
		return false
	}
	switch r.Program {
	case "ls", "dir", "tree", "exa", "eza", "stat", "file", "du", "df", "find", "fd", "fdfind", "locate", "cat", "bat", "head", "tail",
		"less", "more", "tac", "nl", "wc", "grep", "egrep", "fgrep",
		"rg", "ag", "ack", "sort", "uniq", "cut", "tr", "sed", "awk", "gawk", "mawk", "jq", "yq", "xmllint", "diff", "colordiff", "delta",
		"cmp", "comm", "md5sum", "sha1sum", "sha256sum", "sha512sum",
		"shasum", "cksum", "b2sum", "od", "xxd", "hexdump", "strings", "column", "paste", "join", "fold", "fmt", "expand", "unexpand", "rev",
		"tsort", "shuf", "seq", "echo", "printf", "true", "false",
		"test", "[", "[[", "pwd", "cd", "pushd", "popd", "dirs", "basename", "dirname", "realpath", "readlink", "which", "whereis", "type",
		"hash", "cal", "uptime", "uname", "whoami", "id", "groups",
		"users", "who", "w", "last", "ps", "pgrep", "pidof", "pstree", "lsof", "free", "vmstat", "iostat", "printenv", "locale", "tty", "nproc",
		"getconf", "arch", "lscpu", "lsblk", "lsusb", "lspci",
		"netstat", "ss", "ping", "dig", "nslookup", "host", "traceroute", "whois", "man", "info", "help", "tldr", "sleep", "wait", "exit",
		"return", "break", "continue", ":", "set", "unset", "export",
		"local", "declare", "typeset", "readonly", "read", "shift", "let", "getopts", "mapfile", "readarray", "shopt", "umask", "jobs", "curl",
		"wget", "nm", "objdump", "readelf", "ldd", "otool", "size",
		"cloc", "tokei", "scc", "iconv", "base64", "base32", "zcat", "zgrep", "zless", "bzcat", "xzcat", "look", "apropos", "getent", "numfmt",
		"tput", "clear", "history", "compgen", "date", "command", "tee":
		return !(r.Program == "date" && sets(r.Args))
	case "tar", "bsdtar":
		return len(r.Args) > 0 && (has(r.Args, "--list") || lists(r.Args[0].Text))
	case "unzip", "zipinfo":
		return r.Program == "zipinfo" || has(r.Args, "-l", "-v", "-t", "-Z", "-p")
	case "crontab":
		return len(r.Args) == 1 && r.Args[0].Text == "-l"
	case "sudo", "doas", "env", "nice", "ionice", "time", "timeout", "stdbuf", "nohup", "setsid", "xargs", "parallel", "watch", "sh", "bash",
		"zsh", "dash", "ksh", "ash", "busybox", "toybox", "exec", "eval",
		"builtin", "su", "chroot", "unbuffer", "script", "strace", "ltrace":
		return true
	case "python3", "python":
		return inline(r) || len(r.Args) <= 3 && len(r.Args) > 1 && r.Args[0].Text == "-m" && r.Args[1].Text == "json.tool"
	case "python2", "node", "perl", "ruby", "php", "deno", "bun":
		return inline(r)
	case "git":
		return gitReads(r.Args)
	}
	return subcommandReads(r)
}

// writesByOption knows readers that an option makes write: find -delete, sort
// -o, git log --output.
func writesByOption(program string) bool {
	switch program {
	case "find", "fd", "fdfind", "sort", "sed", "awk", "gawk", "mawk", "yq", "xxd", "curl", "wget", "git", "date", "base64", "tree", "iconv",
		"xmllint":
		return true
	}
	return false
}

// open reports whether there may be an option among the arguments that cannot
// be seen. What follows an option is taken for its value.
func open(r *effects.Run) bool {
	if r.More {
		return true
	}
	for i, w := range r.Args {
		if !w.Known && !strings.HasPrefix(w.Text, "-") && startsUnknown(w.Text) && (i == 0 || !strings.HasPrefix(r.Args[i-1].Text, "-")) {
			return true
		}
	}
	return false
}

// startsUnknown reports whether the first letter of a word is not known.
func startsUnknown(text string) bool {
	return text == "" || text[0] == '$' || text[0] == '`' || text[0] == '"' || text[0] == '*'
}

// lists reports whether the first word of tar's arguments is to list an archive.
func lists(mode string) bool {
	return strings.ContainsRune(mode, 't') && !strings.ContainsAny(mode, "xcruA") && !strings.HasPrefix(mode, "--")
}

// sets reports whether date is to set the clock.
func sets(args []effects.Word) bool {
	for _, w := range args {
		if strings.HasPrefix(w.Text, "-s") || strings.HasPrefix(w.Text, "--set") || len(w.Text) >= 8 && strings.Trim(w.Text,
			"0123456789.") == "" {
			return true
		}
	}
	return false
}

// inline reports whether an interpreter gets its code as an argument, so that
// its effects are known, or only says what version it is.
func inline(r *effects.Run) bool {
	for _, w := range r.Args {
		switch w.Text {
		case "-c", "-e", "-E", "-p", "--eval", "--print", "-r", "-V", "--version", "-v":
			return true
		}
		if len(w.Text) > 2 && w.Text[0] == '-' && w.Text[1] != '-' && strings.ContainsAny(w.Text, "ceE") {
			return true
		}
		if !strings.HasPrefix(w.Text, "-") {
			return false
		}
	}
	return r.Input != nil
}
