// Package examples holds samples that work as they are and are made to be
// changed. "trammel pack init" starts a pack from one of them.
package examples

import "embed"

// Packs holds a sample pack per language, below packs/.
//
//go:embed packs
var Packs embed.FS
