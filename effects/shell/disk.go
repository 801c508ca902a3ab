package shell

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
)

// Limits of what is read of files that a call runs. Longer ones are not read, which
// leaves a doubt.
const (
	maxScripts = 8
	maxScript  = 32 << 10
)

// onDisk is the text of a script that a call runs and that was there before.
// Programs of the system are known by their rows.
func (d *deriver) onDisk(p model.Path, st *state) (text string, ok bool) {
	if p.Abs == "" || p.Glob || st.remote || paths.Programs(p.Abs) || strings.HasPrefix(p.Abs, "/dev/") ||
		strings.HasPrefix(p.Abs, "/usr/") || strings.HasPrefix(p.Abs, "/etc/") {
		return "", false
	}
	if d.scripts >= maxScripts {
		d.unread(p.Text, st.by)
		return "", false
	}
	data, err := d.world.ReadFile(p.Real, maxScript)
	if info, there := d.world.Lstat(p.Real); err != nil && there == nil && info.Mode().IsRegular() && info.Size() > maxScript {
		d.unread(p.Text, st.by)
	}
	if err != nil || strings.IndexByte(string(data), 0) >= 0 {
		return "", false
	}
	d.scripts++
	return string(data), true
}

// unread notes that a script is run that is not read.
func (d *deriver) unread(name string, run int) {
	d.cut = true
	d.doubt("code", name+" is not read", run)
}

// quietly reads a script that was there before. What it does to what it names
// counts. What only a running script knows does not, because scripts are full of
// it: a script that hides what it does is not found here.
func (d *deriver) quietly(read func()) {
	doubts, steps, inner, full := len(d.set.Doubts), d.steps, d.inner, d.full
	files, cut := len(d.set.Files), d.cut
	read()
	if d.full && !full {
		d.steps, d.inner, d.full = steps, inner, false
		d.cut = true
	}
	if d.set.Doubts = d.set.Doubts[:doubts]; d.cut && !cut {
		d.doubt("code", "a script is not read in full", -1)
	}
	known := d.set.Files[:files]
	for _, f := range d.set.Files[files:] {
		if f.Path.Known() && (f.Op != model.Move || f.To.Known()) {
			known = append(known, f)
		}
	}
	d.set.Files = known
}

// OnDisk reads text of a file of this machine as code that the call runs.
func (c *call) OnDisk(language, text string) {
	if c.d.scripts >= maxScripts || len(text) > maxScript {
		c.d.unread(language, c.run)
		return
	}
	c.d.scripts++
	c.d.quietly(func() {
		if language == "shell" {
			c.d.script(text, c.run, c.st)
			return
		}
		c.d.inline(language, text, c.run, c.st)
	})
}
