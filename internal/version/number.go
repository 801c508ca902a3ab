package version

import (
	"runtime/debug"
	"strings"
)

// Number is the version of this program for people. One that "go install" made
// from a release knows its version from there; that takes some time to find
// out, so what runs for every event uses Version.
func Number() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return number(Version, info.Main.Version)
	}
	return Version
}

// number prefers what the linker was told, unless that only leads up to a
// release and the module is one.
func number(linked, module string) string {
	if !strings.Contains(linked, "-") || !strings.HasPrefix(module, "v") || strings.ContainsAny(module, "-+") {
		return linked
	}
	return strings.TrimPrefix(module, "v")
}
