// Package desktop shows a notification with the system's own program. The text
// often comes from a model, so it is passed as data, never as part of a script.
package desktop

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/trammel-dev/trammel/internal/procgroup"
)

// Show shows a notification.
func Show(ctx context.Context, title, text string) error {
	args := command(runtime.GOOS, title, text)
	if _, err := exec.LookPath(args[0]); err != nil {
		return fmt.Errorf("%s, which shows notifications, is not installed", args[0])
	}
	env := append(os.Environ(), "TRAMMEL_NOTIFY_TITLE="+title, "TRAMMEL_NOTIFY_MESSAGE="+text)
	got, err := procgroup.Run(ctx, procgroup.Command{Args: args, MaxOutput: 4 << 10, Env: env})
	if err == nil && got.Exit != 0 {
		err = fmt.Errorf("%s ended with %d: %.200s", args[0], got.Exit, got.Stderr)
	}
	return err
}

func command(system, title, text string) []string {
	switch system {
	case "darwin":
		return []string{"osascript", "-e", "on run argv", "-e", "display notification (item 2 of argv) with title (item 1 of argv)", "-e",
			"end run", title, text}
	case "windows":
		return []string{"powershell", "-NoProfile", "-NonInteractive", "-Command", balloon}
	}
	plain := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;") // the body may be read as markup
	return []string{"notify-send", "--app-name=Trammel", "--", title, plain.Replace(text)}
}

// balloon shows the texts of the environment in the notification area.
const balloon = `Add-Type -AssemblyName System.Windows.Forms; $n = New-Object System.Windows.Forms.NotifyIcon; ` +
	`$n.Icon = [System.Drawing.SystemIcons]::Information; $n.Visible = $true; ` +
	`$n.ShowBalloonTip(5000, $env:TRAMMEL_NOTIFY_TITLE, $env:TRAMMEL_NOTIFY_MESSAGE, 'Info'); Start-Sleep -Milliseconds 1500; $n.Dispose()`
