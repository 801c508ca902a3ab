// Package install writes and removes the wiring: the entries in a host's own
// configuration that make it call trammel-hook. It is for the cold program
// only.
//
// What it promises:
//
//   - Only our own entries are touched. They are known by Marker in the
//     command, not by where they stand or how they are laid out, so they are
//     found again after a formatter or the host itself has rewritten the file.
//     The user's bytes stay what they are: comments, order, indentation, line
//     endings.
//   - What cannot be read with certainty (invalid JSON, duplicate keys, a list
//     where an object belongs) is refused, and then nothing at all is changed.
//   - Wiring what is wired changes no byte.
//   - Uninstall restores the file byte for byte. If somebody has changed it in
//     the meantime, only our entries are taken out.
//   - The wiring fails closed: on events before a tool runs, the command turns
//     every end of trammel-hook but a good one into a block.
//   - Consent is the user's. Where a host asks for it (Codex, Copilot), Plan
//     says what to do, and nothing here forges it.
//
// Originals are kept in the state directory and not beside the host's files:
// some hosts load every file in a directory, a copy of settings may hold
// secrets, and a project should not show files that nobody made.
package install

// Marker makes an entry or a file ours. It stands in a comment at the end of
// the shell command, because strict hosts refuse keys that they do not know,
// and in the first line of files that are ours as a whole.
const Marker = "trammel:owned"
