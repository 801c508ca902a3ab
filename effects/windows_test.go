package effects

import (
	"testing"

	"github.com/trammel-dev/trammel"
)

// TestWindows proves what lines of PowerShell and cmd.exe do, as the tools of
// agents on Windows run them (FLOW-33: every way to write a file is seen).
func TestWindows(t *testing.T) {
	for tool, file := range map[string]string{"PowerShell": "testdata/windows/powershell.txt", "cmd.exe": "testdata/windows/cmd.txt"} {
		read := func(command string) string {
			call := trammel.ToolCall{Name: tool, Action: trammel.Action{Kind: trammel.ShellAction, Command: command}}
			return show(read(&call, true, frozen()))
		}
		checkCases(t, file, read)
	}
}

// FuzzWindows proves that any text can be read.
func FuzzWindows(f *testing.F) {
	for _, file := range []string{"testdata/windows/powershell.txt", "testdata/windows/cmd.txt"} {
		for _, c := range programCases(f, file) {
			f.Add(c.command)
		}
	}
	f.Fuzz(func(t *testing.T, command string) {
		for _, tool := range []string{"PowerShell", "cmd.exe"} {
			call := trammel.ToolCall{Name: tool, Action: trammel.Action{Kind: trammel.ShellAction, Command: command}}
			for _, d := range read(&call, true, frozen()).Doubts {
				if d.Code == "failure" {
					t.Error(d.What)
				}
			}
		}
	})
}
