package programs

import "strings"

// mode is what changes permissions, owners and attributes.
func mode(c *call) {
	reference := "changes silent quiet verbose no-preserve-root preserve-root reference= recursive dereference no-dereference from= help " +
		"version"
	var o options
	first := 1 // operands before the files
	switch c.name {
	case "chmod", "gchmod":
		o = options{long: reference}
		c.args = signedModes(c.args)
	case "chcon":
		o = options{short: "u:r:t:l:", long: reference + " user= role= type= range="}
	case "setfacl":
		o = options{short: "m:x:M:X:", long: "modify= remove= modify-file= remove-file= set= set-file= restore= recursive remove-all " +
			"remove-default default test help version"}
		first = 0
	case "chattr":
		o = options{short: "v:p:"}
		c.args = signedModes(c.args)
	case "setfattr":
		o = options{short: "n:v:x:", long: "name= value= remove= restore= no-dereference help version"}
		first = 0
	case "xattr":
		a := (&options{}).read(c.args)
		switch {
		case a.has("w"):
			first = 2
		case a.has("c"):
			first = 0
		case !a.has("d"):
			c.read(a.operands...)
			return
		}
	case "icacls", "takeown":
		c.args = slashOptions(c.args)
		first = 0
	case "setcap":
		o = options{short: "n:"}
	default:
		o = options{long: reference}
	}
	a, ok := c.options(o)
	if !ok {
		return
	}
	if c.name == "setcap" && a.has("r") || a.has("reference") {
		first = 0
	}
	if c.name == "setfacl" && a.has("test") {
		return
	}
	a.values(func(w Word) { c.read(w) }, "reference", "M", "X", "modify-file", "remove-file", "set-file")
	files := a.operands[min(first, len(a.operands)):]
	if c.name == "icacls" && len(files) > 1 {
		files = files[:1]
	}
	a.values(func(w Word) { files = append(files, w) }, "f")
	for _, w := range files {
		c.add(File{Op: Mode, Tree: a.has("R", "recursive", "t", "r")}, w)
	}
}

// signedModes keeps chmod -x f and chattr -i f from being read as options.
func signedModes(args []Word) []Word {
	for i, w := range args {
		if w.Text == "--" {
			break
		}
		if w.Known && len(w.Text) > 1 && w.Text[0] == '-' && strings.Trim(w.Text[1:], "rwxXstugoaAcdDeijPSTCFmN,=+") == "" && w.Text[1] != '-' {
			out := append([]Word(nil), args...)
			out[i].Text = "=" + w.Text
			return out
		}
	}
	return args
}

// mount puts one tree over another.
func mount(c *call) {
	a, ok := c.options(options{short: "o:t:L:U:O:N:", long: "options= types= source= target= label= uuid= bind rbind move all fake verbose " +
		"read-only help version"})
	if !ok || len(a.operands) == 0 || a.has("f", "fake") && c.name == "mount" {
		return
	}
	if c.name == "umount" {
		for _, w := range a.operands {
			c.add(File{Op: Mode, Tree: true}, w)
		}
		return
	}
	at := a.operands[len(a.operands)-1]
	how, _ := a.value("o", "options")
	binds := a.has("bind", "rbind", "B", "R", "move", "M") || strings.Contains(how.Text, "bind")
	switch {
	case strings.Contains(how.Text, "remount"):
		c.add(File{Op: Mode, Tree: true}, at)
	case binds && len(a.operands) > 1:
		c.host.AddFile(File{Op: Link, Path: c.place(a.operands[0]), To: c.place(at), Tree: true})
		c.add(File{Op: Write, Tree: true}, at)
	default:
		c.add(File{Op: Write, Tree: true}, at) // what was there is hidden
	}
}

// schedule is crontab and at.
func schedule(c *call) {
	a, ok := c.options(options{short: "u:f:q:t:c:", long: "help version"})
	if !ok {
		return
	}
	if c.name != "crontab" {
		if a.has("l", "d", "r", "c") {
			return
		}
		a.values(func(w Word) { c.read(w) }, "f")
		if in := c.host.Input(); in.Known {
			c.host.Script(in.Text)
		}
		c.add(File{Op: Write, Append: true}, word("/var/spool/cron/atjobs"))
		return
	}
	user := c.host.User()
	if w, ok := a.value("u"); ok {
		user = w.Text
	}
	table := word("/var/spool/cron/crontabs/" + strings.ReplaceAll(user, "/", "_"))
	switch {
	case a.has("r"):
		c.add(File{Op: Delete}, table)
	case a.has("l") || len(a.operands) == 0 && !a.has("e") && !c.host.Fed():
	default:
		c.read(a.operands...)
		c.add(File{Op: Write}, table)
	}
}
