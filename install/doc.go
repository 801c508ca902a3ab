// Package install writes and removes the wiring: the entries in a host's own
// configuration that make it call trammel-hook. It is for the cold program
// only.
//
// What it promises:
//
//   - Only our own entries are touched. They are recognized by Marker in
//     the command, not by their position or layout, so they are found again
//     after a formatter or the host itself has rewritten the file.
//     The user's bytes do not change: comments, order, indentation, line
//     endings.
//   - What cannot be read with certainty (invalid JSON, duplicate keys, a list
//     where an object belongs) is refused, and then nothing at all is changed.
//   - Wiring twice changes no byte.
//   - Uninstall restores the file byte for byte. If somebody has changed it in
//     the meantime, only our entries are removed.
//   - The wiring fails closed: on events before a tool runs, the command turns
//     every failure of trammel-hook into a block.
//   - Only the user can consent. If a host asks for it (Codex, Copilot), Plan
//     says what to do, and nothing here forges it.
//
// Originals are stored in the state directory, not next to the host's files:
// some hosts load every file in a directory, a copy of settings may hold
// secrets, and a project should not show files that nobody made.
package install

import "github.com/trammel-dev/trammel/install/plugins"

// Marker marks an entry or a file as ours. It is in a comment at the end of the
// shell command, because strict hosts refuse unknown keys, and in the first
// line of files that are entirely ours.
const Marker = plugins.Owner
