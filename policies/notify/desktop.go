package notify

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"github.com/trammel-dev/trammel/internal/procgroup"
)

// desktop shows it with what the system has. What is told comes from a model,
// so that it goes in as data and never as part of a script.
func (m *message) desktop(ctx context.Context) error {
	args := desktopCommand(runtime.GOOS, m)
	if _, err := exec.LookPath(args[0]); err != nil {
		return fmt.Errorf("there is no %s to show it with", args[0])
	}
	return m.start(ctx, procgroup.Command{Args: args})
}

func desktopCommand(system string, m *message) []string {
	switch system {
	case "darwin":
		return []string{"osascript", "-e", "on run argv", "-e", "display notification (item 2 of argv) with title (item 1 of argv)", "-e",
			"end run", m.Title, m.Text}
	case "windows":
		return []string{"powershell", "-NoProfile", "-NonInteractive", "-Command", balloon}
	}
	plain := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;") // the body may be read as markup
	return []string{"notify-send", "--app-name=Trammel", "--", m.Title, plain.Replace(m.Text)}
}

// balloon shows the texts of the environment in the notification area.
const balloon = `Add-Type -AssemblyName System.Windows.Forms; $n = New-Object System.Windows.Forms.NotifyIcon; ` +
	`$n.Icon = [System.Drawing.SystemIcons]::Information; $n.Visible = $true; ` +
	`$n.ShowBalloonTip(5000, $env:TRAMMEL_NOTIFY_TITLE, $env:TRAMMEL_NOTIFY_MESSAGE, 'Info'); Start-Sleep -Milliseconds 1500; $n.Dispose()`
