package shellguard

import "strings"

// container judges docker and its relatives.
func (j *judge) container(i int) {
	r := &j.set.Runs[i]
	w := operands(r, " -H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey -f --file -p --project-name --profile "+
		"--env-file --project-directory ")
	if w.helps() {
		return
	}
	list := w.list
	if strings.HasSuffix(r.Program, "-compose") {
		list = append([]string{"compose"}, list...)
	}
	word := func(n int) string {
		if n < len(list) {
			return list[n]
		}
		return ""
	}
	switch word(0) {
	case "system", "volume":
		switch verb := word(1); {
		case verb == "prune", verb == "rm" && word(0) == "volume", verb == "remove" && word(0) == "volume", verb == "reset":
			j.add("container_destroy", j.line(i))
		}
	case "compose":
		if word(1) == "down" && w.has("-v", "--volumes") || word(1) == "rm" && w.has("-v") {
			j.add("container_destroy", j.line(i))
		}
	case "image", "container", "network", "builder", "buildx":
		if word(1) == "prune" {
			j.add("container_remove", j.line(i))
		}
	case "rm", "rmi":
		j.everyContainer(i, &w)
	case "run", "create", "exec":
		j.privileged(i, &w)
	case "swarm", "stack", "service", "secret", "config":
		if verb := word(1); verb == "rm" || verb == "remove" || verb == "leave" {
			j.add("container_destroy", j.line(i))
		}
	}
	if word(0) == "container" && word(1) == "rm" {
		j.everyContainer(i, &w)
	}
}

// everyContainer judges a removal of what a list names: docker rm $(docker ps
// -aq), docker ps -aq | xargs docker rm.
func (j *judge) everyContainer(i int, w *words) {
	r := &j.set.Runs[i]
	from := append([]int(nil), r.Uses...)
	if r.More && r.By >= 0 {
		from = append(from, j.set.Runs[r.By].From)
	}
	every := w.has("--all", "-a")
	for _, k := range from {
		if k < 0 || j.set.Runs[k].Program != r.Program {
			continue
		}
		o := operands(&j.set.Runs[k], "")
		if verb := o.at(0); (verb == "ps" || verb == "images" || o.at(1) == "ls" || o.at(1) == "list") && !o.has("--filter", "-f") {
			every = true
		}
	}
	if every {
		j.add("container_destroy", j.line(i))
	}
}

// privileged judges what a container may do to the machine.
func (j *judge) privileged(i int, w *words) {
	for k, a := range w.args {
		if k > 0 && !strings.HasPrefix(a.Text, "-") && k > 200 {
			return
		}
		text := a.Text
		if v, ok := strings.CutPrefix(text, "--volume="); ok {
			text = v
		} else if v, ok := strings.CutPrefix(text, "-v"); ok && v != "" {
			text = v
		}
		switch {
		case text == "--privileged", text == "--privileged=true", text == "--pid=host", text == "--cap-add=ALL", text == "--cap-add=SYS_ADMIN":
			j.add("container_escape", text)
		case strings.HasPrefix(text, "/:"), strings.HasPrefix(text, "/etc:"), strings.HasPrefix(text, "/root:"),
			strings.HasPrefix(text, "type=bind,source=/,"), strings.HasPrefix(text, "type=bind,src=/,"):
			j.add("container_escape", text)
		case (text == "--pid" || text == "--cap-add") && k+1 < len(w.args):
			if next := w.args[k+1].Text; next == "host" || next == "ALL" || next == "SYS_ADMIN" {
				j.add("container_escape", text+" "+next)
			}
		}
	}
}

// cluster judges kubectl, helm and their relatives.
func (j *judge) cluster(i int) {
	r := &j.set.Runs[i]
	w := operands(r, " -n --namespace --context --cluster --kubeconfig --user --as --as-group -s --server --token --kube-context -f "+
		"--filename -l --selector -o --output --timeout --grace-period --replicas --type -p --patch -c --container --field-selector --region "+
		"--name --profile ")
	if w.helps() {
		return
	}
	switch r.Program {
	case "helm":
		switch w.at(0) {
		case "uninstall", "delete", "del", "un":
			j.add("cluster_destroy", j.line(i))
		case "rollback":
			j.add("cluster_change", j.line(i))
		}
		return
	case "eksctl", "argocd", "flux", "istioctl":
		if contains(w.list, "delete") || contains(w.list, "uninstall") || contains(w.list, "purge") {
			j.add("cluster_destroy", j.line(i))
		}
		return
	}
	switch w.at(0) {
	case "delete":
		if w.has("--all", "-A", "--all-namespaces") || !passing(w.at(1)) {
			j.add("cluster_destroy", j.line(i))
		} else {
			j.add("cluster_change", j.line(i))
		}
	case "drain":
		j.add("cluster_destroy", j.line(i))
	case "replace":
		if w.has("--force") {
			j.add("cluster_destroy", j.line(i))
		}
	case "scale":
		if v, _ := w.value("--replicas"); v == "0" {
			j.add("cluster_change", j.line(i))
		}
	case "cordon", "taint":
		j.add("cluster_change", j.line(i))
	case "apply":
		if w.has("--prune") {
			j.add("cluster_change", j.line(i))
		}
	}
}

// passing are the kinds of things in a cluster that are made again.
func passing(kind string) bool {
	kind, _, _ = strings.Cut(kind, "/")
	switch strings.ToLower(kind) {
	case "pod", "pods", "po", "job", "jobs", "event", "events", "ev", "replicaset", "replicasets", "rs", "endpoints", "lease", "leases":
		return true
	}
	return false
}
