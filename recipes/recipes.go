// Package recipes holds rules by wish, each in a directory with its tests.
package recipes

import "embed"

// Pages are the pages of the recipes, one README.md in the directory of each.
//
//go:embed */README.md
var Pages embed.FS
