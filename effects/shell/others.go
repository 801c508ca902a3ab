package shell

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/shell/compute"
)

// others handles programs that run one of their arguments as a command line.
func (d *deriver) others(name string, args []model.Word, run int, st *state) {
	line := func(w model.Word) { d.code(w, run, st, func(text string) { d.script(text, run, st) }) }
	behind := func(words ...string) []model.Word {
		if i := slices.IndexFunc(args, func(w model.Word) bool { return slices.Contains(words, w.Text) }); i >= 0 {
			return args[i+1:]
		}
		return nil
	}
	start := func(rest []model.Word) {
		if len(rest) == 1 {
			line(rest[0])
		} else {
			d.start(rest, run, st, started{})
		}
	}
	switch name {
	case "nix":
		d.start(compute.NixCommand(args, behind), run, st, started{})
	case "rvm":
		d.start(behind("do"), run, st, started{})
	case "fab":
		start(behind("--"))
	case "capsh":
		if rest := behind("--", "=="); len(rest) > 0 {
			d.start(append([]model.Word{word("bash")}, rest...), run, st, started{})
		}
	case "salt":
		if rest := behind("cmd.run", "cmd.shell", "cmd.run_all", "cmd.exec_code"); len(rest) > 0 {
			line(rest[0])
		}
	case "xterm":
		rest := behind("-e", "-x", "--", "--command", "--execute", "--detach", "--hold")
		for i := range args {
			if text, ok := strings.CutPrefix(args[i].Text, "--command="); ok {
				rest = []model.Word{{Text: text, Known: args[i].Known}}
			}
		}
		for i := 0; i < len(args) && len(rest) == 0; i++ { // kitty command
			if !strings.HasPrefix(args[i].Text, "-") && (i == 0 || !strings.HasPrefix(args[i-1].Text, "-")) {
				rest = args[i:]
			}
		}
		start(rest)
	case "entr":
		for i := range args {
			if t := args[i].Text; !strings.HasPrefix(t, "-") {
				if i > 0 && strings.Contains(args[i-1].Text, "s") {
					line(args[i])
				} else {
					d.start(args[i:], run, st, started{in: &stream{run: -1}})
				}
				return
			}
		}
	case "expect":
		for i := range args {
			if args[i].Text == "-c" && i+1 < len(args) {
				(&call{d: d, run: run, st: st}).Opaque("tcl", args[i+1])
			}
		}
	}
}
