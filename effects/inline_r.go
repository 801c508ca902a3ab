package effects

import "strings"

// rCall lists what a call in R does.
func rCall(w *walker, ref string, a *callArgs) (thing, bool) {
	switch ref {
	case "unlink", "file.remove":
		w.file(File{Op: Delete, Tree: a.on("recursive")}, a.at(0))
	case "file.rename":
		w.two(Move, a.at(0), a.at(1), true)
	case "file.copy":
		w.two(Read, a.at(0), a.at(1), a.on("recursive"))
	case "file.create", "dir.create", "sink", "Sys.chmod":
		w.file(File{Op: Write, Append: ref == "dir.create"}, a.at(0))
	case "writeLines", "saveRDS", "write.csv", "write", "cat", "dput":
		if ref != "cat" && len(a.list) > 1 {
			w.file(File{Op: Write}, a.at(1))
		} else if file, ok := a.option("file"); ok {
			w.file(File{Op: Write}, file)
		}
	case "readLines", "readRDS", "read.csv", "scan", "readChar":
		w.file(File{Op: Read}, a.at(0))
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
			w.code(Code{Language: "r", Origin: Network})
			break
		}
		for _, word := range w.words(a.at(0)) {
			w.runFile("r", word)
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
func tclScript(c *call, text string) {
	c.opaque("tcl", word(text))
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
				c.d.script(command, c.run, c.st)
			}
		}
	}
}
