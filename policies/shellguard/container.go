package shellguard

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/names"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/policies/shellguard/variables"
)

// container judges what docker and similar programs do that the table cannot express.
func (j *judge) container(i int) {
	w := programs.Parse(&j.set.Runs[i])
	switch {
	case w.Help():
	case w.Word(0) == "rm", w.Word(0) == "rmi", w.Word(0) == "container" && w.Word(1) == "rm":
		j.everyContainer(i, w.Has("all"))
	case w.Word(0) == "run", w.Word(0) == "create", w.Word(0) == "exec":
		j.privileged(i)
		for k := range j.set.Nets {
			n := &j.set.Nets[k]
			image := func(w effects.Word) bool { return n.Host != "" && strings.HasPrefix(w.Text, n.Host) }
			if n.Run == i && slices.ContainsFunc(w.Operands, image) && !local(n.Host) && !names.Registry(n.Host) && !j.knownHost(n.Host) {
				j.add("foreign_source", n.Host)
			}
		}
	}
}

// chart judges the values for a cluster's chart: host paths and privileges.
func (j *judge) chart(i int) {
	w := programs.Parse(&j.set.Runs[i])
	if w.Word(0) != "install" && w.Word(0) != "upgrade" || w.Help() || w.Has("dry-run") {
		return
	}
	w.Values(func(set effects.Word) {
		for one := range strings.SplitSeq(set.Text, ",") {
			name, value, _ := strings.Cut(strings.ToLower(one), "=")
			switch last := name[strings.LastIndexByte(name, '.')+1:]; {
			case strings.Contains(name, "hostpath") && (value == "/" || value == "/etc" || value == "/root"):
				j.add("container_escape", one)
			case strings.Contains(name, "hostpath") && strings.HasSuffix(value, "/docker.sock"):
				j.add("container_socket", one)
			case value == "true" && (last == "privileged" || last == "hostpid"):
				j.add("container_rights", one)
			}
		}
	}, "set", "set-string", "set-json", "set-literal")
}

// everyContainer judges removing everything in a list: docker rm $(docker ps -aq),
// docker ps -aq | xargs docker rm.
func (j *judge) everyContainer(i int, every bool) {
	r := &j.set.Runs[i]
	from := append([]int(nil), r.Uses...)
	if r.More && r.By >= 0 {
		from = append(from, j.set.Runs[r.By].From)
	}
	for _, k := range from {
		if k < 0 || j.set.Runs[k].Program != r.Program {
			continue
		}
		o := programs.Parse(&j.set.Runs[k])
		if verb := o.Word(0); (verb == "ps" || verb == "images" || o.Word(1) == "ls" || o.Word(1) == "list") && !o.Has("filter", "f") {
			every = true
		}
	}
	if every {
		j.add("container_destroy", j.line(i))
	}
}

// privileged judges what a container may do to the machine.
func (j *judge) privileged(i int) {
	args := j.set.Runs[i].Args
	for k, a := range args {
		text := a.Text
		if v, ok := strings.CutPrefix(text, "--volume="); ok {
			text = v
		} else if v, ok := strings.CutPrefix(text, "-v"); ok && v != "" {
			text = strings.TrimLeft(v, "= ") // act --container-options "-v /:/x"
		}
		switch {
		case strings.HasPrefix(text, "--privileged") && emulates(args):
		case text == "--privileged", text == "--privileged=true", text == "--pid=host", text == "--cap-add=ALL", text == "--cap-add=SYS_ADMIN":
			j.add("container_rights", text)
		case strings.HasPrefix(text, "/:"), strings.HasPrefix(text, "/etc:"), strings.HasPrefix(text, "/root:"),
			strings.HasPrefix(text, "type=bind,source=/,"), strings.HasPrefix(text, "type=bind,src=/,"):
			j.add("container_escape", text)
		case strings.HasSuffix(mountedFrom(text), "/docker.sock") && !strings.HasPrefix(text, "-"):
			j.add("container_socket", text)
		case j.secretPlace(mountedFrom(text)), mountedFrom(text) != text && variables.Agent(mountedFrom(text)):
			j.add("mounts_secret", text)
		case (text == "--pid" || text == "--cap-add") && k+1 < len(args):
			if next := args[k+1].Text; next == "host" || next == "ALL" || next == "SYS_ADMIN" {
				j.add("container_rights", text+" "+next)
			}
		}
	}
}

// emulates reports whether a container only teaches the kernel to run programs of
// other processors, which is what the well-known images for it need their rights for.
func emulates(args []effects.Word) bool {
	at := slices.IndexFunc(args, func(w effects.Word) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(w.Text, "docker.io/"), ":")
		return name == "tonistiigi/binfmt" || name == "multiarch/qemu-user-static"
	})
	for _, w := range args[:max(at, 0)] {
		if w.Text != "run" && w.Text != "--rm" && w.Text != "--privileged" && w.Text != "-t" && w.Text != "-it" {
			return false
		}
	}
	return at > 0
}

// mountedFrom returns the path on this machine in an option of docker run.
func mountedFrom(option string) string {
	for field := range strings.SplitSeq(option, ",") {
		if from, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(field, "--mount="), "type=bind,"), "source="); ok {
			return from
		}
		if from, ok := strings.CutPrefix(field, "src="); ok {
			return from
		}
	}
	from, _, _ := strings.Cut(option, ":")
	return from
}

func (j *judge) secretPlace(abs string) bool {
	p := effects.Path{Text: abs, Abs: abs, Real: abs}
	return strings.HasPrefix(abs, "/") && (j.ground.SecretTree(p) || j.ground.Secret(p))
}
