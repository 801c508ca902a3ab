// Package version says which Trammel this is.
package version

// Version is set at release time with -ldflags "-X …/internal/version.Version=v1.2.3".
var Version = "0.1.0-dev"
