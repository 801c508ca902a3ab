package programs

import "strings"

// format is mkfs in all its names: what is on the device is lost.
func format(c *call) {
	force := "f:"
	if strings.HasSuffix(c.name, "xfs") || strings.HasSuffix(c.name, "btrfs") || strings.HasSuffix(c.name, "ntfs") ||
		strings.HasSuffix(c.name, "f2fs") {
		force = "" // -f takes no value there
	}
	a, ok := c.options(options{short: force + "t:b:C:E:F:g:G:I:i:J:L:l:m:M:N:o:O:r:s:S:T:U:V:d:A:e:",
		long: "type= label= force quiet verbose uuid= sector-size= help version"})
	if !ok || a.has("n", "N") && !strings.HasSuffix(c.name, "fat") && !strings.HasSuffix(c.name, "ntfs") && dry(&a) || a.has("V") &&
		len(a.operands) == 0 {
		return
	}
	for i, w := range a.operands {
		if i > 0 && !strings.Contains(w.Text, "/") {
			continue // a number of blocks
		}
		c.raw(Write, w)
	}
}

// dry reports -n without a value: mke2fs only says what it would do.
func dry(a *arguments) bool {
	for _, g := range a.given {
		if g.name == "n" && !g.has {
			return true
		}
	}
	return false
}

// raw lists what happens to a device, or to a file that stands in for one.
func (c *call) raw(op Op, w Word) {
	if w.Text != "" {
		c.host.AddFile(File{Op: op, Path: c.place(w), Tree: true, Device: true})
	}
}

// volume lists what happens to a volume that is known by a name and no path.
func (c *call) volume(op Op, w Word) {
	if w.Known && w.Text != "" && w.Text[0] != '/' {
		p := Path{Text: w.Text, Abs: "/dev/" + w.Text, Real: "/dev/" + w.Text, Glob: w.Glob}
		c.host.AddFile(File{Op: op, Path: p, Tree: true, Device: true})
		return
	}
	c.raw(op, w)
}

