package shellguard

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
)

// private reports whether a file is confidential although it is not a secret: what
// people have in their home directories, and what the machine knows about its
// users.
func (j *judge) private(f *effects.File) bool {
	abs := f.Path.Abs
	if abs == "" || paths.Within(abs, j.ground.Project) || j.ground.Scratch(f.Path) {
		return false
	}
	switch abs {
	case "/etc", "/etc/passwd", "/etc/group", "/etc/hosts", "/etc/fstab", "/etc/sudoers", "/etc/crontab", "/var/log", "/var/mail":
		return true
	}
	if f.Tree && j.ground.HomeOf(f.Path) >= paths.All {
		return true
	}
	if !j.ground.InHome(abs) && (strings.HasPrefix(abs, "/home/") || strings.HasPrefix(abs, "/Users/")) {
		return true // somebody else's
	}
	for _, home := range j.ground.Homes() {
		below, ok := strings.CutPrefix(abs, home+"/")
		if !ok {
			continue
		}
		switch first, _, _ := strings.Cut(below, "/"); first {
		case "Documents", "Desktop", "Pictures", "Photos", "Movies", "Videos", "Music", "Mail", "Maildir", "Library", ".mozilla",
			".thunderbird", ".config":
			return !paths.Refilled(abs)
		}
	}
	return false
}

// holdsPrivate reports whether this line has put something private into a file or
// folder.
func (j *judge) holdsPrivate(abs string) bool {
	for i := range j.set.Files {
		if w := &j.set.Files[i]; w.Op == effects.Write && w.Run >= 0 && abs != "" && w.Path.Abs == abs {
			for k := range j.set.Files {
				if r := &j.set.Files[k]; r.Op == effects.Read && r.Run == w.Run && j.private(r) {
					return true
				}
			}
		}
	}
	return false
}

// spells judges a DNS lookup of a name that contains a program's output, which the
// name server learns. A real name is never encoded.
func (j *judge) spells(n *model.Net) {
	r := &j.set.Runs[n.Run]
	switch r.Program {
	case "dig", "host", "nslookup", "ping", "ping6", "drill", "kdig", "resolve-dnsname", "getent", "resolvectl", "dscacheutil":
	default:
		return
	}
	for _, a := range r.Args {
		for run := a.Uses.From; run < a.Uses.To; run++ {
			switch j.set.Runs[run].Program {
			case "base64", "base32", "xxd", "od", "hexdump", "basenc", "openssl":
				j.add("exfiltration", j.line(run)+" → "+a.Text)
			case "cat", "head", "sed", "whoami", "id", "hostname", "uname", "ifconfig", "ip", "pwd":
				if !a.Known && !strings.HasSuffix(strings.Trim(a.Text, `"`), ")") && !strings.HasSuffix(a.Text, "`") { // it is not the name itself
					j.add("sends_private", j.line(run)+" → "+a.Text)
				}
			}
		}
	}
}
