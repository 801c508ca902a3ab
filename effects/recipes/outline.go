package recipes

import "strings"

// entry is a name of an outline with what belongs to it: a text, or further
// entries. Items of lists have the name "-".
type entry struct {
	name, text string
	under      []*entry
}

// outline reads YAML as people write it for tools, and JSON: blocks by their
// indentation, lists, values in brackets. Anchors and tags are not followed.
func outline(text string) *entry {
	r := outliner{lines: strings.Split(text, "\n"), open: []level{{-1, &entry{}}}}
	for r.at = 0; r.at < len(r.lines); r.at++ {
		line := uncommented(r.lines[r.at])
		if strings.TrimSpace(line) == "---" { // another document
			r.open = r.open[:1]
		} else if strings.TrimSpace(line) != "" {
			r.line(indent(line), strings.TrimSpace(line))
		}
	}
	return r.open[0].entry
}

// level is an entry that what follows may belong to, and where it begins.
type level struct {
	column int
	*entry
}

type outliner struct {
	lines []string
	at    int
	open  []level // from the outside
}

func (r *outliner) line(column int, text string) {
	item := text == "-" || strings.HasPrefix(text, "- ")
	for {
		top := r.open[len(r.open)-1]
		if top.column < column || item && top.column == column && top.name != "-" {
			break
		}
		r.open = r.open[:len(r.open)-1]
	}
	for text == "-" || strings.HasPrefix(text, "- ") {
		r.push(column, "-")
		rest := strings.TrimLeft(text[1:], " ")
		column, text = column+len(text)-len(rest), rest
	}
	if text == "" {
		return
	}
	if name, value, ok := cutName(text); ok {
		r.push(column, name)
		text = value
	}
	into := r.open[len(r.open)-1]
	switch {
	case text == "":
	case text[0] == '|' || text[0] == '>':
		for r.at+1 < len(r.lines) && (strings.TrimSpace(r.lines[r.at+1]) == "" || indent(r.lines[r.at+1]) > into.column) {
			r.at++
			into.text += strings.TrimSpace(r.lines[r.at]) + "\n"
		}
	case text[0] == '[' || text[0] == '{':
		var whole strings.Builder
		whole.WriteString(text)
		for open := brackets(text); open > 0 && r.at+1 < len(r.lines); {
			r.at++
			more := strings.TrimSpace(uncommented(r.lines[r.at]))
			whole.WriteString(" " + more)
			open += brackets(more)
		}
		flow(whole.String(), into.entry)
	default:
		into.text = unquoted(text)
	}
}

func (r *outliner) push(column int, name string) {
	r.open = append(r.open, level{column, r.open[len(r.open)-1].add(name)})
}

func (e *entry) add(name string) *entry {
	e.under = append(e.under, &entry{name: name})
	return e.under[len(e.under)-1]
}

// flow reads a value in brackets, quotes or none, and returns what follows it.
func flow(text string, into *entry) string {
	text = strings.TrimLeft(text, " \r\n\t")
	if text == "" {
		return ""
	}
	switch open := text[0]; open {
	case '"', '\'':
		body, n := Quoted(text[1:], open)
		if n < 0 {
			return ""
		}
		into.text = body
		return text[1+n:]
	case '[', '{':
		for text = text[1:]; ; {
			text = strings.TrimLeft(text, ", \r\n\t")
			if text == "" || text[0] == ']' || text[0] == '}' {
				return text[min(len(text), 1):]
			}
			item := into.add("-")
			if open == '{' {
				var name entry
				text = strings.TrimLeft(flow(text, &name), " :")
				item.name = strings.TrimSuffix(name.text, ":")
			}
			text = flow(text, item)
		}
	}
	text = strings.TrimLeft(text, ":")
	end := 0
	for end < len(text) && !strings.ContainsRune(",]}", rune(text[end])) && !strings.HasPrefix(text[end:], ": ") {
		end++
	}
	into.text = strings.TrimSpace(text[:end])
	return text[end:]
}

// cutName takes a line apart into a name and its value.
func cutName(line string) (name, value string, ok bool) {
	if line[0] == '[' || line[0] == '{' {
		return "", "", false
	}
	name, value, ok = strings.Cut(line, ": ")
	if !ok {
		name, ok = strings.CutSuffix(line, ":")
	}
	if name = unquoted(name); strings.ContainsAny(name, " \"'") {
		return "", "", false
	}
	return name, strings.TrimSpace(value), ok
}

func unquoted(text string) string {
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		if body, n := Quoted(text[1:], text[0]); n == len(text)-1 {
			return body
		}
	}
	return text
}

// uncommented is a line without what stands behind a #.
func uncommented(line string) string {
	if before, _, ok := strings.Cut(" "+line, " #"); ok && strings.Count(before, `"`)%2 == 0 && strings.Count(before, "'")%2 == 0 {
		return strings.TrimPrefix(before, " ")
	}
	return line
}

// brackets is how many more are opened than closed.
func brackets(text string) int {
	return strings.Count(text, "[") + strings.Count(text, "{") - strings.Count(text, "]") - strings.Count(text, "}")
}

// get is what belongs to a name below an entry, an empty one if nothing does.
func (e *entry) get(names ...string) *entry {
	for _, name := range names {
		next := &entry{}
		for _, u := range e.under {
			if u.name == name {
				next = u
			}
		}
		e = next
	}
	return e
}

// each visits an entry and all below it.
func (e *entry) each(visit func(*entry)) {
	visit(e)
	for _, u := range e.under {
		u.each(visit)
	}
}
