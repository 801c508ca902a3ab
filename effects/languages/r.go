package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// rCall lists what a call in R does.
func rCall(w *walker, ref string, a *callArgs) (thing, bool) {
	switch ref {
	case "unlink", "file.remove":
		w.file(model.File{Op: model.Delete, Tree: a.on("recursive")}, a.at(0))
	case "file.rename":
		w.two(model.Move, a.at(0), a.at(1), true)
	case "file.copy":
		w.two(model.Read, a.at(0), a.at(1), a.on("recursive"))
	case "file.create", "dir.create", "sink", "Sys.chmod":
		w.file(model.File{Op: model.Write, Append: ref == "dir.create"}, a.at(0))
	case "writeLines", "saveRDS", "write.csv", "write", "cat", "dput":
		if ref != "cat" && len(a.list) > 1 {
			w.file(model.File{Op: model.Write}, a.at(1))
		} else if file, ok := a.option("file"); ok {
			w.file(model.File{Op: model.Write}, file)
		}
	case "readLines", "readRDS", "read.csv", "scan", "readChar":
		w.file(model.File{Op: model.Read}, a.at(0))
	case "system", "shell":
		w.shell(a.at(0))
	case "system2":
		list := []thing{a.at(0)}
		if args := a.at(1, "args"); args.kind == listThing {
			list = append(list, args.list...)
		} else if a.given(1, "args") {
			list = append(list, args)
		}
		w.spawn(list, *a)
	case "c":
		return thing{kind: listThing, list: a.list}, true
	case "paste0":
		return joinText(thing{kind: listThing, list: a.list}, ""), true
	case "source":
		if u := a.at(0); strings.Contains(u.text, "://") {
			w.visit(u, false)
			w.Code(model.Code{Language: "r", Origin: model.Network})
			break
		}
		for _, word := range w.words(a.at(0)) {
			w.RunFile("r", word)
		}
	case "download.file":
		w.visit(a.at(0), false)
		w.filled(a.at(1), thing{net: true})
	case "parse":
		return a.at(-1, "text"), true
	case "eval":
		w.eval("r", a.at(0))
	default:
		return thing{}, false
	}
	return thing{}, true
}

// tclScript finds what Tcl and expect run. The rest of it is beyond us, which
// a doubt says.
func tclScript(c Host, text string) {
	opaque(c, "tcl", word(text))
	for rest, first := text, true; rest != ""; first = false {
		if !first {
			at := strings.IndexAny(rest, "\n;[{")
			if at < 0 {
				return
			}
			rest = rest[at+1:]
		}
		for _, name := range [...]string{"exec ", "spawn ", "system "} {
			if command, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t"), name); ok {
				if end := strings.IndexAny(command, "\n;]}"); end >= 0 {
					command = command[:end]
				}
				c.Shell(command, nil)
			}
		}
	}
}
