package windows

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages"
	"github.com/trammel-dev/trammel/effects/model"
)

// redirections lists files that the command is written to or reads, and returns
// the rest, and the files that it is written to.
func (r *reader) redirections(items []item) (out []item, written []model.File) {
	for i := 0; i < len(items); i++ {
		mark := items[i].raw
		if !items[i].bare || i+1 >= len(items) || mark != ">" && mark != ">>" && mark != "<" {
			out = append(out, items[i])
			continue
		}
		i++
		file := r.path(items[i].word())
		switch {
		case strings.EqualFold(file.Text, "nul") || strings.HasPrefix(strings.ToLower(items[i].raw), "$null"):
		case mark == "<":
			r.h.File(model.File{Op: model.Read, Path: r.h.Resolve(file), Code: true})
		default:
			f := model.File{Op: model.Write, Append: mark == ">>", Path: r.h.Resolve(file), Code: true}
			r.h.File(f)
			written = append(written, f)
		}
	}
	return out, written
}

// echoed is what a command writes, where that is plain text.
func (r *reader) echoed(items []item, in value) languages.Content {
	if len(items) > 1 && strings.EqualFold(items[0].text, "echo") {
		_, text, _ := strings.Cut(items[0].raw, " ")
		for _, i := range items[1:] {
			if i.raw == ">" || i.raw == ">>" {
				break
			}
			text += i.text + " "
		}
		return languages.Content{Text: strings.TrimSpace(text), Known: true}
	}
	if items[0].known && !items[0].bare {
		return languages.Content{Text: items[0].text, Known: true, Network: in.network}
	}
	return languages.Content{Network: in.network}
}

// stores notes what a file holds that a cmdlet has written.
func (r *reader) stores(name string, items []item, in value) {
	switch name {
	case "set-content", "add-content", "new-item", "out-file", "tee-object":
	default:
		return
	}
	var operands []value
	for n := 1; n < len(items); n++ {
		switch t := strings.ToLower(items[n].raw); {
		case !items[n].bare || !strings.HasPrefix(t, "-"):
			operands = append(operands, items[n].value)
		case len(t) > 1 && (strings.HasPrefix("-encoding", t) || strings.HasPrefix("-width", t) || strings.HasPrefix("-itemtype", t)):
			n++
		}
	}
	if len(operands) == 0 {
		return
	}
	file, content := operands[0], in
	if hasOption(items, "-path", "-literalpath", "-filepath") {
		file = r.option(items, "-path", "-literalpath", "-filepath")
	}
	if hasOption(items, "-value", "-inputobject") {
		content = r.option(items, "-value", "-inputobject")
	} else if !in.known && !in.network && len(operands) > 1 {
		content = operands[1]
	}
	if content.known || content.network {
		c := contentOf(content)
		c.Added = name == "add-content" || hasOption(items, "-append")
		r.h.Wrote(r.h.Resolve(r.path(file.word())), c)
	}
}

// contentOf is a value as what a file holds.
func contentOf(v value) languages.Content {
	return languages.Content{Text: v.text, Known: v.known && len(v.list) == 0, Network: v.network}
}
