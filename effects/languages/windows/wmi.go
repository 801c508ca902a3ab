package windows

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// instances are the objects that a command finds: those of a class of WMI that a
// filter names, or services.
func (r *reader) instances(name string, words []model.Word) value {
	out := value{kind: "servicecontroller"}
	switch name {
	case "get-disk", "get-volume":
		out.kind = "msft_" + name[len("get-"):]
	case "get-wmiobject", "get-ciminstance", "get-cimclass":
		out.kind = ""
	}
	for n := 0; n < len(words); n++ {
		t := strings.ToLower(words[n].Text)
		switch {
		case strings.HasPrefix(t, "-") && n+1 < len(words) && (strings.HasPrefix("-filter", t) || strings.HasPrefix("-query", t)):
			n++
			filter := words[n].Text
			if _, class, ok := strings.Cut(strings.ToLower(filter), " from "); ok {
				out.kind = kindOf(strings.Fields(class + " ?")[0])
			}
			filter = filter[strings.LastIndexByte(filter, '=')+1:]
			r.field(&out, "", known(strings.Trim(filter, `'" `)))
		case strings.HasPrefix(t, "-") && (strings.HasPrefix("-namespace", t) || strings.HasPrefix("-computername", t)):
			n++
		case strings.HasPrefix(t, "-"):
		case out.kind == "":
			out.kind = kindOf(t)
		default:
			r.field(&out, "", value{text: words[n].Text, known: words[n].Known})
		}
	}
	return out
}

// invokeMethod is Invoke-CimMethod and Invoke-WmiMethod: a method of a class, or of what
// comes through the pipe.
func (r *reader) invokeMethod(items []item, in value) {
	on := value{kind: kindOf(r.named(items, "-classname", 9).text)}
	if hasOption(items, "-class") {
		on.kind = kindOf(r.option(items, "-class").text)
	} else if hasOption(items, "-methodname") && len(items) > 1 && !strings.HasPrefix(items[1].raw, "-") { // Invoke-CimMethod Win32_Process …
		on.kind = kindOf(items[1].text)
	} else if on.kind == "" {
		on = in
	}
	var args []value
	for n := 2; n < len(items); n++ {
		if items[n].fields != nil && items[n].kind == "" {
			made := on.fields[""]
			on.fields = items[n].fields
			r.field(&on, "", made)
		} else if strings.HasPrefix("-argumentlist", strings.ToLower(items[n-1].raw)) && len(items[n-1].raw) > 2 {
			args = append(args, items[n].all()...)
		}
	}
	r.method(strings.ToLower(r.named(items, "-methodname", 0).text), on, args)
}
