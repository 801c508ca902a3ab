package guess

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/host"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// AppleWays lists what an AppleScript does as if programs did it: it reads the
// clipboard, asks for a password, adds a login item, types and clicks, becomes
// root.
func AppleWays(h host.Host, text string) {
	lower := strings.ToLower(text)
	if strings.Contains(lower, "default answer") && strings.Contains(lower, "password") {
		lower += " hidden answer"
	}
	for _, way := range [...]struct{ sign, program, argument string }{
		{"the clipboard", "pbpaste", ""}, {"hidden answer", "ssh-askpass", ""}, {"login item", "sfltool", "add-item"},
		{"administrator privileges", "sudo", "true"}, {"key code", "cliclick", "kp"}, {"to restart", "shutdown", "-r"},
		{"to shut down", "shutdown", "-h"}, {"to log out", "shutdown", "-h"}, {"output muted true", "cliclick", "mute"},
	} {
		if strings.Contains(lower, way.sign) && !strings.Contains(lower, "set "+way.sign) {
			h.Start([]model.Word{{Text: way.program, Known: true}, {Text: way.argument, Known: true}}, host.Start{})
		}
	}
	for _, app := range [...]struct{ name, file, signs string }{
		{"notes", "Group Containers/group.com.apple.notes/NoteStore.sqlite", "body|plaintext|every note"},
		{"messages", "Messages/chat.db", "every chat|text chats|.chats|every participant"},
		{"contacts", "Application Support/AddressBook/AddressBook-v22.abcddb", "people|every person|emails|phones"},
		{"mail", "Mail/V10/MailData/Envelope Index", "content of|source of|.content()|.source()"},
		{"safari", "Cookies/Cookies.binarycookies", "cookie|localstorage|password"},
		{"google chrome", "Application Support/Google/Chrome/Default/Cookies", "cookie|localstorage|password"},
	} {
		if !strings.Contains(lower, `application "`+app.name+`"`) && !strings.Contains(lower, `application("`+app.name) &&
			!strings.Contains(lower, `application('`+app.name) {
			continue
		}
		for sign := range strings.SplitSeq(app.signs, "|") {
			if strings.Contains(lower, sign) {
				p := h.Resolve(model.Word{Text: h.Home() + "/Library/" + app.file, Known: true})
				h.File(model.File{Op: model.Read, Code: true, Path: p})
				break
			}
		}
	}
}

// Interfaces lists what code that calls the interfaces of macOS does as if programs did
// it: it reads the clipboard or the keychain, records the screen, sounds or keys.
func Interfaces(h host.Host, text string) {
	for _, way := range [...]struct {
		program, argument string
		signs             []string
	}{
		{"pbpaste", "", []string{"NSPasteboard"}},
		{"screencapture", "", []string{"CGWindowListCreateImage", "CGDisplayCreateImage", "AVCaptureScreenInput",
			"SCScreenshotManager", "SCStream("}},
		{"get-keystrokes", "", []string{"CGEventTapCreate", "CGEvent.tapCreate", "addGlobalMonitorForEvents", "IOHIDManagerRegisterInputValue"}},
		{"rec", "", []string{"AVAudioRecorder", "AVCaptureSession", "AVCaptureDevice"}},
		{"security", "dump-keychain", []string{"SecItemCopyMatching", "SecKeychainFind", "SecKeychainItemCopy", "SecKeychainSearch"}},
		{"sfltool", "add-item", []string{"SMLoginItemSetEnabled", "LSSharedFileListInsertItem", "SMAppService", "SMJobBless"}},
		{"sudo", "true", []string{"AuthorizationExecuteWithPrivileges"}},
	} {
		if recipes.Mentions(text, way.signs...) && (way.program != "pbpaste" || !recipes.Mentions(text, "setString")) {
			h.Start([]model.Word{{Text: way.program, Known: true}, {Text: way.argument, Known: true}}, host.Start{})
		}
	}
}

// LibraryFile lists the file of the user's Library that a text in a script names, if it
// holds secrets.
func LibraryFile(h host.Host, name string) {
	if strings.ContainsAny(name, " /:") || !strings.Contains(name, ".") {
		return
	}
	if p := h.Resolve(model.Word{Text: h.Home() + "/Library/" + name, Known: true}); (&paths.Ground{}).Secret(p) {
		h.File(model.File{Op: model.Read, Code: true, Path: p})
	}
}

// ColonPath lists the secret that a text in a script names with colons, from the disk or
// from the home directory on: Macintosh HD:Users:me:.ssh:id_rsa.
func ColonPath(h host.Host, name string) {
	name = strings.TrimPrefix(name, "~/") // (path to home folder) & ".ssh:id_rsa"
	below := strings.ReplaceAll(name, ":", "/")
	if below == name || strings.Contains(name, "/") {
		return
	}
	_, absolute, _ := strings.Cut(below, "/")
	for _, file := range [...]string{h.Home() + "/" + below, "/" + absolute} {
		if p := h.Resolve(model.Word{Text: file, Known: true}); (&paths.Ground{}).Secret(p) {
			h.File(model.File{Op: model.Read, Code: true, Path: p})
		}
	}
}
