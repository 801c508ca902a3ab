package shellguard

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
)

// huge is larger than any file that people create to try something.
const huge = 100 << 30

// fills judges filling the disk: with a huge file, or from an endless source.
func (j *judge) fills(i int) {
	r := &j.set.Runs[i]
	switch r.Program {
	case "fallocate", "mkfile", "fsutil", "xfs_mkfile":
		if slices.ContainsFunc(r.Args, func(a effects.Word) bool {
			return bytes(a.Text[strings.IndexByte(a.Text, '=')+1:]) >= huge
		}) {
			j.add("fills_disk", j.line(i))
		}
		return
	}
	if r.Remote || !endless(r) {
		return
	}
	for k, n := i, 0; k >= 0 && n < len(j.set.Runs) && passes(&j.set.Runs[k]); n++ {
		if slices.ContainsFunc(j.set.Files, func(f effects.File) bool {
			return f.Run == k && f.Op == effects.Write && !f.Device &&
				(!strings.HasPrefix(f.Path.Abs, "/dev/") || strings.HasPrefix(f.Path.Abs, "/dev/shm/")) // $DISK, too, whatever it is
		}) {
			j.add("fills_disk", j.line(i))
			return
		}
		k = slices.IndexFunc(j.set.Runs, func(r effects.Run) bool { return r.From == k })
	}
}

// endless reports whether a run produces output forever.
func endless(r *effects.Run) bool {
	return r.Program == "yes" || slices.ContainsFunc(r.Args, func(a effects.Word) bool {
		switch strings.TrimPrefix(a.Text, "if=") {
		case "/dev/zero", "/dev/urandom", "/dev/random":
			return true
		}
		return false
	})
}

// passes reports whether a program copies its input without a practical limit.
func passes(r *effects.Run) bool {
	w := programs.Parse(r)
	switch r.Program {
	case "head":
		size, ok := w.Value("c", "bytes")
		return ok && bytes(size.Text) >= huge
	case "dd":
		count, bounded := w.Value("count")
		block, _ := w.Value("bs")
		n, err := strconv.ParseFloat(count.Text, 64)
		return !bounded || err == nil && n*max(bytes(block.Text), 512) >= huge
	case "yes", "cat", "tail", "tee", "tr", "base64", "xxd", "od", "hexdump", "gzip",
		"zstd", "pv", "cp", "rev", "fold", "openssl", "sponge", "split":
		return true
	}
	return false
}

// bytes parses a size: 500G, 1TiB, 10*1024; 0 if it is not one.
func bytes(text string) float64 {
	digits := strings.TrimRight(text, "kKmMgGtTpPeEiIbB")
	size, err := strconv.ParseFloat(strings.TrimPrefix(digits, "-l"), 64)
	unit := strings.TrimLeft(text, "-l0123456789.")
	if err != nil || unit == "" {
		return size
	}
	for range strings.IndexByte("kmgtpe", unit[0]|0x20) + 1 {
		size *= 1024
	}
	return size
}
