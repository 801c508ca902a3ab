package recipes

import "strings"

// OnlyRetries reports whether settings of apt can only make it retry or wait.
func OnlyRetries(text string) bool {
	for setting := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		name, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(setting)), " ")
		if last := name[strings.LastIndexByte(name, ':')+1:]; name != "" && last != "retries" && last != "timeout" && last != "use-pty" {
			return false
		}
	}
	return true
}

// OnlyKVM reports whether rules of udev only say who may use virtual machines, and
// make nothing run.
func OnlyKVM(text string) bool {
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), `KERNEL=="kvm",`)
		if !ok || strings.HasSuffix(rest, `\`) {
			return false
		}
		for part := range strings.SplitSeq(rest, ",") {
			switch name, _, _ := strings.Cut(strings.TrimSpace(part), "="); name {
			case "GROUP", "MODE", "OPTIONS+", "TAG+", "":
			default:
				return false
			}
		}
	}
	return true
}

// OnlySizes reports whether settings of the kernel are only about sizes: what databases
// and file watchers ask for.
func OnlySizes(text string) bool {
	for line := range strings.Lines(text) {
		switch name, _, _ := strings.Cut(strings.TrimSpace(line), "="); strings.TrimSpace(name) {
		case "", "vm.max_map_count", "vm.swappiness", "vm.overcommit_memory", "fs.file-max", "fs.nr_open", "fs.aio-max-nr", "net.core.somaxconn",
			"fs.inotify.max_user_watches", "fs.inotify.max_user_instances", "kernel.shmmax", "kernel.shmall", "kernel.pid_max":
		default:
			return false
		}
	}
	return true
}
