package effects

import "strings"

// shellOf is the shell that a list of arguments without a program is for: -c LINE.
func shellOf(first string) []string {
	switch strings.ToLower(first) {
	case "-c", "-lc", "-ic":
		return []string{"sh"}
	case "/c", "/k":
		return []string{"cmd"}
	case "-command", "-encodedcommand":
		return []string{"powershell"}
	}
	return nil
}

// forWindows reports whether a line starts a program of Windows with a path of Windows, in which
// a backslash is no escape. In a list of arguments that was made a line, it is in quotes.
func forWindows(line string) bool {
	if strings.IndexByte(line, '\'') >= 0 {
		return false
	}
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(line)), " ")
	first = strings.TrimSuffix(first[strings.LastIndexAny(first, `/\`)+1:], ".exe")
	switch strings.Trim(first, `"`) {
	case "cmd", "powershell", "pwsh", "reg", "schtasks", "robocopy", "xcopy", "wmic", "sc", "net", "netsh", "vssadmin", "bcdedit", "wevtutil",
		"certutil", "icacls", "takeown", "rundll32", "mshta", "regsvr32", "msiexec", "attrib", "diskpart", "del", "rd", "rmdir", "erase":
		return strings.Contains(line, `:\`) || strings.HasPrefix(first, "cmd") && strings.Contains(line, " /")
	}
	return false
}
