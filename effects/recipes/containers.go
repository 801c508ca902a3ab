package recipes

import (
	"cmp"
	"slices"
	"strings"
)

// composed converts a compose file to calls of docker run, one for each service
// that gets access to the machine, whichever service is started.
func composed(text string, words []string) string {
	if !slices.ContainsFunc(words, func(w string) bool {
		return w == "up" || w == "run" || w == "create" || w == "start" || w == "watch" || w == "deploy"
	}) {
		return ""
	}
	top := outline(text)
	var lines []string
	for _, s := range top.get("services").under {
		given := rights(s)
		for _, v := range s.get("volumes").under {
			from, to, _ := strings.Cut(v.text, ":")
			if v.text == "" {
				from, to = v.get("source").text+v.get("src").text, v.get("target").text
			}
			if device := top.get("volumes", from, "driver_opts", "device").text; device != "" {
				from = device // a name for a place of the machine
			}
			if from != "" && strings.ContainsAny(from[:1], "/~.$") {
				given = append(given, "-v", place(from)+":"+place(to))
			}
		}
		for _, kind := range [...]string{"secrets", "configs"} {
			for _, used := range s.get(kind).under {
				if file := top.get(kind, used.text+used.get("source").text, "file").text; file != "" {
					given = append(given, "-v", place(file)+":/run/secrets/file")
				}
			}
		}
		image, command := "image", wordsOf(s.get("command"))
		if at := slices.Index(words, s.name); at > 0 && words[at-1] == "run" { // its image may stand for a program
			image = cmp.Or(s.get("image").text, image)
			command = cmp.Or(strings.Join(words[at+1:], " "), command)
		}
		if len(given) > 0 || image != "image" {
			lines = append(lines, "docker run "+strings.Join(given, " ")+" "+image+" "+wordsOf(s.get("entrypoint"))+" "+command)
		}
	}
	return strings.Join(lines, "\n")
}

// manifest is what manifests for a cluster let containers run, and what they give to
// them, as calls of kubectl exec and kubectl run; "" if that is nothing.
func manifest(text string) string {
	var given, lines []string
	outline(text).each(func(e *entry) {
		if command := e.get("command"); e.get("image").text != "" && command.under != nil {
			lines = append(lines, "kubectl exec pod -- "+strings.TrimSpace(wordsOf(command)+" "+wordsOf(e.get("args"))))
		}
		if path := e.get("hostPath", "path").text; path != "" {
			given = append(given, "--volume="+place(path)+":/host")
		}
		if security := e.get("securityContext"); security.under != nil {
			given = append(given, rights(security)...)
		}
		if e.get("hostPID").text == "true" {
			given = append(given, "--pid=host")
		}
		if role := e.get("roleRef", "name").text; role == "cluster-admin" {
			lines = append(lines, "kubectl create clusterrolebinding --clusterrole="+role)
		}
	})
	if given != nil {
		lines = append(lines, "kubectl run pod "+strings.Join(given, " "))
	}
	return strings.Join(lines, "\n")
}

// pods are the containers of manifests that are started on this machine, as calls of docker
// run.
func pods(text string) string {
	var lines []string
	outline(text).each(func(pod *entry) {
		from := map[string]string{} // what the pod's volumes are on this machine
		for _, v := range pod.get("volumes").under {
			from[v.get("name").text] = v.get("hostPath", "path").text
		}
		for _, c := range append(pod.get("containers").under, pod.get("initContainers").under...) {
			given := rights(c.get("securityContext"))
			if pod.get("hostPID").text == "true" {
				given = append(given, "--pid=host")
			}
			for _, m := range c.get("volumeMounts").under {
				if host := from[m.get("name").text]; host != "" {
					given = append(given, "-v", place(host)+":"+place(m.get("mountPath").text))
				}
			}
			lines = append(lines, "docker run "+strings.Join(append(given, "image", wordsOf(c.get("command")), wordsOf(c.get("args"))), " "))
		}
	})
	return strings.Join(lines, "\n")
}

// prepared is what a container for development runs on this machine before it is
// there.
func prepared(text string) (steps []Step) {
	_, rest, ok := strings.Cut(text, `"initializeCommand"`)
	if !ok {
		return nil
	}
	if rest = strings.TrimLeft(rest, " :\r\n\t"); strings.HasPrefix(rest, "[") {
		var words []string
		for w := range quotedTexts(upTo(rest, '[', ']')) {
			words = append(words, quoteWord(w))
		}
		return shell(strings.Join(words, " "))
	}
	for line := range quotedTexts(firstText(rest)) {
		steps = append(steps, shell(line)...)
	}
	return steps
}

