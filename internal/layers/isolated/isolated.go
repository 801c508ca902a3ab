// Package isolated is imported, for its effect alone, by tests that keep
// Trammel's directories in a place of their own: in a binary that links it,
// HOME and XDG_* say where they are. No product links it (test/repository/arch_test.go).
package isolated

import "github.com/trammel-dev/trammel/internal/layers"

func init() { layers.FollowEnvironment() }
