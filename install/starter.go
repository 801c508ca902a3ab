package install

import (
	"bytes"
	_ "embed"
)

//go:embed starter.yaml
var starter []byte

// Starter is the policy for a user who has none yet, for trammel.yaml in the
// user's configuration directory. testdata/starter_test.yaml proves each of
// its rules. It names the preset careful.
func Starter() []byte { return starter }

// StarterWith is the Starter with another preset.
func StarterWith(preset string) []byte {
	out := bytes.Replace(starter, []byte("\npreset: careful\n"), []byte("\npreset: "+preset+"\n"), 1)
	return bytes.Replace(out, []byte("trammel policies preset careful"), []byte("trammel policies preset "+preset), 1)
}
