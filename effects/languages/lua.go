package languages

import "github.com/trammel-dev/trammel/effects/model"

// luaCall lists what a call in Lua does.
func luaCall(w *walker, ref string, a *callArgs) (thing, bool) {
	switch ref {
	case "os.remove":
		w.file(model.File{Op: model.Delete}, a.at(0))
	case "os.rename":
		w.two(model.Move, a.at(0), a.at(1), true)
	case "os.execute", "io.popen", "vim.fn.system", "vim.system":
		w.subprocess(a.at(0), a)
	case "io.open":
		return pythonOpen(w, a.at(0), a.at(1), a.given(1)), true
	case "io.lines", "io.input":
		w.file(model.File{Op: model.Read}, a.at(0))
	case "io.output":
		w.file(model.File{Op: model.Write}, a.at(0))
	case "os.getenv":
		if key := a.at(0); key.kind == textThing {
			return w.variable(key.text), true
		}
	case "dofile", "loadfile":
		for _, word := range w.words(a.at(0)) {
			w.RunFile("lua", word)
		}
	case "load", "loadstring":
		w.eval("lua", a.at(0))
	case "require":
		if m := a.at(0); m.kind == textThing {
			return named(m.text), true
		}
	case "string.char":
		return characters(a.list), true
	default:
		return thing{}, false
	}
	return thing{}, true
}