// disk is what prepares, divides and erases storage.
func disk(c *call) {
	a, ok := c.options(options{long: "help version longhelp"})
	if !ok || a.has("longhelp") {
		return
	}
	first := ""
	if len(a.operands) > 0 {
		first = a.operands[0].Text
	}
	switch c.name {
	case "mke2fs", "mkswap", "mkntfs", "mkdosfs", "format":
		format(c)
	case "wipefs":
		a, _ = c.options(options{short: "o:t:O:", long: "all backup force no-act offset= types= help version"})
		if a.has("a", "o", "all", "offset") && !a.has("n", "no-act") {
			c.eachRaw(Delete, a.operands)
		}
	case "fdisk", "cfdisk", "gdisk":
		if !a.has("l", "list", "s", "V", "h") {
			c.eachRaw(Write, a.operands)
		}
	case "sfdisk":
		a, _ = c.options(options{short: "N:O:X:Y:w:W:", long: "delete? no-act list dump json verify list-free show-size show-geometry partno= " +
			"backup help version wipe= wipe-partitions= label= label-nested= force append"})
		switch {
		case a.has("n", "no-act", "l", "list", "d", "dump", "J", "json", "V", "verify", "F", "list-free", "s", "g", "h", "v"):
		case a.has("delete"):
			c.eachRaw(Delete, a.operands[:min(1, len(a.operands))])
		case len(a.operands) > 0:
			c.raw(Write, a.operands[0])
		}
	case "sgdisk":
		a, _ = c.options(options{short: "a:A:b:c:d:e:i:l:m:n:N:r:R:S:t:T:u:U:",
			long: "zap zap-all clear delete= new= pretend print info= verify backup= load-backup= help version"})
		if a.has("P", "pretend") || a.has("p", "print", "v", "verify", "i", "info", "b", "backup") && !a.has("z", "Z", "o", "d", "n", "zap",
			"zap-all", "clear", "delete", "new") {
			return
		}
		c.eachRaw(Delete, a.operands)
	case "parted":
		if len(a.operands) > 1 && !a.has("l", "list") {
			switch a.operands[1].Text {
			case "print", "p", "unit", "help", "version", "align-check":
			default:
				c.raw(Write, a.operands[0])
			}
		}
	case "blkdiscard", "nwipe", "sg_format", "scrub":
		a, _ = c.options(options{short: "o:l:p:m:", long: "offset= length= step= force secure zeroout autonuke method= help version"})
		c.eachRaw(Delete, a.operands)
	case "badblocks":
		a, _ = c.options(options{short: "b:c:d:e:g:i:o:p:t:"})
		if a.has("w") && len(a.operands) > 0 {
			c.raw(Write, a.operands[0])
		}
	case "hdparm":
		for _, w := range c.args {
			if strings.HasPrefix(w.Text, "--security-erase") || strings.HasPrefix(w.Text, "--trim-sector") ||
				strings.HasPrefix(w.Text, "--write-sector") || strings.HasPrefix(w.Text, "--make-bad") {
				c.raw(Delete, c.args[len(c.args)-1])
				return
			}
		}
	case "cryptsetup":
		if len(a.operands) > 1 {
			switch first {
			case "luksFormat", "reencrypt", "erase", "luksErase", "luksKillSlot", "luksRemoveKey", "luksHeaderRestore":
				c.raw(Delete, a.operands[1])
			}
		}
	case "nvme":
		if len(a.operands) > 1 && (first == "format" || first == "sanitize" || first == "write-zeroes" || first == "delete-ns") {
			c.raw(Delete, a.operands[1])
		}
	case "mdadm":
		a, _ = c.options(options{short: "C:A:S:", long: "zero-superblock create= stop= fail= remove= help version"})
		if a.has("zero-superblock", "stop", "create") {
			c.eachRaw(Delete, a.operands)
		}
	case "dmsetup":
		if first == "remove" || first == "remove_all" || first == "wipe_table" {
			for _, w := range a.operands[1:] {
				c.volume(Delete, w)
			}
		}
	case "losetup":
		a, _ = c.options(options{short: "o:j:"})
		if len(a.operands) > 1 {
			c.host.AddFile(File{Op: Link, Path: c.place(a.operands[1]), To: c.place(a.operands[0])})
		}
	case "diskutil":
		verb := strings.ToLower(first)
		if strings.HasPrefix(verb, "erase") || strings.HasPrefix(verb, "secureerase") || strings.HasPrefix(verb, "partition") ||
			strings.HasPrefix(verb, "reformat") || strings.HasPrefix(verb, "zero") || verb == "apfs" && len(a.operands) > 1 &&
			strings.HasPrefix(strings.ToLower(a.operands[1].Text), "delete") {
			c.volume(Delete, a.operands[len(a.operands)-1])
		}
	case "diskpart":
		c.host.AddFile(File{Op: Write, Path: Path{Text: "diskpart"}, Device: true})
	case "lvm":
		for i, w := range c.args {
			if w.Text == "lvremove" || w.Text == "vgremove" || w.Text == "pvremove" || w.Text == "pvcreate" || w.Text == "lvreduce" {
				c.name = w.Text
				c.args = append(append([]Word(nil), c.args[:i]...), c.args[i+1:]...)
				volumes(c)
				return
			}
		}
	case "lvremove", "vgremove", "pvremove", "pvcreate", "lvreduce":
		volumes(c)
	case "zpool", "zfs":
		if len(a.operands) > 1 && (first == "destroy" || first == "labelclear" || first == "rollback") && !a.has("n") {
			for _, w := range a.operands[1:] {
				c.volume(Delete, w)
			}
		}
	case "btrfs":
		if len(a.operands) > 2 && strings.HasPrefix("subvolume", first) && strings.HasPrefix("delete", a.operands[1].Text) {
			c.remove(true, a.operands[2:]...)
		}
	}
}

func (c *call) eachRaw(op Op, words []Word) {
	for _, w := range words {
		c.raw(op, w)
	}
}

// volumes is lvremove and the like.
func volumes(c *call) {
	a, ok := c.options(options{short: "S:A:L:l:", long: "test help longhelp version reportformat= select= config= commandprofile= profile= " +
		"autobackup= devicesfile= devices= journal= lockopt= size= extents= force yes noudevsync nohistory nolocking verbose quiet debug " +
		"driverloaded= nohints"})
	if !ok || a.has("t", "h", "test", "longhelp") {
		return
	}
	for _, w := range a.operands {
		c.volume(Delete, w)
	}
}
