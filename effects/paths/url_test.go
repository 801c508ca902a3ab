package paths_test

import (
	"testing"

	"github.com/trammel-dev/trammel/effects/paths"
)

func TestOfAddress(t *testing.T) {
	for address, want := range map[string]string{"file:///etc/hosts": "/etc/hosts", "FILE:///etc/%68osts": "/etc/hosts", " file:///x": "/x",
		"file:/etc/hosts": "/etc/hosts", "file:etc/hosts": "etc/hosts", "file:///etc/%zz": "/etc/%zz", "file://LocalHost/x": "/x",
		"file://127.0.0.1/x": "/x", `file:\\\x\y`: "/x/y", "file:///x?a#b": "/x", "file:///x#b": "/x", "file:../x": "../x",
		"https://a/b": "", "mem:x": "", "file:": "", "file: a text": "", "/x": ""} {
		if got, ok := paths.OfAddress(address); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, %v", address, got, ok)
		}
	}
}
