//go:build unix && !darwin

package account

import "testing"

func TestPasswdHome(t *testing.T) {
	const lines = "root:x:0:0:root:/root:/bin/bash\n# 7:x:7\nshort:x:5\nann:x:1000:1000:Ann,,,:/home/ann:/bin/zsh\nbob:x:10:10::/srv/bob:"
	for id, want := range map[string]string{"0": "/root", "1000": "/home/ann", "10": "/srv/bob", "5": "", "100": "", "x": "", "": ""} {
		if got := passwdHome(lines, id); got != want {
			t.Errorf("%q: %q", id, got)
		}
	}
}
