package shell

import "testing"

func TestInteractive(t *testing.T) {
	for src, want := range map[string]bool{
		"bash": true, "sudo bash": true, "/bin/sh -i": true, "bash -l": true, "env X=1 zsh": true, "python3": true, "python3 -i x.py": true,
		"node":     true,
		"ssh host": true, "psql prod": true, "docker exec -it web bash": true, "docker run --rm -ti alpine sh": true, "vim x": true, "su": true,
		"irb":          true,
		"bash -c 'ls'": false, "bash script.sh": false, "python3 x.py": false, "python3 -c 'print(1)'": false, "python -m pytest": false,
		"node app.js":    false,
		"node --version": false, "ssh host uptime": false, "psql -c 'select 1'": false, "docker exec web ls": false,
		"docker build -t x .": false, "ls": false,
		"echo bash": false, "git commit -m bash": false, "su -c id": false,
	} {
		got := false
		line := Parse(src)
		for i := range line.Commands {
			got = got || line.Commands[i].Interactive()
		}
		if got != want {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
}
