package recipes

import "testing"

func TestAdded(t *testing.T) {
	for text, want := range map[string]string{
		"--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\n c\n+d\n":         "b\nd\n",
		"*** Begin Patch\n*** Add File: x\n+b\n+++c\n*** End Patch": "b\n++c\n",
		"1 +\n+2": "",
	} {
		if got := Added(text); got != want {
			t.Errorf("%q adds %q, expected %q", text, got, want)
		}
	}
}