// rights are the options for what a container may do to the machine.
func rights(e *entry) (options []string) {
	if e.get("privileged").text == "true" {
		options = append(options, "--privileged")
	}
	if e.get("pid").text == "host" {
		options = append(options, "--pid=host")
	}
	for _, c := range append(e.get("cap_add").under, e.get("capabilities", "add").under...) {
		options = append(options, "--cap-add="+quoteWord(c.text))
	}
	return options
}

// place is a path for a shell, which knows ~ and variables as the tool does.
func place(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok {
		path = "$HOME" + rest
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", "$(", `\$(`, "$$", `\$`).Replace(path) + `"`
}

// wordsOf are the words of a command that is written as a line or as a list.
func wordsOf(e *entry) string {
	if e.under == nil {
		return strings.ReplaceAll(e.text, "\n", " ")
	}
	var words []string
	for _, w := range e.under {
		words = append(words, quoteWord(w.text))
	}
	return strings.Join(words, " ")
}

// played is what a playbook does to files, beside the commands that stand in it: a file
// that is to be absent, here or on other machines.
func played(text string) string {
	var lines []string
	for _, play := range outline(environed(text)).under {
		on := play.get("hosts").text
		here := on == "localhost" || on == "127.0.0.1" || play.get("connection").text == "local"
		play.each(func(e *entry) {
			if (e.name == "file" || strings.HasSuffix(e.name, ".file")) && e.get("state").text == "absent" {
				for _, name := range [...]string{"path", "dest", "name"} {
					switch file := e.get(name).text; {
					case file == "":
					case here:
						lines = append(lines, "rm -rf "+place(file))
					default:
						lines = append(lines, "ssh -- "+quoteWord(on)+" "+quoteWord("rm -rf "+place(file)))
					}
				}
			}
		})
	}
	return strings.Join(lines, "\n")
}

// environed writes variables of the environment in templates as a shell does:
// {{ lookup('env', 'HOME') }}, {{ ansible_env.HOME }}.
func environed(text string) string {
	var out strings.Builder
	for {
		before, rest, _ := strings.Cut(text, "{{")
		inner, after, closed := strings.Cut(rest, "}}")
		out.WriteString(before)
		if !closed {
			return out.String() + text[len(before):]
		}
		name := strings.Map(func(r rune) rune {
			if strings.ContainsRune(" '\"()[],.", r) {
				return -1
			}
			return r
		}, inner)
		switch variable, ok := strings.CutPrefix(strings.TrimPrefix(name, "lookup"), "env"); {
		case name == "ansible_user_dir":
			out.WriteString("$HOME")
		case ok:
			out.WriteString("$" + variable)
		case strings.HasPrefix(name, "ansible_env"):
			out.WriteString("$" + strings.TrimPrefix(name, "ansible_env"))
		default:
			out.WriteString("{{" + inner + "}}")
		}
		text = after
	}
}

// Module returns the command line that an ansible module runs, or an equivalent
// one; "" if that is unknown. Without a name it is command. on is where that is run:
// the hosts, or this machine for a module that takes its files from here.
func Module(name, args, hosts string) (line, on string) {
	given := map[string]string{}
	for field := range strings.FieldsSeq(args) {
		if key, value, ok := strings.Cut(field, "="); ok {
			given[key] = place(unquoted(value))
		}
	}
	src, dest := given["src"], cmp.Or(given["path"], given["dest"], given["name"])
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "", "command", "shell", "raw":
		return args, hosts
	case "file":
		if strings.Contains(given["state"], "absent") && dest != "" {
			return "rm -rf " + dest, hosts
		}
	case "fetch", "slurp":
		if src != "" {
			return "cat " + src, hosts
		}
	case "copy", "template", "synchronize", "unarchive":
		if src != "" && dest != "" {
			return "scp -r " + src + " " + quoteWord(hosts) + ":" + dest, "localhost"
		}
	case "uri", "get_url":
		line = "curl " + given["url"]
		for _, option := range [...][2]string{{"method", " -X "}, {"body", " -d "}, {"src", " -T "}, {"dest", " -o "}} {
			if value := given[option[0]]; value != "" {
				line += option[1] + value
			}
		}
		return line, hosts
	}
	return "", hosts
}
