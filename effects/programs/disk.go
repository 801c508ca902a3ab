package programs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// format is mkfs in all its names: what is on the device is lost.
func format(c *call) {
	a, ok := c.options()
	if n, given := a.Value("n"); !ok || given && n.Text == "" || a.Has("V") && len(a.Operands) == 0 {
		return
	}
	for i, w := range a.Operands {
		if i > 0 && !strings.Contains(w.Text, "/") {
			continue // a number of blocks
		}
		c.raw(Write, w)
	}
}

// raw lists what happens to a device, or to a file that stands in for one.
func (c *call) raw(op model.Op, w Word) {
	if w.Text != "" {
		c.host.AddFile(File{Op: op, Path: c.place(w), Tree: true, Device: true})
	}
}

// volume lists what happens to a volume that is known by a name and no path.
func (c *call) volume(op model.Op, w Word) {
	if w.Known && w.Text != "" && w.Text[0] != '/' {
		p := Path{Text: w.Text, Abs: "/dev/" + w.Text, Real: "/dev/" + w.Text, Glob: w.Glob}
		c.host.AddFile(File{Op: op, Path: p, Tree: true, Device: true})
		return
	}
	c.raw(op, w)
}

// parted changes a disk, unless it is only asked about it.
func parted(c *call) {
	a, ok := c.options()
	if !ok || len(a.Operands) < 2 || a.Has("list") {
		return
	}
	switch a.Word(1) {
	case "print", "p", "unit", "help", "version", "align-check":
	default:
		c.raw(Write, a.Operands[0])
	}
}

// losetup makes a file look like a device.
func losetup(c *call) {
	if a, ok := c.options(); ok && len(a.Operands) > 1 {
		c.host.AddFile(File{Op: Link, Path: c.place(a.Operands[1]), To: c.place(a.Operands[0])})
	}
}

// diskutil is the disk tool of macOS.
func diskutil(c *call) {
	a, ok := c.options()
	verb := strings.ToLower(a.Word(0))
	switch {
	case !ok:
	case strings.HasPrefix(verb, "erase"), strings.HasPrefix(verb, "secureerase"), strings.HasPrefix(verb, "partition"),
		strings.HasPrefix(verb, "reformat"), strings.HasPrefix(verb, "zero"),
		verb == "apfs" && strings.HasPrefix(strings.ToLower(a.Word(1)), "delete"):
		c.volume(Delete, a.Operands[len(a.Operands)-1])
	}
}

// diskpart is the disk tool of Windows, which reads what it does.
func diskpart(c *call) { c.host.AddFile(File{Op: Write, Path: Path{Text: "diskpart"}, Device: true}) }

// mount puts one tree over another.
func mount(c *call) {
	a, ok := c.options()
	if !ok || len(a.Operands) == 0 || a.Has("fake") {
		return
	}
	at := a.Operands[len(a.Operands)-1]
	if from := a.Operands[0]; strings.HasPrefix(from.Text, "//") || strings.Contains(from.Text, ":/") { // //host/share, host:/path
		c.reach(from, false)
	}
	how, _ := a.Value("options")
	switch {
	case strings.Contains(how.Text, "remount"):
		c.add(File{Op: Mode, Tree: true}, at)
	case (a.Has("bind", "rbind", "move") || strings.Contains(how.Text, "bind")) && len(a.Operands) > 1:
		c.host.AddFile(File{Op: Link, Path: c.place(a.Operands[0]), To: c.place(at), Tree: true})
		c.add(File{Op: Write, Tree: true}, at)
	default:
		c.add(File{Op: Write, Tree: true}, at) // what was there is hidden
	}
}

// schedule is crontab and at.
func schedule(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	if c.name != "crontab" {
		if a.Has("l", "d", "r", "c") {
			return
		}
		a.Values(func(w Word) { c.read(w) }, "f")
		if in := c.host.Input(); in.Known {
			c.host.Script(in.Text)
		}
		c.add(File{Op: Write, Append: true}, word("/var/spool/cron/atjobs"))
		return
	}
	user := c.host.User()
	if w, ok := a.Value("u"); ok {
		user = w.Text
	}
	table := word("/var/spool/cron/crontabs/" + strings.ReplaceAll(user, "/", "_"))
	switch {
	case a.Has("r"):
		c.add(File{Op: Delete}, table)
	case a.Has("l") || len(a.Operands) == 0 && !a.Has("e") && !c.host.Fed():
	default:
		c.read(a.Operands...)
		c.add(File{Op: Write}, table)
		held := []Stream{c.host.Input()}
		for _, w := range a.Operands {
			if w.Text != "-" {
				held = c.host.Holds(c.place(w))
			}
		}
		for _, s := range held {
			for _, line := range recipes.Jobs(s.Text) {
				c.host.Script(line)
			}
		}
	}
}
