package paths

import "strings"

// IsSensor reports whether a path is a device that hears keys, or sees or hears
// people.
func IsSensor(abs string) bool {
	name, ok := strings.CutPrefix(abs, "/dev/")
	return ok && (strings.HasPrefix(name, "input/") || strings.HasPrefix(name, "hidraw") || strings.HasPrefix(name, "video") ||
		strings.HasPrefix(name, "snd/pcm") || strings.HasPrefix(name, "fb") || strings.HasPrefix(name, "vcs") ||
		name == "dsp" || name == "audio" || name == "uinput")
}

// StartsWindows reports whether Windows or Office runs a file by itself, because of its folder.
func StartsWindows(name string) bool {
	lower := strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	for _, part := range [...]string{"/start menu/programs/startup/", "/windows/system32/tasks/", "/system32/grouppolicy/machine/scripts/",
		"/system32/grouppolicy/user/scripts/", "/microsoft/word/startup/", "/microsoft/excel/xlstart/", "/microsoft/outlook/vbaproject.otm",
		"/system32/wbem/autorecover/"} {
		if strings.Contains(lower, part) {
			return true
		}
	}
	return false
}

// StartsPython reports whether a file is one that Python runs each time it starts.
func StartsPython(name string) bool {
	return strings.HasSuffix(name, ".pth") || strings.HasSuffix(name, "/usercustomize.py") || strings.HasSuffix(name, "/sitecustomize.py")
}

// IsManaged reports whether a program is where the system or a package manager puts its own.
func IsManaged(abs string) bool {
	for _, dir := range [...]string{"/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/", "/usr/lib/", "/opt/", "/usr/local/", "/nix/", "/snap/",
		"/home/linuxbrew/"} {
		if strings.HasPrefix(abs, dir) {
			return true
		}
	}
	return false
}
