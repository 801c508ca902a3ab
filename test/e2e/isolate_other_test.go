//go:build e2e && unix && !linux

package e2e

import (
	"os/exec"
	"testing"
)

func isolate(*exec.Cmd) string { return "no network namespaces on this system" }

func mountFull(t *testing.T, _ string) { skip(t, "no mount: "+ready.Exposed) }
