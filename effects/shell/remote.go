package shell

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/recipes"
	"github.com/trammel-dev/trammel/effects/shell/compute"
)

// ssh lists what is run on the other machine.
func (d *deriver) ssh(run int, st *state) {
	r := &d.set.Runs[run]
	row := d.rows[run]
	a := row.Parse(r.Args)
	st.out.write(stream{run: run, network: true}, st)
	if len(a.Operands) == 0 {
		return
	}
	words := row.Parse(a.Operands[1:]).Operands // options may follow the host, too
	sub := d.on(a.Operands[0], st)
	if len(words) == 0 {
		if st.in.text != "" { // its input goes into a shell there
			d.script(st.in.text, run, sub)
		}
		return
	}
	sub.in = st.in
	d.code(compute.Join(words), run, sub, func(text string) { d.script(text, run, sub) })
}

// on returns the state of a shell on another machine, or on this one if the word is another name for it.
func (d *deriver) on(w model.Word, st *state) *state {
	sub := d.elsewhere(st)
	if host, _ := paths.HostOf(w.Text); host == "localhost" || strings.HasPrefix(host, "127.") || host == "::1" {
		sub.remote = false
		home := d.world.Home()
		sub.dir = model.Path{Text: "~", Abs: home, Real: home}
	}
	return sub
}

// ansible lists what is run on other machines by ansible hosts -m shell -a line.
func (d *deriver) ansible(run int, st *state) {
	a := d.parsed(run)
	list, _ := a.Value("inventory")
	c := &call{d: d, run: run, st: st, dir: st.dir}
	file, _ := c.Text(c.place(list).Real)
	for _, host := range recipes.Inventory(list.Text, file, d.set.Runs[run].Program, a.Word(0)) {
		c.AddNet(model.Net{Host: strings.ToLower(host), Sends: true})
	}
	module, _ := a.Value("module-name")
	line, _ := a.Value("args")
	if text, on := recipes.Module(module.Text, line.Text, a.Word(0)); text != "" && len(a.Operands) > 0 {
		line.Text = text
		sub := d.on(model.Word{Text: on}, st)
		d.code(line, run, sub, func(text string) { d.script(text, run, sub) })
	}
}

// elsewhere returns the state of a shell on a machine about which nothing is known.
func (d *deriver) elsewhere(st *state) *state {
	sub := st.copy()
	sub.scope = &scope{}
	sub.remote, sub.dir, sub.dirs, sub.out, sub.in = true, model.Path{Text: "~"}, nil, nil, stream{run: -1}
	return sub
}

// container interprets what runs in a container. It reports whether anything does.
func (d *deriver) container(run int, st *state) bool {
	r := &d.set.Runs[run]
	found, ok := d.rows[run].Wraps(r.Args)
	words := found.Words
	// kubectl exec pod -c name -- command; without the dashes it is the old form
	if a := d.parsed(run); d.rows[run].Name == "kubectl" && a.Separator >= 0 || !ok {
		words = a.Operands[min(max(a.Separator, 0), len(a.Operands)):]
		ok = a.Separator >= 0
	}
	sub, local := d.elsewhere(st), found.Row.Flag("local")
	if local {
		sub = st
	}
	sub.in = st.in
	d.mounts(&found.Args, sub, st)
	line, scripted := found.Code()
	if len(words) > 0 && strings.ContainsAny(words[0].Text, " \t") {
		line, scripted = words[0], true
	}
	switch {
	case local && !scripted && ok && len(words) > 0:
		d.start(words, run, st, started{more: r.More})
		return true
	case scripted:
		line.Text = compute.Commands(line.Text)
		d.code(line, run, sub, func(text string) { d.script(text, run, sub) })
	case !ok || len(words) == 0 || strings.HasPrefix(words[0].Text, "-") && len(found.Own) == 0:
		return false
	default:
		d.inImage(&found, words, run, sub)
	}
	st.out.write(stream{run: run}, st)
	return true
}

// inImage starts the command of a container. If that is not a program, the image may be named after it: hashicorp/terraform destroy.
func (d *deriver) inImage(found *programs.Wrapped, words []model.Word, run int, st *state) {
	o := started{remote: true, more: d.set.Runs[run].More}
	if !strings.HasPrefix(words[0].Text, "-") {
		d.start(words, run, st, o)
	}
	if _, known := programs.Lookup(words[0].Text); known || len(found.Own) == 0 || found.Has("entrypoint") {
		return
	}
	name, _, _ := strings.Cut(path.Base(found.Own[0].Text), ":")
	if _, known := programs.Lookup(name); known {
		d.start(append([]model.Word{{Text: name, Known: found.Own[0].Known}}, words...), run, st, o)
	}
}
