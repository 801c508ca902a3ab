package mcp

import "os/exec"

// group: on Windows only the server itself is ended.
func group(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		cmd.Process.Kill()
	}
}
