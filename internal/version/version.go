// Package version says which Trammel this is.
package version

// Version is set at release time with -ldflags "-X …/internal/version.Version=v1.2.3".
var Version = "0.1.0-dev"

// Install is the command that installs the newest version.
const Install = "go install github.com/trammel-dev/trammel/cmd/...@latest"
